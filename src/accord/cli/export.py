"""The command `export`: a run in the formats of other programs."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import print_message, print_summary
from accord.formats import ExportFormatName


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a finished run.")],
    to: Annotated[ExportFormatName, typer.Option(help="The format.")],
    out: Annotated[
        Path, typer.Option(help="File; compressed if its name ends with .gz (- for stdout).")
    ],
    min_probability: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Only pairs with at least this confidence."),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, help="Only so many pairs, those of the highest confidence.")
    ] = None,
    source_lang: flags.MissingSourceLanguage = None,
    target_lang: flags.MissingTargetLanguage = None,
) -> None:
    """Write the lexicon and the phrase pairs of a run in the format of another program.

    moses also writes both lexica and a section of moses.ini next to the table; bicleaner writes a
    dictionary for each direction; seed contains the decisions of reviewers, and nothing else.
    """
    from accord.formats.writing import CHARACTER_REASONS
    from accord.runs.export import export_run
    from accord.runs.export.contents import PairChoice
    from accord.runs.folder import RunFolder

    choice = PairChoice(min_probability, top)
    languages = source_lang, target_lang
    done = export_run(RunFolder(folder), to, out, choice, languages, print_message)
    for reason, count in done.left_out.items():
        what = "character" if reason in CHARACTER_REASONS else "pair"
        print_message(f"{to}: {count:,} {what}{'s' * (count != 1)} left out: {reason}")
    files = ", ".join(map(str, done.files))
    print_summary(out, f"{done.pairs:,} pair{'s' * (done.pairs != 1)} in {files}")
