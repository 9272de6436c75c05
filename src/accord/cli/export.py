"""The command `export`: a run in the formats of other programs."""

from pathlib import Path
from typing import Annotated, get_args

from accord.cli import flags
from accord.cli.groups import METHOD, OUTPUT
from accord.cli.output import print_answer, print_message
from accord.formats import ExportFormatName


def export(
    folder: flags.Run,
    to: Annotated[
        ExportFormatName,
        flags.option(
            group=OUTPUT,
            metavar="FORMAT",
            text=f"Format of the file: {', '.join(get_args(ExportFormatName))}.",
        ),
    ],
    out: Annotated[
        Path,
        flags.make_out("File for the pairs; compressed if its name ends with .gz (- for stdout)."),
    ],
    min_confidence: Annotated[
        float | None, flags.make_min_confidence("Only pairs with at least this confidence.")
    ] = None,
    top: Annotated[
        int | None, flags.make_top("Maximum number of pairs, by their confidence.")
    ] = None,
    no_identical: Annotated[
        bool,
        flags.option(
            "--no-identical", group=METHOD, text="Leave out pairs whose two sides are identical."
        ),
    ] = False,
    source_lang: flags.MissingSourceLanguage = None,
    target_lang: flags.MissingTargetLanguage = None,
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Write the results of a run in the format of another program.

    moses also writes both lexica and a section of moses.ini next to the table; bicleaner writes a
    dictionary for each direction; seed contains the decisions of reviewers, and nothing else.
    """
    from accord.formats.writing import CHARACTER_REASONS
    from accord.runs.export import export_run
    from accord.runs.export.contents import PairChoice
    from accord.runs.folder import RunFolder

    choice = PairChoice(min_confidence, top, no_identical)
    languages = source_lang, target_lang
    done = export_run(RunFolder(folder), to, out, choice, languages, print_message, overwrite=force)
    for reason, count in done.left_out.items():
        one = "character" if reason in CHARACTER_REASONS else "pair"
        print_message(f"{to}: {count:,} {one if count == 1 else f'{one}s'} left out: {reason}")
    if done.note:
        print_message(f"{to}: {done.note}")
    files = ", ".join(map(str, done.files))
    summary = f"{done.pairs:,} {'pair' if done.pairs == 1 else 'pairs'} in {files}"
    facts = {"pairs": done.pairs, "left_out": done.left_out, "files": [*map(str, done.files)]}
    print_answer(out, summary, facts if as_json else None)
