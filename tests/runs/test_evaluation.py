"""F1 by sets of words and by numbers, which must be the same."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.learning.agreement import Links
from accord.runs.evaluation import Gold, GoldLinks, compute_score, read_gold

SOURCE = Phrases.of(["a", "b", "c d"])
TARGET = Phrases.of(["x", "y", "z w"])


def test_score() -> None:
    assert compute_score(3, 4, 6) == (0.6, 0.75, 0.5)
    assert compute_score(0, 0, 6) == (0.0, 0.0, 0.0)


def test_a_gold_pair_that_is_not_in_the_corpora_counts() -> None:
    gold = Gold.of([("a", "x"), ("q", "x")])
    links = Links.certain(np.array([1], np.int32), np.array([1], np.int32))
    assert GoldLinks(gold, SOURCE, TARGET).score(links) == compute_score(1, 1, 2)


@given(
    st.sets(st.tuples(st.integers(1, 3), st.integers(1, 3))),
    st.sets(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1),
)
def test_links_and_words_score_alike(
    found: set[tuple[int, int]], true: set[tuple[int, int]]
) -> None:
    gold = Gold.of((SOURCE[s], TARGET[t]) for s, t in true)
    pairs = sorted(found)
    links = Links.certain(
        np.array([s for s, _ in pairs], np.int32), np.array([t for _, t in pairs], np.int32)
    )
    by_number = GoldLinks(gold, SOURCE, TARGET).score(links)
    assert by_number == gold.score((SOURCE[s], TARGET[t]) for s, t in pairs)
    assert by_number == compute_score(len(found & true), len(found), len(true))


def test_reading(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("a  b\tx\r\n\na b\tx\n", encoding="utf-8")
    assert read_gold(tmp_path / "gold").pairs == (("a b", "x"),)


@pytest.mark.parametrize("line", ["a x", "a\t", "a\tx\t1"])
def test_a_line_without_two_phrases(tmp_path: Path, line: str) -> None:
    (tmp_path / "gold").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="gold, line 2: expected two tab-separated phrases"):
        read_gold(tmp_path / "gold")


def test_no_gold(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="gold: expected pairs of phrases, one per line, found no"):
        read_gold(tmp_path / "gold")
    with pytest.raises(InputError, match="gold: expected pairs of phrases, found none"):
        Gold.of([])
