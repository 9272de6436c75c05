"""Sparse counts of word pairs: c(f|e) of Eq. 26 and 32, and σ."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from accord.system.arrays import Floats, Ids, Mask, find_keys, pair_keys


class Counts(NamedTuple):
    """A count for each pair of a source word e and a target word f, sorted by e and then f."""

    source: Ids
    target: Ids
    values: Floats

    def where(self, kept: Mask) -> "Counts":
        """Return these counts only."""
        return Counts(self.source[kept], self.target[kept], self.values[kept])

    def values_of(self, source: Ids, target: Ids) -> Floats:
        """The values of these pairs, 0 for pairs that are not counted."""
        values = np.zeros(len(source))
        keys = pair_keys(self.source, self.target)
        places, known = find_keys(keys, pair_keys(source, target))
        values[known] = self.values[places[known]]
        return values

    def has(self, source: Ids, target: Ids) -> Mask:
        """Which of these pairs are counted."""
        keys = pair_keys(self.source, self.target)
        return find_keys(keys, pair_keys(source, target))[1]

    @classmethod
    def none(cls) -> "Counts":
        return cls(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0))

    @classmethod
    def total(cls, source: Ids, target: Ids, values: Floats) -> "Counts":
        """Sum the values of equal pairs. The sort is stable, so the order of each sum is fixed."""
        order = np.lexsort((target, source))
        source, target, values = source[order], target[order], values[order]
        new = np.ones(len(order), bool)
        new[1:] = (np.diff(source) != 0) | (np.diff(target) != 0)
        begins = np.flatnonzero(new)
        sums = np.add.reduceat(values, begins) if len(begins) else values
        return cls(source[begins], target[begins], sums)

    @classmethod
    def sum(cls, counts: Sequence["Counts"]) -> "Counts":
        """Add up several counts."""
        return cls.total(*(np.concatenate(part) for part in zip(*counts, strict=True)))

    def plus(self, other: "Counts") -> "Counts":
        return Counts.sum([self, other]) if len(other.source) else self

    def times(self, factor: float) -> "Counts":
        return self._replace(values=self.values * factor)

    def swapped(self) -> "Counts":
        """The same counts with the two languages exchanged."""
        return Counts.total(self.target, self.source, self.values)
