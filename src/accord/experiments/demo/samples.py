"""What is shown of a demo's run: the most confident pairs, and a fair sample of all."""

from pathlib import Path
from typing import NamedTuple

from accord.experiments.synthesis.experiment import TextPairs
from accord.runs.folder import RunFolder
from accord.system.reading import read_lines

WORDS = 12
PHRASES = 16


class LearnedPair(NamedTuple):
    """A word or phrase, its translation, and the confidence in it."""

    source: str
    target: str
    confidence: float


def new_words(folder: RunFolder, seed: TextPairs) -> list[LearnedPair]:
    """Return word pairs that are not in the seed.

    Words that are the same in both languages, such as names and numbers, are left out.
    """
    known = set(seed)
    return [
        word
        for word in _read_pairs(folder.lexicon)
        if (word.source, word.target) not in known and word.source != word.target
    ]


def read_phrase_pairs(folder: RunFolder) -> list[LearnedPair]:
    """Return all pairs of phrases."""
    return _read_pairs(folder.phrases)


def sample_evenly(learned: list[LearnedPair], count: int) -> list[LearnedPair]:
    """Sample at even steps, from the most to the least confident: nothing is hand-picked."""
    ordered = sorted(learned, key=lambda pair: (-pair.confidence, pair))
    count = min(count, len(ordered))
    return [ordered[(2 * n + 1) * len(ordered) // (2 * count)] for n in range(count)]


def _read_pairs(path: Path) -> list[LearnedPair]:
    rows = (line.split("\t") for _, line in read_lines(path))
    return [LearnedPair(row[0], row[1], float(row[-1])) for row in rows]
