"""Scores of phrase pairs against gold pairs, with intervals; and the precision by confidence.

Notation: D  the extracted phrase pairs;  G  the gold pairs;  F1 = 2|D ∩ G| / (|D| + |G|)
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.learning.agreement import Links
from accord.system.arrays import Floats, pair_keys
from accord.system.columns import read_rows, split_pair


class Score(NamedTuple):
    """F1, precision and recall of a set of pairs."""

    f1: float
    precision: float
    recall: float


class Evaluation(NamedTuple):
    """The score of the phrase pairs of a run, with the numbers of pairs."""

    f1: float
    precision: float
    recall: float
    pairs: int
    gold: int


def compute_score(correct: int, pairs: int, gold: int) -> Score:
    """Return the score of `pairs` pairs, `correct` of which are among the `gold` ones."""
    precision = correct / pairs if pairs else 0.0
    return Score(2 * correct / (pairs + gold), precision, correct / gold)


@dataclass(frozen=True)
class Gold:
    """G: the gold pairs of phrases, distinct and sorted."""

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
        """Return the score of these pairs of phrases."""
        distinct = set(pairs)
        return compute_score(len(distinct.intersection(self.pairs)), len(distinct), len(self.pairs))

    def evaluate(self, pairs: Collection[tuple[str, str]]) -> Evaluation:
        """Return the score of these pairs of phrases, and how many pairs there are."""
        return Evaluation(*self.score(pairs), len(pairs), len(self.pairs))


class GoldLinks:
    """G as phrase numbers, to score links without spelling them."""

    def __init__(self, gold: Gold, source: Phrases, target: Phrases) -> None:
        sources = source.find(e for e, _ in gold.pairs)
        targets = target.find(f for _, f in gold.pairs)
        self._size = len(gold.pairs)
        # A gold pair that is not in the corpora cannot be found, but counts in |G|.
        known = [(sources[e], targets[f]) for e, f in gold.pairs if e in sources and f in targets]
        self._keys = pair_keys(*np.array(known, np.int64).reshape(-1, 2).T)

    def mark_right(self, links: Links) -> Floats:
        """Return 1 for each link that is in G, 0 for the others."""
        return np.isin(pair_keys(links.source, links.target), self._keys).astype(np.float64)

    def score(self, links: Links) -> Score:
        return compute_score(int(self.mark_right(links).sum()), len(links), self._size)


def read_gold(path: str | Path) -> Gold:
    """Read two tab-separated phrases per line."""
    pairs = [split_pair(row, "phrases") for row in read_rows(path) if row.text.strip()]
    if not pairs:
        raise InputError(f"{path}: expected pairs of phrases, one per line, found none")
    return Gold.of(pairs)


def estimate_f1_interval(
    correct: int,
    pairs: int,
    gold: int,
    *,
    samples: int = 2000,
    random: int = 0,
) -> tuple[float, float]:
    """Return the 95% bootstrap interval of F1.

    Samples with replacement are drawn from the pairs that are in D or in G, each of which is right
    (in both), wrong (in D only) or missed (in G only).
    """
    kinds = np.array([correct, pairs - correct, gold - correct])
    generator = np.random.default_rng(random)
    right, wrong, missed = generator.multinomial(kinds.sum(), kinds / kinds.sum(), samples).T
    drawn = 2 * right / (2 * right + wrong + missed)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


class ConfidenceBin(NamedTuple):
    """The pairs whose confidence is in one of ten bins of equal width."""

    pairs: int
    confidence: float  # their mean confidence
    precision: float  # the share that is right


def bin_by_confidence(confidence: Floats, right: Floats) -> list[ConfidenceBin]:
    """Return the confidence and the precision of pairs in ten bins; empty bins have zeros."""
    bins = np.minimum((confidence * 10).astype(int), 9)
    masks = [bins == number for number in range(10)]
    return [
        ConfidenceBin(int(b.sum()), float(confidence[b].mean()), float(right[b].mean()))
        if b.any()
        else ConfidenceBin(0, 0.0, 0.0)
        for b in masks
    ]


def estimate_share_interval(share: float, total: int) -> tuple[float, float]:
    """Return the 95% interval of a share of `total` items (Wilson 1927)."""
    from scipy.stats import binomtest  # takes a second to import

    found = binomtest(round(share * total), total).proportion_ci(0.95, method="wilson")
    return float(found.low), float(found.high)
