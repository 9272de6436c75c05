"""Pairs of numbers as keys."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accord.system.arrays import find_keys, pair_keys, split_keys

IDS = st.integers(0, 3) | st.integers(0, 2**31 - 1)
PAIRS = st.lists(st.tuples(IDS, IDS), max_size=20)


def arrays(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    first, second = np.array(pairs, np.int32).reshape(-1, 2).T
    return first, second


@given(PAIRS, PAIRS)
def test_pairs_are_found_by_their_keys(
    pairs: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    known, wanted = sorted(set(pairs)), [*pairs, *others]
    keys = pair_keys(*arrays(known))
    assert keys.tolist() == sorted(keys.tolist())
    first, second = split_keys(keys)
    assert [*zip(first.tolist(), second.tolist(), strict=True)] == known
    places, found = find_keys(keys, pair_keys(*arrays(wanted)))
    assert found.tolist() == [pair in known for pair in wanted]
    for pair, place in zip(wanted, places.tolist(), strict=True):
        assert pair not in known or known[place] == pair
