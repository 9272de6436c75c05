"""What is shown of a demo's run: the most confident pairs, and a fair sample of all."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from accord.experiments.synthesis.experiment import TextPairs
from accord.runs.results import LexiconEntry, PhrasePair

WORDS = 12
PHRASES = 16

LearnedPair = TypeVar("LearnedPair", LexiconEntry, PhrasePair)


def find_new_words(lexicon: Iterable[LexiconEntry], seed: TextPairs) -> list[LexiconEntry]:
    """Return the word pairs that are not in the seed.

    Words that are the same in both languages, such as names and numbers, are left out.
    """
    known = set(seed)
    return [entry for entry in lexicon if entry[:2] not in known and entry.source != entry.target]


def sample_evenly(learned: Sequence[LearnedPair], count: int) -> list[LearnedPair]:
    """Sample at even steps, from the most to the least confident: nothing is hand-picked."""
    ordered = sorted(learned, key=lambda pair: (-(pair.confidence or 0.0), pair[:2]))
    count = min(count, len(ordered))
    return [ordered[(2 * n + 1) * len(ordered) // (2 * count)] for n in range(count)]
