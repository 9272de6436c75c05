"""Corpora: numbering, normalising, what is left out, and the arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InputError
from accord.phrases import NULL, Phrases, normalise, take_in
from tests.strategies import SOURCE_WORDS, corpora


def test_numbers_follow_the_alphabet_and_zero_is_nothing() -> None:
    phrases = Phrases.of(["b c", "a", "b"])
    assert [phrases[number] for number in range(len(phrases))] == ["", "a", "b", "b c"]
    assert phrases.vocabulary.words == ("", "a", "b", "c")
    assert phrases.lengths.tolist() == [0, 1, 1, 2]
    assert phrases.vocabulary.words[NULL] == ""
    assert phrases.numbers == {"a": 1, "b": 2, "b c": 3}
    assert phrases.words.dtype == np.dtype(np.int32)
    assert phrases.offsets.dtype == np.dtype(np.int64)


@given(corpora(SOURCE_WORDS), st.sampled_from([1, 2, 100]))
def test_blocks_hold_all_phrases_by_length(phrases: Phrases, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.phrases.BLOCK", size)
        blocks = Phrases(phrases.vocabulary, phrases.words, phrases.offsets).blocks
    numbers = [n for block in blocks for n in block.phrases.tolist()]
    assert numbers == sorted(range(1, len(phrases)), key=lambda n: (phrases.lengths[n], n))
    for block in blocks:
        assert set(phrases.lengths[block.phrases].tolist()) == {block.length}
        assert len(block.phrases) <= size
        for word, text in enumerate(phrases.vocabulary.words[1:], start=1):
            row = slice(block.offsets[word], block.offsets[word + 1])
            found = zip(block.places[row].tolist(), block.counts[row].tolist(), strict=True)
            counts = [phrases[n].split().count(text) for n in block.phrases.tolist()]
            assert list(found) == [(n, count) for n, count in enumerate(counts) if count]


@given(corpora(SOURCE_WORDS))
def test_occurrences(phrases: Phrases) -> None:
    for word, text in enumerate(phrases.vocabulary.words[1:], start=1):
        having = [n for n in range(1, len(phrases)) if text in phrases[n].split()]
        assert phrases.occurrences[word] == len(having)


def test_what_is_left_out_is_counted() -> None:
    lines = ["a b", " a  b ", "", "   ", "a b c d", "e\u0301", "\u00e9", "c"]
    phrases, intake = take_in(lines, 3, "here")
    assert sorted(phrases.numbers) == ["a b", "c", "\u00e9"]
    assert intake.lines == 8
    assert (intake.phrases, intake.duplicates, intake.empty, intake.too_long) == (3, 2, 2, 1)
    assert str(intake) == "3 phrases (left out: 2 duplicate, 2 empty, 1 too long)"
    assert str(take_in(["a"], 3, "here")[1]) == "1 phrase"


def test_exactly_the_longest_is_kept() -> None:
    assert len(take_in(["a b c"], 3, "here")[0]) == 2


def test_no_phrases_is_an_error() -> None:
    message = r"here: expected phrases, .* found none \(2 lines, 1 empty, 1 of more than 1 words\)"
    with pytest.raises(InputError, match=message):
        take_in(["", "a b"], 1, "here")


def test_normalise() -> None:
    assert normalise(" e\u0301\u3000b\u00a0c ") == "\u00e9 b c"


def test_signature_is_of_the_phrases_not_of_their_order() -> None:
    assert Phrases.of(["a", "b c"]).signature == Phrases.of(["b c", "a"]).signature
    assert Phrases.of(["a", "b c"]).signature != Phrases.of(["a b", "c"]).signature
