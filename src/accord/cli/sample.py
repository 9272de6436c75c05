"""The command `sample`."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import flags
from accord.cli.output import print_answer


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

    names = [file.name for file in write_sample(folder, overwrite=force)]
    summary = f"{', '.join(names[:-1])} and {names[-1]} in {folder}"
    print_answer(folder, summary, {"names": names} if as_json else None)
