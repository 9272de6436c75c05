"""What to show of a demo's run: the surest of what it learned, and a fair sample of all."""

from pathlib import Path
from typing import NamedTuple

from accord.experiments.synthesis.experiment import Pairs
from accord.runs.folder import RunFolder
from accord.system.reading import read_lines

WORDS = 12
PHRASES = 16


class Learned(NamedTuple):
    """A word or phrase, its translation, and the probability that it is right."""

    source: str
    target: str
    probability: float


def new_words(folder: RunFolder, seed: Pairs) -> list[Learned]:
    """Words with a translation that the seed does not have; names and numbers, which are the same
    in both languages, are no news."""
    known = set(seed)
    return [
        word
        for word in _read(folder.lexicon)
        if (word.source, word.target) not in known and word.source != word.target
    ]


def found_phrases(folder: RunFolder) -> list[Learned]:
    """All pairs of phrases."""
    return _read(folder.phrases)


def every_nth(learned: list[Learned], count: int) -> list[Learned]:
    """So many of them, evenly from the most to the least probable: nothing is chosen to please."""
    ordered = sorted(learned, key=lambda pair: (-pair.probability, pair))
    count = min(count, len(ordered))
    return [ordered[(2 * n + 1) * len(ordered) // (2 * count)] for n in range(count)]


def _read(path: Path) -> list[Learned]:
    rows = (line.split("\t") for _, line in read_lines(path))
    return [Learned(row[0], row[1], float(row[-1])) for row in rows]
