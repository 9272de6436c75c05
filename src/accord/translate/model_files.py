"""The files that sentences are translated with: named ones, and those in the folder of a run.

The folder may be that of `adapt`, whose results.json names the languages of its texts.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.errors import InputError, SettingError
from accord.translate import BACK_OFF_TABLE, LANGUAGE_MODEL, RESULTS, TABLE, WEIGHTS


class ModelFiles(NamedTuple):
    """The files of the model that translates."""

    pairs: Path
    is_run: bool  # whether `pairs` is the folder of a run, or a phrase table
    lm: Path
    weights: Path | None  # None for the default weights
    results: Path | None  # of `adapt`, if the table is from there
    back_off: Path | None = None  # the table for words that the first one does not have

    @classmethod
    def find(
        cls, folder: Path | None, table: Path | None, lm: Path | None, weights: Path | None
    ) -> "ModelFiles":
        """Return the given files and, for those that are not, the files of the folder."""
        if folder and not folder.is_dir():
            raise InputError(f"{folder}: expected the folder of a run or of adapt, found none")
        adapted = None if table else _find_file(folder, TABLE)
        pairs = table or adapted or folder
        if pairs is None:
            raise SettingError("translate: expected the folder of a run or --table, found neither")
        lm = lm or _find_file(folder, LANGUAGE_MODEL)
        if lm is None:
            raise SettingError(
                "translate: expected a language model, found none; name one with --lm"
            )
        return cls(
            pairs=pairs,
            is_run=not (table or adapted),
            lm=lm,
            weights=weights or _find_file(folder, WEIGHTS),
            results=adapted.with_name(RESULTS) if adapted else None,
            back_off=_find_file(folder, BACK_OFF_TABLE) if adapted else None,
        )

    def read_preparation(self, pretokenised: bool) -> Callable[[str], str]:
        """Return the function that tokenises source text as `adapt` did; `str` without it."""
        if self.results is None:
            return str
        try:
            source, _ = json.loads(self.results.read_bytes())["languages"]
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.results}: expected the languages of adapt, found none; adapt again, or "
                "name the table of the folder with --table"
            ) from None
        return Preparation(source, lower=True, pretokenised=pretokenised)


def _find_file(folder: Path | None, name: str) -> Path | None:
    """Return the file of this name in the folder, if there is one."""
    return folder / name if folder and (folder / name).exists() else None
