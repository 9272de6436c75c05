"""The command `import`: a seed from a file of another program."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from accord.cli import flags
from accord.cli.groups import INPUT
from accord.cli.output import check_output, print_answer, print_message
from accord.formats import ImportFormatName


def import_(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Translation memory, terminology, glossary, table."),
    ],
    form: Annotated[
        ImportFormatName,
        flags.option(
            "--from",
            group=INPUT,
            metavar="FORMAT",
            text=f"Format of the file: {', '.join(get_args(ImportFormatName))}.",
        ),
    ],
    out: Annotated[
        Path, flags.make_out("File for the seed: two columns, and the status where it is known.")
    ],
    source_lang: Annotated[
        str | None,
        flags.option(
            group=INPUT,
            metavar="LANG",
            text="Source language, e.g. zh. Default: as TMX and TBX name it, in the header or as "
            "the first of two. Terms in zh, ja and th are tokenised.",
            callback=flags.check_language,
        ),
    ] = None,
    target_lang: Annotated[
        str | None,
        flags.option(
            group=INPUT,
            metavar="LANG",
            text="Target language, e.g. en. Default: as TMX and TBX name it.",
            callback=flags.check_language,
        ),
    ] = None,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Make a seed from a file of another program.

    The seed is for `learn` and `mine`. A third column says which pairs were accepted or rejected
    there; rejected pairs are never learned.
    """
    from accord.evidence.seed_import import import_seed
    from accord.system.columns import write_rows

    check_output(out, [file], force=force)
    seed = import_seed(file, form, (source_lang, target_lang), print_message)
    write_rows(out, seed.entries)
    if seed.left_out:
        reasons = [f"{count:,} {reason}" for reason, count in sorted(seed.left_out.items())]
        print_message(f"{file}: left out {', '.join(reasons)}")
    entries = f"{len(seed.entries):,} entr{'y' if len(seed.entries) == 1 else 'ies'} in {out}"
    summary = f"{entries} ({seed.rejected:,} rejected)" if seed.rejected else entries
    facts = {"entries": len(seed.entries), "rejected": seed.rejected, "left_out": seed.left_out}
    print_answer(out, summary, facts if as_json else None)
