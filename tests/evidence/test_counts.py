"""Sparse counts of word pairs."""

import numpy as np

from accord.evidence.counts import Counts


def test_values_of_other_pairs() -> None:
    e, f = np.array([1, 1, 3], np.int32), np.array([4, 5, 4], np.int32)
    counts = Counts(e, f, np.array([2.0, 3.0, 5.0]))
    others = np.array([1, 2, 3, 3], np.int32), np.array([5, 4, 4, 5], np.int32)
    assert counts.values_of(*others).tolist() == [3, 0, 5, 0]
    assert Counts.none().values_of(*others).tolist() == [0] * 4


def test_some_counts_only() -> None:
    e = np.array([1, 2], np.int32)
    kept = Counts(e, e, np.array([0.5, 1.5])).where(np.array([False, True]))
    assert (kept.source.tolist(), kept.target.tolist(), kept.values.tolist()) == ([2], [2], [1.5])
