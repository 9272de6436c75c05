"""Margins of word pairs, against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from accord.evidence.competition import MAX_MARGIN, measure_margins
from accord.evidence.counts import Counts

WORDS = 5
Forms = dict[int, set[int]]
FORMS = st.dictionaries(st.integers(1, WORDS - 1), st.sets(st.integers(1, WORDS - 1)))
PAIRS = st.dictionaries(
    st.tuples(st.integers(1, WORDS - 1), st.integers(1, WORDS - 1)),
    st.floats(-9, 9, width=16),
    min_size=1,
)


def to_matrix(forms: Forms) -> csr_array:
    matrix = np.zeros((WORDS, WORDS), np.float32)
    for word, others in forms.items():
        matrix[word, [other for other in others if other != word]] = 0.7
    return csr_array(matrix)


def clip(margin: float) -> float:
    return min(max(margin, -MAX_MARGIN), MAX_MARGIN)


@given(PAIRS, FORMS, FORMS)
def test_margins_are_those_of_plain_loops(
    odds: dict[tuple[int, int], float], one: Forms, other: Forms
) -> None:
    e, f = np.array(sorted(odds), np.int32).T
    counts = Counts(e, f, np.array([odds[pair] for pair in sorted(odds)]))
    found = measure_margins(counts, (to_matrix(one), to_matrix(other)))
    for n, (a, b) in enumerate(sorted(odds)):
        own = odds[a, b]
        competing = [(c, d) for c, d in odds if (c == a) != (d == b)]
        best = [
            max([0.0, *(odds[c, d] for c, d in competing if (c == a, d == b)[side])])
            for side in (0, 1)
        ]
        assert found.others[n] == pytest.approx(sum(clip(own - value) for value in best))
        forms = [(c, b) for c in one.get(a, ()) if c != a]
        forms += [(a, d) for d in other.get(b, ()) if d != b]
        best_form = max([0.0, *(odds.get(pair, 0.0) for pair in forms)])
        assert found.forms[n] == pytest.approx(clip(own - best_form))


def test_without_spelling_there_are_no_forms() -> None:
    counts = Counts(np.ones(1, np.int32), np.ones(1, np.int32), np.array([2.0]))
    found = measure_margins(counts, None)
    assert (found.forms.tolist(), found.others.tolist()) == ([2.0], [4.0])
