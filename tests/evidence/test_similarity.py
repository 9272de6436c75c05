"""Nearest words and mutual best matches, against brute force."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.evidence import similarity
from accord.evidence.similarity import (
    Matches,
    Similarity,
    find_mutual_best,
    find_nearest,
    measure_hubness,
)
from accord.system.arrays import Floats32
from accord.system.runners.threads import Threads

SIZES = st.integers(1, 12)
BLOCKS = st.sampled_from([1, 2, 5, 512])


def rows_of(matrix: Floats32, first: int, last: int) -> Floats32:
    return matrix[first:last]


def random_matrix(rows: int, columns: int, seed: int) -> Floats32:
    return np.random.default_rng(seed).normal(size=(rows, columns)).astype(np.float32)


def csls(matrix: Floats32, neighbours: int) -> Floats32:
    """2·sim(x, y) − r(x) − r(y), with the whole matrix in memory."""
    rows = np.sort(matrix, axis=1)[:, -neighbours:].mean(axis=1)
    columns = np.sort(matrix, axis=0)[-neighbours:].mean(axis=0)
    scores: Floats32 = 2 * matrix - rows[:, None] - columns
    return scores


@given(SIZES, SIZES, st.integers(1, 12), BLOCKS, st.integers(0, 99))
def test_hubness_and_mutual_best(
    rows: int, columns: int, neighbours: int, block: int, seed: int
) -> None:
    matrix = random_matrix(rows, columns, seed)
    given_matrix = Similarity(partial(rows_of, matrix), rows, neighbours)
    scores = csls(matrix, neighbours)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarity, "BLOCK", block)
        one, other = measure_hubness(given_matrix, Threads(2))
        found = find_mutual_best(given_matrix, Threads(2))
    np.testing.assert_allclose(2 * matrix - one[:, None] - other, scores, rtol=1e-4, atol=1e-5)
    expected = [
        (row, column)
        for row, column in enumerate(scores.argmax(axis=1).tolist())
        if scores[:, column].argmax() == row
    ]
    assert [*zip(found.rows.tolist(), found.columns.tolist(), strict=True)] == expected
    np.testing.assert_allclose(found.scores, scores[found.rows, found.columns], atol=1e-5)


@given(SIZES, SIZES, st.integers(1, 12), BLOCKS, st.integers(0, 99))
def test_nearest_in_either_direction(
    rows: int, columns: int, count: int, block: int, seed: int
) -> None:
    matrix = random_matrix(rows, columns, seed)
    scores = csls(matrix, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similarity, "BLOCK", block)
        given_matrix = Similarity(partial(rows_of, matrix), rows, 3)
        hubness = measure_hubness(given_matrix, Threads(2))
        found = find_nearest(given_matrix, hubness, count, Threads(2))
    by_row = np.argsort(-scores, axis=1)[:, :count]
    by_column = np.argsort(-scores, axis=0)[:count]
    expected = {(row, column) for row in range(rows) for column in by_row[row].tolist()}
    expected |= {(row, column) for column in range(columns) for row in by_column[:, column]}
    entries = found.tocoo()
    row, column = entries.coords
    assert {*zip(row.tolist(), column.tolist(), strict=True)} == expected
    assert len(entries.data) == len(expected)
    np.testing.assert_allclose(entries.data, scores[row, column], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("block", [1, 2, 512])
def test_ties_go_to_the_first_word(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(similarity, "BLOCK", block)
    matrix = np.ones((4, 3), np.float32)
    found = find_mutual_best(Similarity(partial(rows_of, matrix), 4, 2), Threads(1))
    assert (found.rows.tolist(), found.columns.tolist()) == ([0], [0])


def test_the_best_matches() -> None:
    scores = np.array([0.1, 0.3, 0.3, 0.2], np.float32)
    matches = Matches(np.arange(4), np.arange(4)[::-1], scores)
    assert matches.take_best(3).rows.tolist() == [1, 2, 3]
    assert matches.take_best(9).columns.tolist() == [2, 1, 0, 3]
    assert len(Matches.none().take_best(3).rows) == 0
