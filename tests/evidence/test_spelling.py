"""Morphological variants and cognates."""

import numpy as np
import pytest

from accord.corpus.vocabulary import Vocabulary
from accord.evidence.counts import Counts
from accord.evidence.spelling import (
    IDENTICAL,
    are_variants,
    find_cognates,
    find_variants,
    transfer_counts,
)


def variants_of(*words: str) -> dict[tuple[str, str], float]:
    vocabulary = Vocabulary(words)
    found = find_variants(vocabulary).tocoo()
    names = vocabulary.words
    return {
        (names[a], names[b]): float(share)
        for a, b, share in zip(*found.coords, found.data, strict=True)
    }


def test_variants_share_a_prefix() -> None:
    found = variants_of(
        "area", "areas", "arena", "terminate", "termination", "location", "allocation"
    )
    assert found["area", "areas"] == found["areas", "area"] == pytest.approx(8 / 9)
    assert ("terminate", "termination") in found
    assert ("area", "arena") not in found
    assert ("location", "allocation") not in found


def test_short_words_and_numbers_have_no_variants() -> None:
    assert variants_of("an", "and", "any", "2010", "2011", "3,000", "3,001") == {}


def test_two_words_alone_are_variants_as_among_others() -> None:
    words = [
        "area",
        "areas",
        "arena",
        "an",
        "and",
        "2010",
        "2011",
        "文件",
        "文件名",
        "文学",
        "x1",
        "x12",
    ]
    found = set(variants_of(*words))
    assert {(a, b) for a in words for b in words if are_variants(a, b)} == found
    assert len(found) == 4


def test_variants_in_syllabic_scripts_share_any_character() -> None:
    found = variants_of("文件", "文件名", "文学", "账户")
    assert set(found) == {("文件", "文件名"), ("文件名", "文件")}
    assert found["文件", "文件名"] == pytest.approx(4 / 5)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"{stem}{end}" for stem in ("walk", "talk", "paint") for end in ("", "s", "ed", "ing")]
    whole = variants_of(*words)
    monkeypatch.setattr("accord.evidence.spelling.BLOCK", 3)
    assert variants_of(*words) == whole
    assert len(whole) > len(words)


def test_less_is_transferred_if_both_words_are_variants() -> None:
    source, target = Vocabulary(["gebiet", "gebiete"]), Vocabulary(["area", "areas"])
    counts = Counts.total(np.array([1], np.int32), np.array([1], np.int32), np.array([3.0]))
    added = transfer_counts(counts, find_variants(source), find_variants(target), smoothing=1.0)
    assert list(zip(added.source, added.target, strict=True)) == [(1, 2), (2, 1), (2, 2)]
    share, other_share = 8 / 9, 12 / 13
    expected = [0.75 * share, 0.75 * other_share, 0.3 * 0.75 * share * other_share]
    assert added.values == pytest.approx(expected)


def test_counts_are_transferred_to_variants() -> None:
    source, target = Vocabulary(["gebiet", "haus"]), Vocabulary(["area", "areas", "house"])
    counts = Counts.total(
        np.array([0, 1, 2], np.int32), np.array([3, 1, 3], np.int32), np.array([5.0, 3.0, 9.0])
    )
    added = transfer_counts(counts, find_variants(source), find_variants(target), smoothing=1.0)
    # The lexical score of gebiet-area, 3 / √(4·4), is transferred to gebiet-areas; none of NULL.
    assert list(zip(added.source, added.target, strict=True)) == [(1, 2)]
    assert added.values == pytest.approx([0.75 * 8 / 9])
    swapped = transfer_counts(
        Counts.total(counts.target[1:], counts.source[1:], counts.values[1:]),
        find_variants(target),
        find_variants(source),
        smoothing=1.0,
    )
    assert list(zip(swapped.source, swapped.target, strict=True)) == [(2, 1)]


def cognates_of(source: list[str], target: list[str]) -> dict[tuple[str, str], float]:
    one, other = Vocabulary(source), Vocabulary(target)
    found = find_cognates(one, other)
    pairs = zip(found.source, found.target, found.values, strict=True)
    return {(one.words[e], other.words[f]): float(share) for e, f, share in pairs}


def test_cognates() -> None:
    found = cognates_of(
        ["commission", "house", "résumé", "tokyo"], ["Kommission", "haus", "resume"]
    )
    assert set(found) == {("commission", "Kommission"), ("résumé", "resume")}
    # Of <co com omm mmi mis iss ssi sio ion on>, all but the first two.
    assert found["commission", "Kommission"] == pytest.approx(8 / 10)
    assert found["résumé", "resume"] == 1


def test_numbers_and_codes_match_only_themselves() -> None:
    found = cognates_of(["1998", "x86_64", "die"], ["1998", "1999", "x86_32", "die"])
    assert found == {("1998", "1998"): 1 + IDENTICAL}


def test_identical_words_count_for_more_than_cognates() -> None:
    found = cognates_of(["commission", "die", "plan"], ["kommission", "die", "plan"])
    assert found["plan", "plan"] == pytest.approx(1 + IDENTICAL)
    assert 0 < found["commission", "kommission"] < 1
    assert ("die", "die") not in found  # short words are identical by chance


def test_identical_words_of_a_foreign_script_may_be_short() -> None:
    found = cognates_of(["文件", "命令", "安装", "ls", "x"], ["file", "command", "ls", "x"])
    assert found == {("ls", "ls"): IDENTICAL, ("x", "x"): IDENTICAL}


def test_no_cognates() -> None:
    assert cognates_of(["haus"], ["house"]) == {}
    assert cognates_of(["文件"], ["file"]) == {}
