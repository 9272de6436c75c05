"""Links, their intersection and the agreement ratio."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.learning.agreement import agreement_ratio, find_links, intersect
from tests import oracle
from tests.strategies import pairs_of


def numbered(*phrases: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """An alignment as an array, in which entry 0 belongs to the empty phrase."""
    return np.array([0, *phrases], np.int32)


def test_the_papers_example() -> None:
    """m→ = (2, 3, 0, 0) and m← = (0, 1, 2) are the same links {<2, 1>, <3, 2>}."""
    forward, backward = numbered(2, 3, 0, 0), numbered(0, 1, 2)
    assert pairs_of(find_links(forward)) == {(2, 1), (3, 2)}
    assert pairs_of(find_links(backward).swapped()) == {(2, 1), (3, 2)}
    assert pairs_of(intersect(forward, backward)) == {(2, 1), (3, 2)}
    assert agreement_ratio(2, 2, 2) == 1.0


@given(
    st.lists(st.integers(0, 5), min_size=6, max_size=6),
    st.lists(st.integers(0, 6), min_size=5, max_size=5),
)
def test_intersection(forward: list[int], backward: list[int]) -> None:
    found = intersect(numbered(*forward), numbered(*backward))
    one, other = oracle.links(forward), oracle.swapped(oracle.links(backward))
    assert pairs_of(found) == one & other
    assert pairs_of(found.swapped()) == oracle.swapped(one & other)
    assert found.swapped().target.tolist() == sorted(found.source.tolist())
    if one or other:
        ratio = agreement_ratio(len(one), len(other), len(found))
        assert ratio == pytest.approx(oracle.agreement_ratio(one, other))


def test_ratio_without_links() -> None:
    assert agreement_ratio(0, 0, 0) == 0.0
