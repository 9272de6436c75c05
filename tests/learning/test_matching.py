"""One-to-one matchings, compared with all possible ones."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.learning import matching
from accord.learning.matching import match_exactly, match_greedily

Edge = tuple[tuple[int, int], float]
edges = st.dictionaries(
    st.tuples(st.integers(1, 5), st.integers(1, 5)),
    st.sampled_from([-1.0, 0.5, 1.0, 2.0]) | st.floats(-2, 3),
    min_size=1,
    max_size=9,
)


def as_arrays(graph: dict[tuple[int, int], float]) -> tuple[Any, Any, Any]:
    pairs = sorted(graph)
    return (
        np.array([s for s, _ in pairs], np.int32),
        np.array([t for _, t in pairs], np.int32),
        np.array([graph[pair] for pair in pairs]),
    )


def is_matching(pairs: list[tuple[int, int]]) -> bool:
    return len({s for s, _ in pairs}) == len({t for _, t in pairs}) == len(pairs)


def best_sum(graph: dict[tuple[int, int], float]) -> float:
    """The greatest sum of weights over all matchings."""
    return max(
        sum(graph[pair] for pair in chosen)
        for size in range(len(graph) + 1)
        for chosen in combinations(sorted(graph), size)
        if is_matching(list(chosen))
    )


@given(edges)
def test_exact_is_the_best_of_all(graph: dict[tuple[int, int], float]) -> None:
    source, target, weights = as_arrays(graph)
    chosen = match_exactly(source, target, weights)
    found = list(zip(source[chosen].tolist(), target[chosen].tolist(), strict=True))
    assert is_matching(found)
    assert sum(graph[pair] for pair in found) == pytest.approx(best_sum(graph), abs=1e-6)
    assert all(graph[pair] > 0 for pair in found)


@given(edges)
def test_greedy_is_a_matching_of_at_least_half_the_best(
    graph: dict[tuple[int, int], float],
) -> None:
    source, target, weights = as_arrays(graph)
    chosen = match_greedily(source, target, weights)
    found = list(zip(source[chosen].tolist(), target[chosen].tolist(), strict=True))
    assert is_matching(found)
    assert sum(graph[pair] for pair in found) >= best_sum(graph) / 2 - 1e-9


@given(edges)
def test_sides_may_be_swapped(graph: dict[tuple[int, int], float]) -> None:
    source, target, weights = as_arrays(graph)
    for match in (match_greedily, match_exactly):
        np.testing.assert_array_equal(
            match(source, target, weights), match(target, source, weights)
        )
        # The numbers may be large.
        far = source + 199_990, target + 150_000, weights
        np.testing.assert_array_equal(match(*far), match(far[1], far[0], weights))


def test_large_graphs_are_matched_greedily(monkeypatch: pytest.MonkeyPatch) -> None:
    # The greedy matching takes the pair of weight 3 alone; the exact one has a sum of 4.
    source, target, weights = as_arrays({(1, 1): 2.0, (1, 2): 3.0, (2, 2): 2.0})
    assert match_exactly(source, target, weights).tolist() == [True, False, True]
    monkeypatch.setattr(matching, "MAX_PAIRS", 2)
    assert match_exactly(source, target, weights).tolist() == [False, True, False]


def test_nothing_to_match() -> None:
    source, target, weights = as_arrays({(1, 1): 0.0})
    assert not match_exactly(source, target, weights).any()
    assert not match_greedily(source, target, weights).any()
