"""The command for what people have already: other programs' files to a seed."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from accord.cli.output import tell, tell_of
from accord.errors import OutputError

# As in accord.formats.readers, which is not loaded for --help.
FormatName = Literal["tmx", "tbx", "muse", "omegat", "csv", "moses"]


def import_(
    file: Annotated[Path, typer.Argument(help="Translation memory, terminology, glossary, table.")],
    form: Annotated[FormatName, typer.Option("--from", help="The format of the file.")],
    out: Annotated[Path, typer.Option(help="File for the seed: two columns, or with a status.")],
    source_lang: Annotated[
        str | None,
        typer.Option(
            help="Source language, e.g. zh; by default as TMX and TBX name it, in the header or "
            "first of two. Terms of zh, ja and th are parted into words."
        ),
    ] = None,
    target_lang: Annotated[
        str | None, typer.Option(help="Target language, e.g. en. As above.")
    ] = None,
) -> None:
    """Make a seed out of another program's file, for `learn` and `mine`.

    What people accepted or rejected there is in a third column; rejected entries are never
    learned.
    """
    from accord.evidence.seed_import import import_seed
    from accord.system.writing import STANDARD_OUTPUT, write_text

    if str(out) != STANDARD_OUTPUT and file.resolve() == out.resolve():
        raise OutputError(f"{out}: is read as well; choose another file")
    made = import_seed(file, form, (source_lang, target_lang), tell)
    write_text(out, made.lines)
    if made.left_out:
        reasons = [f"{number:,} {reason}" for reason, number in sorted(made.left_out.items())]
        tell(f"{file}: left out {', '.join(reasons)}")
    entries = f"{len(made.lines):,} entr{'y' if len(made.lines) == 1 else 'ies'} in {out}"
    tell_of(out, f"{entries} ({made.rejected:,} rejected)" if made.rejected else entries)
