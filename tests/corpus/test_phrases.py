"""Corpora: numbering, normalisation, lines that are left out, and the arrays."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.loading import OTHER_SPACES, LineCounts, LoadedCorpus, load_phrases, read_phrases
from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, normalise
from accord.errors import InputError
from accord.system import reading
from tests import oracle
from tests.strategies import SOURCE_WORDS, corpora, odd_lines


def test_numbers_are_sorted_and_zero_is_empty() -> None:
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
        patch.setattr("accord.corpus.phrases.BLOCK", size)
        blocks = Phrases(phrases.vocabulary, phrases.words, phrases.offsets).blocks
    numbers = [n for block in blocks for n in block.phrases.tolist()]
    assert numbers == sorted(range(1, len(phrases)), key=lambda n: (-phrases.lengths[n], n))
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


def test_lines_that_are_left_out_are_counted() -> None:
    lines = ["a b", " a  b ", "", "   ", "a b c d", "e\u0301", "\u00e9", "c"]
    phrases, counts, _ = load_phrases(lines, 3, "here")
    assert sorted(phrases.numbers) == ["a b", "c", "\u00e9"]
    assert counts.lines == 8
    assert (counts.phrases, counts.duplicates, counts.empty, counts.too_long) == (3, 2, 2, 1)
    assert str(counts) == "3 phrases (left out: 2 duplicate, 2 empty, 1 too long)"
    assert str(load_phrases(["a"], 3, "here").lines) == "1 phrase"


def test_a_phrase_of_max_words_is_kept() -> None:
    assert len(load_phrases(["a b c"], 3, "here").phrases) == 2


def test_no_phrases_is_an_error() -> None:
    message = (
        r"here: expected one phrase per line, "
        r"found none \(2 lines, 1 empty, 1 of more than 1 words\)"
    )
    with pytest.raises(InputError, match=message):
        load_phrases(["", "a b"], 1, "here")


def test_normalise() -> None:
    assert normalise(" e\u0301\u3000b\u00a0c ") == "\u00e9 b c"


def test_the_signature_does_not_depend_on_the_order() -> None:
    assert Phrases.of(["a", "b c"]).signature == Phrases.of(["b c", "a"]).signature
    assert Phrases.of(["a", "b c"]).signature != Phrases.of(["a b", "c"]).signature


def are_the_same(loaded: LoadedCorpus, lines: list[str]) -> None:
    phrases = loaded.phrases
    plain = oracle.take_in(lines, 3)
    assert [phrases[number] for number in range(1, len(phrases))] == plain.phrases
    assert phrases.numbers == {text: number for number, text in enumerate(plain.phrases, 1)}
    assert phrases.vocabulary.words == ("", *plain.words)
    assert phrases.signature == plain.signature
    expected = (len(plain.phrases), plain.duplicates, plain.empty, plain.too_long)
    assert loaded.lines == LineCounts(len(lines), *expected)


@given(odd_lines())
def test_any_text_equals_a_plain_loop(lines: list[str]) -> None:
    lines = ["one phrase", *lines]
    are_the_same(load_phrases(lines, 3, "here"), lines)


@given(odd_lines(), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.integers(1, 3))
def test_any_file_equals_a_plain_loop(
    lines: list[str], line_end: str, ended: bool, block: int
) -> None:
    # A tab inside is an error, and a line feed ends the line.
    lines = ["one phrase", *(line.replace("\t", " ").replace("\n", " ") for line in lines), "x"]
    text = line_end.join(lines) + line_end * ended
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", block)
        path = Path(folder) / "lines.txt"
        path.write_bytes(text.encode("utf-8-sig"))
        are_the_same(read_phrases(path, 3), lines)


def test_python_strings_with_line_feeds_and_lone_surrogates() -> None:
    phrases, counts, _ = load_phrases(["a\nb", "a b", "\udc80"], 3, "here")
    assert list(phrases.numbers) == ["a b", "\udc80"]
    assert counts.lines == 3


@pytest.mark.parametrize("text", ["e\u0301", "\u00e9\r", "\u00e9\u3000", "\u00e9"])
def test_files_are_normalised(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_bytes(f"{text}\nb\n".encode())
    assert list(read_phrases(tmp_path / "a", 3)[0].numbers) == ["b", "\u00e9"]


def test_all_white_space_is_known() -> None:
    spaces = {character for character in map(chr, range(sys.maxunicode + 1)) if character.isspace()}
    assert spaces == {" ", "\n", *OTHER_SPACES}
    assert all(f"a{space}b".split() == ["a", "b"] for space in spaces)


def test_phrases_are_sorted_as_strings_not_by_words() -> None:
    """The word "a" comes before "a\\x01", the phrase "a b" after it."""
    texts = ["a b", "a\x01", "a\x01 b", "a", "a\x01\x02", "ab"]
    phrases = Phrases.of(texts)
    assert [phrases[number] for number in range(1, len(phrases))] == sorted(texts)


def test_tabs_at_the_edges_are_not_columns(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("\ta b\t\n" * 3 + "c\td\n")
    with pytest.raises(
        InputError, match="a, line 4: expected a phrase, found tab-separated columns"
    ):
        read_phrases(tmp_path / "a", 3)
    (tmp_path / "a").write_text("\ta b\t\n")
    assert list(read_phrases(tmp_path / "a", 3)[0].numbers) == ["a b"]


@given(corpora(SOURCE_WORDS), st.lists(st.sampled_from(["a", "b a", "a b", "c c", "", "z", "a z"])))
def test_find(phrases: Phrases, texts: list[str]) -> None:
    numbers = phrases.numbers
    assert phrases.find(texts) == {text: numbers[text] for text in texts if text in numbers}
    assert phrases.find(numbers) == numbers


def test_an_empty_corpus() -> None:
    phrases = Phrases.of([])
    assert len(phrases) == 1
    assert phrases.find(["a"]) == phrases.numbers == {}


@given(corpora(SOURCE_WORDS), corpora(SOURCE_WORDS))
def test_merge(one: Phrases, other: Phrases) -> None:
    both, *numbers = one.merge(other)
    expected = Phrases.of({*one.texts(), *other.texts()})
    assert [*both.texts()] == [*expected.texts()]
    assert both.vocabulary.words == expected.vocabulary.words
    for side, number in zip((one, other), numbers, strict=True):
        assert [both[n] for n in number.tolist()] == ["", *side.texts()]


def test_merged_phrases_have_only_their_words() -> None:
    one = Phrases.of(["b"]).with_history(Phrases.of(["a z"]))
    assert one.merge(Phrases.of(["c"]))[0].vocabulary.words == ("", "b", "c")
