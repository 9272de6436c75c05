"""The folder of an adaptation: its files, and how an interrupted one is resumed.

run.json       the version, the settings and hashes of the inputs; written first
steps/         one folder for each finished step, while the adaptation is not finished
table.gz       the phrase table; Moses can read it
back-off.gz    the table for words that the first one does not have
lm.arpa        the language model
weights.ini    the weights of both tables, the language model and the other features
orthography.json  how the target language is written
results.json   how well the tables of all steps translate; written last
report.html    the same as a page, by the command

A step only reads the inputs and the files of earlier steps. So a resumed adaptation computes the
same as one that was not interrupted.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from accord.errors import OutputError
from accord.runs.folder import IfExists
from accord.runs.record import (
    RunRecord,
    describe_differences,
    extract_signature,
    read_record,
    write_record,
)
from accord.system.locks import LOCK_FILE, lock_folder
from accord.system.writing import (
    clear_leftovers,
    output_errors,
    temporary_path,
    write_folder,
)
from accord.translate import (
    BACK_OFF_TABLE,
    LANGUAGE_MODEL,
    ORTHOGRAPHY,
    RESULTS,
    TABLE,
    WEIGHTS,
)

RECORD, STEPS, REPORT = "run.json", "steps", "report.html"
# The names of files that were being written when a process was killed end like this.
LEFTOVERS = ".part", ".old"
# The files of a finished adaptation, in the order in which they are written.
FILES = (RECORD, TABLE, BACK_OFF_TABLE, LANGUAGE_MODEL, WEIGHTS, ORTHOGRAPHY, RESULTS, REPORT)


class AdaptationFolder:
    """Where an adaptation keeps its files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.steps = path / STEPS

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    @property
    def is_finished(self) -> bool:
        return (self / RESULTS).exists() and not self.steps.exists()

    def check(self, record: RunRecord, if_exists: IfExists) -> None:
        """Raise an error if an adaptation with this record cannot write here.

        `claim` checks it, too, but the inputs are read before.
        """
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise OutputError(f"{self.path}: expected a folder for the results, found a file")
        names = (path.name for path in self.path.iterdir())
        found = {name for name in names if name != LOCK_FILE and not name.endswith(LEFTOVERS)}
        if others := sorted(found - {*FILES, STEPS}):
            raise OutputError(
                f"{self.path}: holds {others[0]}, which is no result; choose another folder"
            )
        if found and if_exists == "refuse":
            actions = "continue with --resume, replace" if self.steps.exists() else "replace"
            raise OutputError(
                f"{self.path}: exists; {actions} it with --force, or choose another folder"
            )
        if found and if_exists == "resume":
            self._check_record(record)

    def _check_record(self, record: RunRecord) -> None:
        """Raise an error if the files are not of an adaptation with this record."""
        earlier = read_record(self / RECORD)
        differing = ["no run.json"]
        if earlier:
            differing = describe_differences(extract_signature(earlier), extract_signature(record))
        if differing:
            raise OutputError(
                f"{self.path}: holds the files of another adaptation: {', '.join(differing)}; "
                "choose another folder, or replace them with --force"
            )

    @contextmanager
    def claim(self, record: RunRecord, if_exists: IfExists) -> Iterator[None]:
        """Lock the folder for an adaptation with this record; keep the steps of the same one."""
        with output_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        with lock_folder(self.path):
            self.check(record, if_exists)
            with output_errors(self.path):
                clear_leftovers(self.path)
                if not (if_exists == "resume" and read_record(self / RECORD)):
                    self._start(record)
                self.steps.mkdir(exist_ok=True)
            yield

    def _start(self, record: RunRecord) -> None:
        """Remove the files of an earlier adaptation."""
        for name in reversed((STEPS, *FILES)):
            path = self / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        write_record(self / RECORD, record)

    def step(self, name: str, fill: Callable[[Path], object]) -> Path:
        """Return the folder of a step; fill it, unless that was done before."""
        path = self.steps / name
        if not path.exists():
            clear_leftovers(self.steps)
            write_folder(path, fill)
        return path

    def finish(self) -> None:
        """Remove what is only needed to resume."""
        with output_errors(self.steps):
            # Under this name, a half-removed folder is not taken for steps to resume from.
            removed = temporary_path(self.steps, ".old")
            os.replace(self.steps, removed)
            shutil.rmtree(removed)
