"""A model of both directions, as each step of an adaptation makes one, and its files."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.formats.moses import BETWEEN, escape_words
from accord.system.writing import write_text
from accord.translate import BACK_OFF_TABLE, TABLE, WEIGHTS
from accord.translate.adaptation.system import Tables
from accord.translate.phrase_table import BACK_OFF_SCORES, ScoredPair, read_scored_pairs
from accord.translate.weights import Weights, read_weights, write_weights

BACKWARD_WEIGHTS = "backward.ini"


class TwoWayModel(NamedTuple):
    """The tables of both directions, and the weights of each."""

    tables: Tables
    forward: Weights
    backward: Weights

    def write(self, folder: Path) -> None:
        """Write the tables and the weights of both directions to a folder."""
        write_forward_model(folder, self.tables, self.forward)
        has_back_off = bool(self.tables.back_off)
        write_weights(folder / BACKWARD_WEIGHTS, self.backward, has_back_off=has_back_off)

    @classmethod
    def read(cls, folder: Path) -> "TwoWayModel":
        return cls(*read_forward_model(folder), read_weights(folder / BACKWARD_WEIGHTS))


def write_forward_model(folder: Path, tables: Tables, weights: Weights) -> None:
    """Write what is needed to translate into the target language."""
    write_pairs(folder / TABLE, tables.main)
    if tables.back_off:  # an empty table could not be told from a file of another kind
        write_pairs(folder / BACK_OFF_TABLE, tables.back_off)
    write_weights(folder / WEIGHTS, weights, has_back_off=bool(tables.back_off))


def read_forward_model(folder: Path) -> tuple[Tables, Weights]:
    """Read what `write_forward_model` has written."""
    main = [*read_scored_pairs(folder / TABLE)]
    back_off = read_back_off(folder / BACK_OFF_TABLE)
    return Tables(main, back_off), read_weights(folder / WEIGHTS)


def read_back_off(path: Path) -> list[ScoredPair] | None:
    """Read a back-off table, if there is one."""
    return [*read_scored_pairs(path, names=BACK_OFF_SCORES)] if path.exists() else None


def write_pairs(path: Path, pairs: Iterable[ScoredPair]) -> None:
    """Write a table that Moses can read, sorted."""
    lines = [
        f"{escape_words(source)}{BETWEEN}{escape_words(target)}{BETWEEN}"
        f"{' '.join(f'{score:.6g}' for score in scores)}"
        for source, target, scores in pairs
    ]
    lines.sort()
    write_text(path, lines)
