"""Pairs that people have judged, by number.

An accepted pair of phrases is certain: m_t = s and m_s = t are known, so that neither phrase is in
another pair, unless that is accepted, too. A rejected pair has the probability 0. A rejected pair
of single words is rejected as a pair of words as well: no count of it is ever taken.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.evidence.seed import Entry, SeedLexicon

Numbers = NDArray[np.integer[Any]]


class PairSet(NamedTuple):
    """Distinct pairs of numbers, of phrases or of words, by the target and then the source."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]

    @classmethod
    def of(cls, source: Numbers, target: Numbers) -> "PairSet":
        order = np.lexsort((source, target))
        return cls(source[order].astype(np.int32), target[order].astype(np.int32))

    @classmethod
    def numbered(
        cls, entries: Iterable[Entry], source: Mapping[str, int], target: Mapping[str, int]
    ) -> "PairSet":
        """Those of these pairs that have a number on both sides."""
        found = [(source[e], target[f]) for e, f in entries if e in source and f in target]
        return cls.of(*np.array(found, np.int32).reshape(-1, 2).T)

    @property
    def size(self) -> int:
        return len(self.source)

    def swapped(self) -> "PairSet":
        return PairSet.of(self.target, self.source)

    def among(self, source: Numbers, target: Numbers) -> NDArray[np.bool_]:
        """Which of these pairs are here."""
        if not self.size:
            return np.zeros(len(source), np.bool_)
        # One side alone leaves few to look at closely.
        found = np.isin(source, self.source) & np.isin(target, self.target)
        some = np.flatnonzero(found)
        found[some] = np.isin(_keys(source[some], target[some]), _keys(*self))
        return found


NO_PAIRS = PairSet(np.empty(0, np.int32), np.empty(0, np.int32))


class Judged(NamedTuple):
    """The pairs of phrases that people have accepted, and those that they have rejected."""

    accepted: PairSet = NO_PAIRS
    rejected: PairSet = NO_PAIRS

    @classmethod
    def of(cls, seed: SeedLexicon, source: Phrases, target: Phrases) -> "Judged":
        """Those judged entries of the seed of which both sides are phrases."""
        if not seed.accepted and not seed.rejected:
            return NOTHING
        entries = [*seed.accepted, *seed.rejected]
        sources, targets = source.find(e for e, _ in entries), target.find(f for _, f in entries)
        return cls(
            PairSet.numbered(seed.accepted, sources, targets),
            PairSet.numbered(seed.rejected, sources, targets),
        )

    @property
    def any(self) -> bool:
        return bool(self.accepted.size or self.rejected.size)

    def swapped(self) -> "Judged":
        return Judged(self.accepted.swapped(), self.rejected.swapped())

    def open(self, source: Numbers, target: Numbers) -> NDArray[np.bool_]:
        """Which of these pairs people have left open: not rejected, nor with a phrase of a pair
        that is certain."""
        taken = np.isin(source, self.accepted.source) | np.isin(target, self.accepted.target)
        return ~(taken | self.rejected.among(source, target))


NOTHING = Judged()


def _keys(source: Numbers, target: Numbers) -> NDArray[np.int64]:
    keys: NDArray[np.int64] = (source.astype(np.int64) << 32) + target
    return keys
