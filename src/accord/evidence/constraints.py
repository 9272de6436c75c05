"""Pairs that are known before learning: those reviewers have decided on, and entries of the seed.

An accepted pair of phrases is certain: m_t = s and m_s = t are known, so neither phrase is in
another pair, unless that is accepted as well. A rejected pair has probability 0. A rejected pair
of single words is also rejected as a word pair: it is never counted. An entry of the seed whose two
sides are phrases is always a candidate pair.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.seed import Entry, SeedLexicon
from accord.system.arrays import Ids, Integers, Mask, find_keys, pair_keys


class PairSet(NamedTuple):
    """Distinct pairs of ids, of phrases or of words, sorted by target and then source."""

    source: Ids
    target: Ids

    @classmethod
    def of(cls, source: Integers, target: Integers) -> "PairSet":
        order = np.lexsort((source, target))
        return cls(source[order].astype(np.int32), target[order].astype(np.int32))

    @classmethod
    def from_entries(
        cls, entries: Iterable[Entry], source: Mapping[str, int], target: Mapping[str, int]
    ) -> "PairSet":
        """The entries that have an id on both sides."""
        found = [(source[e], target[f]) for e, f in entries if e in source and f in target]
        return cls.of(*np.array(found, np.int32).reshape(-1, 2).T)

    @property
    def size(self) -> int:
        return len(self.source)

    def swapped(self) -> "PairSet":
        """The same pairs with the two languages exchanged."""
        return PairSet.of(self.target, self.source)

    def where(self, kept: Mask) -> "PairSet":
        """These pairs only."""
        return PairSet(self.source[kept], self.target[kept])

    def contains(self, source: Integers, target: Integers) -> Mask:
        """Which of these pairs are in the set."""
        if not self.size:
            return np.zeros(len(source), np.bool_)
        # Checking each side alone leaves few pairs to look up.
        found = np.isin(source, self.source) & np.isin(target, self.target)
        some = np.flatnonzero(found)
        keys = pair_keys(self.target, self.source)
        found[some] = find_keys(keys, pair_keys(target[some], source[some]))[1]
        return found


NO_PAIRS = PairSet(np.empty(0, np.int32), np.empty(0, np.int32))


class Constraints(NamedTuple):
    """Pairs of phrases: those that reviewers have accepted or rejected, and those of the seed."""

    accepted: PairSet = NO_PAIRS
    rejected: PairSet = NO_PAIRS
    given: PairSet = NO_PAIRS

    @classmethod
    def of(cls, seed: SeedLexicon, source: Phrases, target: Phrases) -> "Constraints":
        """The entries of the seed whose two sides are phrases of the corpora."""
        entries = [*seed.entries, *seed.accepted, *seed.rejected]
        sources, targets = source.find(e for e, _ in entries), target.find(f for _, f in entries)
        return cls(
            PairSet.from_entries(seed.accepted, sources, targets),
            PairSet.from_entries(seed.rejected, sources, targets),
            PairSet.from_entries(dict.fromkeys(seed.entries), sources, targets),
        )

    @property
    def any(self) -> bool:
        """Whether reviewers have decided on any pair."""
        return bool(self.accepted.size or self.rejected.size)

    @property
    def open_given(self) -> PairSet:
        """The entries of the seed on which nobody has decided."""
        return self.given.where(self.leaves_open(self.given.source, self.given.target))

    def swapped(self) -> "Constraints":
        """The same constraints with the two languages exchanged."""
        return Constraints(*(pairs.swapped() for pairs in self))

    def leaves_open(self, source: Integers, target: Integers) -> Mask:
        """Which of these pairs are neither rejected nor have a phrase of an accepted pair."""
        taken = np.isin(source, self.accepted.source) | np.isin(target, self.accepted.target)
        return ~(taken | self.rejected.contains(source, target))


NO_CONSTRAINTS = Constraints()
