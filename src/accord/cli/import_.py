"""The command `import`: a seed from a file of another program."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import check_output, print_message, print_summary
from accord.formats import ImportFormatName


def import_(
    file: Annotated[Path, typer.Argument(help="Translation memory, terminology, glossary, table.")],
    form: Annotated[ImportFormatName, typer.Option("--from", help="The format of the file.")],
    out: Annotated[
        Path, typer.Option(help="File for the seed: two columns, and the status where it is known.")
    ],
    source_lang: Annotated[
        str | None,
        typer.Option(
            help="Source language, e.g. zh. Default: as TMX and TBX name it, in the header or as "
            "the first of two. Terms in zh, ja and th are tokenised."
        ),
    ] = None,
    target_lang: Annotated[
        str | None, typer.Option(help="Target language, e.g. en. Default: as above.")
    ] = None,
) -> None:
    """Make a seed from a file of another program, for `learn` and `mine`.

    A third column says which pairs were accepted or rejected there; rejected pairs are never
    learned.
    """
    from accord.evidence.seed_import import import_seed
    from accord.system.writing import write_text

    check_output(out, [file])
    seed = import_seed(file, form, (source_lang, target_lang), print_message)
    write_text(out, seed.lines)
    if seed.left_out:
        reasons = [f"{count:,} {reason}" for reason, count in sorted(seed.left_out.items())]
        print_message(f"{file}: left out {', '.join(reasons)}")
    entries = f"{len(seed.lines):,} entr{'y' if len(seed.lines) == 1 else 'ies'} in {out}"
    print_summary(out, f"{entries} ({seed.rejected:,} rejected)" if seed.rejected else entries)
