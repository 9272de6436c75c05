"""Words that are spelt alike."""

import numpy as np
import pytest

from accord.corpus.vocabulary import Vocabulary
from accord.evidence.counts import Counts
from accord.evidence.spelling import alike_words, lent_counts, relatives_of


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
    monkeypatch.setattr("accord.evidence.spelling.BLOCK", 3)
    assert related(*words) == whole
    assert len(whole) > len(words)


def test_pairs_lend_less_where_both_words_have_another_form() -> None:
    source, target = Vocabulary(["gebiet", "gebiete"]), Vocabulary(["area", "areas"])
    counts = Counts.total(np.array([1], np.int32), np.array([1], np.int32), np.array([3.0]))
    lent = lent_counts(counts, relatives_of(source), relatives_of(target), smoothing=1.0)
    assert list(zip(lent.source, lent.target, strict=True)) == [(1, 2), (2, 1), (2, 2)]
    share, other_share = 8 / 9, 12 / 13
    expected = [0.75 * share, 0.75 * other_share, 0.3 * 0.75 * share * other_share]
    assert lent.values == pytest.approx(expected)


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


def alike(source: list[str], target: list[str]) -> dict[tuple[str, str], float]:
    one, other = Vocabulary(source), Vocabulary(target)
    found = alike_words(one, other)
    pairs = zip(found.source, found.target, found.values, strict=True)
    return {(one.words[e], other.words[f]): float(share) for e, f, share in pairs}


def test_words_of_two_languages_that_are_spelt_alike() -> None:
    found = alike(["commission", "house", "résumé", "tokyo"], ["Kommission", "haus", "resume"])
    assert set(found) == {("commission", "Kommission"), ("résumé", "resume")}
    # Of <co com omm mmi mis iss ssi sio ion on>, all but the first two.
    assert found["commission", "Kommission"] == pytest.approx(8 / 10)
    assert found["résumé", "resume"] == 1


def test_numbers_and_codes_are_like_themselves_only() -> None:
    found = alike(["1998", "x86_64", "die"], ["1998", "1999", "x86_32", "die"])
    assert found == {("1998", "1998"): 1}


def test_no_words_are_alike() -> None:
    assert alike(["haus"], ["house"]) == {}
    assert alike(["文件"], ["file"]) == {}
