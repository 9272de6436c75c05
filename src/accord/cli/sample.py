"""The command `sample`."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import print_answer
from accord.errors import OutputError

NAMES = ("german.txt", "english.txt", "dictionary.tsv", "gold.tsv")


def sample(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the files.")],
    force: flags.Force = False,
    as_json: flags.Json = False,
) -> None:
    """Write a small German-English sample to try Accord on.

    german.txt and english.txt hold 2,000 sentences each; no sentence is a translation of another.
    dictionary.tsv holds 60 word pairs to start from, gold.tsv all word pairs.
    """
    from accord.experiments.sample import write_sample
    from accord.system.writing import output_errors

    if not force and (existing := [name for name in NAMES if (folder / name).exists()]):
        raise OutputError(f"{folder / existing[0]}: exists; replace it with --force")
    with output_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    write_sample(folder)
    summary = f"{', '.join(NAMES[:-1])} and {NAMES[-1]} in {folder}"
    print_answer(folder, summary, {"names": NAMES} if as_json else None)
