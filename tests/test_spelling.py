"""Words that are spelt alike."""

import numpy as np
import pytest

from accord.counts import Counts
from accord.phrases import Vocabulary
from accord.spelling import identical_words, lent_counts, relatives_of


def related(*words: str) -> dict[tuple[str, str], float]:
    vocabulary = Vocabulary(words)
    found = relatives_of(vocabulary).tocoo()
    names = vocabulary.words
    return {
        (names[a], names[b]): float(share)
        for a, b, share in zip(*found.coords, found.data, strict=True)
    }


def test_forms_of_a_word_share_their_beginning() -> None:
    found = related("area", "areas", "arena", "terminate", "termination", "location", "allocation")
    assert found["area", "areas"] == found["areas", "area"] == pytest.approx(8 / 9)
    assert ("terminate", "termination") in found
    assert ("area", "arena") not in found
    assert ("location", "allocation") not in found


def test_short_words_and_numbers_have_no_relatives() -> None:
    assert related("an", "and", "any", "2010", "2011", "3,000", "3,001") == {}


def test_syllabic_scripts_share_any_letter() -> None:
    found = related("文件", "文件名", "文学", "账户")
    assert set(found) == {("文件", "文件名"), ("文件名", "文件")}
    assert found["文件", "文件名"] == pytest.approx(4 / 5)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"{stem}{end}" for stem in ("walk", "talk", "paint") for end in ("", "s", "ed", "ing")]
    whole = related(*words)
    monkeypatch.setattr("accord.spelling.BLOCK", 3)
    assert related(*words) == whole
    assert len(whole) > len(words)


def test_pairs_lend_to_the_relatives_of_their_words() -> None:
    source, target = Vocabulary(["gebiet", "haus"]), Vocabulary(["area", "areas", "house"])
    counts = Counts.total(
        np.array([0, 1, 2], np.int32), np.array([3, 1, 3], np.int32), np.array([5.0, 3.0, 9.0])
    )
    lent = lent_counts(counts, relatives_of(source), relatives_of(target), smoothing=1.0)
    # gebiet-area has the strength 3 / √(4·4), and lends it to gebiet-areas. NULL lends nothing.
    assert list(zip(lent.source, lent.target, strict=True)) == [(1, 2)]
    assert lent.values == pytest.approx([0.75 * 8 / 9])
    swapped = lent_counts(
        Counts.total(counts.target[1:], counts.source[1:], counts.values[1:]),
        relatives_of(target),
        relatives_of(source),
        smoothing=1.0,
    )
    assert list(zip(swapped.source, swapped.target, strict=True)) == [(2, 1)]


def test_identical_words_that_the_seed_has_not() -> None:
    source, target = (
        Vocabulary(["berlin", "die", "tokyo", "1998"]),
        Vocabulary(["berlin", "die", "tokyo", "1998"]),
    )
    seed = Counts.total(
        np.array([source.index["tokyo"]], np.int32),
        np.array([target.index["tokyo"]], np.int32),
        np.ones(1),
    )
    found = identical_words(source, target, seed)
    assert [source.words[e] for e in found.source] == ["1998", "berlin"]
    assert found.source.tolist() == found.target.tolist()


def test_no_identical_words() -> None:
    found = identical_words(Vocabulary(["haus"]), Vocabulary(["house"]), Counts.none())
    assert len(found.source) == 0
