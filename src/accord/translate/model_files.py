"""The files that sentences are translated with: named ones, and those in the folder of a run.

The folder may be that of `adapt`, whose results.json names the languages of its texts.
"""

import json
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError, SettingError
from accord.translate import (
    BACK_OFF_TABLE,
    LANGUAGE_MODEL,
    ORTHOGRAPHY,
    RESULTS,
    TABLE,
    WEIGHTS,
)
from accord.translate.orthography import Orthography


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

    def read_languages(self) -> tuple[str, str]:
        """Return the languages of `adapt`."""
        assert self.results
        try:
            source, target = json.loads(self.results.read_bytes())["languages"]
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(
                f"{self.results}: expected the languages of adapt, found none; adapt again, or "
                "name the table of the folder with --table"
            ) from None
        return source, target

    def read_orthography(self) -> Orthography:
        """Return how the target language is written, as far as `adapt` has learned it."""
        assert self.results
        path = self.results.with_name(ORTHOGRAPHY)
        return Orthography.read(path) if path.exists() else Orthography()


def _find_file(folder: Path | None, name: str) -> Path | None:
    """Return the file of this name in the folder, if there is one."""
    return folder / name if folder and (folder / name).exists() else None
