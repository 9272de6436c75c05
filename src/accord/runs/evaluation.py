"""How good the phrases of a run are, where the true ones are known.

Notation: D  the extracted phrase pairs;  G  the gold pairs;  F1 = 2|D ∩ G| / (|D| + |G|)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.learning.agreement import Links
from accord.system.reading import place, read_lines


class Score(NamedTuple):
    """F1, precision and recall of a set of pairs."""

    f1: float
    precision: float
    recall: float


def score(correct: int, pairs: int, gold: int) -> Score:
    """The score of `pairs` pairs, `correct` of them among the `gold` ones; 0 for no pairs."""
    precision = correct / pairs if pairs else 0.0
    return Score(2 * correct / (pairs + gold), precision, correct / gold)


@dataclass(frozen=True)
class Gold:
    """G: the true pairs of phrases, distinct and sorted."""

    pairs: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> "Gold":
        distinct = {(normalise(source), normalise(target)) for source, target in pairs}
        if not distinct:
            raise InputError("gold: expected pairs of phrases, found none")
        return cls(tuple(sorted(distinct)))

    @cached_property
    def signature(self) -> str:
        return sha256("\n".join("\t".join(pair) for pair in self.pairs).encode()).hexdigest()

    def score(self, pairs: Iterable[tuple[str, str]]) -> Score:
        """The score of these pairs of phrases."""
        distinct = set(pairs)
        return score(len(distinct.intersection(self.pairs)), len(distinct), len(self.pairs))


class GoldLinks:
    """G as phrase numbers, for scoring links without turning them into words."""

    def __init__(self, gold: Gold, source: Phrases, target: Phrases) -> None:
        sources = source.find(e for e, _ in gold.pairs)
        targets = target.find(f for _, f in gold.pairs)
        self._targets = len(target)
        self._size = len(gold.pairs)
        # A pair that is not in the corpora cannot be found, and still counts in |G|.
        self._keys = np.array(
            [
                sources[e] * len(target) + targets[f]
                for e, f in gold.pairs
                if e in sources and f in targets
            ],
            np.int64,
        )

    def right(self, links: Links) -> NDArray[np.float64]:
        """1 for each link that is in G, 0 for the others."""
        keys: NDArray[np.int64] = links.source.astype(np.int64) * self._targets + links.target
        return np.isin(keys, self._keys).astype(np.float64)

    def score(self, links: Links) -> Score:
        return score(int(self.right(links).sum()), len(links), self._size)


def read_gold(path: str | Path) -> Gold:
    """Two tab-separated phrases a line."""
    pairs: list[tuple[str, str]] = []
    for number, line in read_lines(path):
        if not line.strip():
            continue
        columns = line.split("\t")
        if len(columns) != 2 or not all(column.strip() for column in columns):
            raise InputError(
                f"{place(path, number)}: expected two phrases with a tab between them, "
                f"found {line[:60]!r}"
            )
        pairs.append((columns[0], columns[1]))
    if not pairs:
        raise InputError(f"{path}: expected pairs of phrases, a line each, found none")
    return Gold.of(pairs)


def f1_interval(
    correct: int,
    pairs: int,
    gold: int,
    *,
    samples: int = 2000,
    random: int = 0,
) -> tuple[float, float]:
    """The 95% bootstrap interval of F1.

    What is drawn again and again, with replacement, are the pairs that are in D or in G: a draw
    is right (in both), wrong (in D only) or missed (in G only).
    """
    kinds = np.array([correct, pairs - correct, gold - correct])
    generator = np.random.default_rng(random)
    right, wrong, missed = generator.multinomial(kinds.sum(), kinds / kinds.sum(), samples).T
    drawn = 2 * right / (2 * right + wrong + missed)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


class Tenth(NamedTuple):
    """The pairs whose probability is in one of ten bins of equal width."""

    pairs: int
    said: float  # their mean probability
    right: float  # the share that is right


def tenths(probabilities: NDArray[np.float64], right: NDArray[np.float64]) -> list[Tenth]:
    """What pairs say of themselves, and what they are; empty bins have zeros."""
    places = np.minimum((probabilities * 10).astype(int), 9)
    inside = [places == place for place in range(10)]
    return [
        Tenth(int(b.sum()), float(probabilities[b].mean()), float(right[b].mean()))
        if b.any()
        else Tenth(0, 0.0, 0.0)
        for b in inside
    ]


def share_interval(share: float, total: int) -> tuple[float, float]:
    """The 95% interval of a share of so many (Wilson 1927)."""
    z = 1.96
    centre, width = share + z * z / (2 * total), z * z / total
    spread = z * np.sqrt(share * (1 - share) / total + width / (4 * total))
    return float((centre - spread) / (1 + width)), float((centre + spread) / (1 + width))
