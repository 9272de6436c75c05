"""The kernels that turn text into numbers, compared with plain loops."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus import numbering_kernels as kernels
from accord.corpus.numbering import NumberedText, number_words, sort_phrases
from accord.system.arrays import offsets_of
from tests import oracle

texts = st.lists(st.text("abé ", max_size=6)).map(lambda lines: "".join(f"{x}\n" for x in lines))
numbers = st.lists(st.integers(0, 4), max_size=12)
phrases = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple), max_size=9)


def arrays(items: list[oracle.Phrase]) -> tuple[np.ndarray, np.ndarray]:
    """Return the words of the phrases as 0, 1, 2, and the lengths of the phrases."""
    words = ["abc".index(word) for item in items for word in item]
    return np.array(words, np.int32), np.array([len(item) for item in items], np.int32)


def items_of(words: np.ndarray, ends: np.ndarray) -> list[oracle.Phrase]:
    pieces = np.split(words, ends)[:-1]
    return [tuple("abc"[word] for word in piece) for piece in pieces]


@given(texts)
def test_number_words(text: str) -> None:
    found = number_words(bytearray(text.encode()))
    words, lengths, distinct = oracle.number_words(text.encode())
    assert found.words.tolist() == words
    assert found.lengths.tolist() == lengths
    assert [word.encode() for word in found.distinct] == distinct


def test_number_words_grows_its_table() -> None:
    words = [f"w{number}" for number in range(3 * kernels.ROOM)]
    found = number_words(bytearray(" ".join([*words, *reversed(words), "\n"]).encode()))
    assert found.distinct == words
    assert found.words.tolist() == [*range(len(words)), *reversed(range(len(words)))]


def test_words_with_the_same_hash_are_distinguished() -> None:
    text = np.frombuffer(bytearray(b"ab abc ac ab"), np.uint8)
    spans = np.array([[0, 2]])
    half = np.int64(1 << 32)
    slots = np.zeros(4, np.int64)
    slots[1] = half | 1
    for begin, end, slot in [(3, 6, 2), (3, 4, 2), (7, 9, 2), (10, 12, 1)]:
        assert kernels.find_word(text, begin, end, half, spans, slots) == slot


@given(numbers)
def test_sort_by_number(values: list[int]) -> None:
    offsets, order = kernels.sort_by_number(np.array(values, np.int32), 5)
    assert (offsets.tolist(), order.tolist()) == oracle.sort_by_number(values, 5)


@given(phrases)
def test_sort_phrases(items: list[oracle.Phrase]) -> None:
    order = sort_phrases(*arrays(items), 3)
    assert order.tolist() == sorted(range(len(items)), key=items.__getitem__)


@given(phrases)
def test_select_distinct(items: list[oracle.Phrase]) -> None:
    words, lengths = arrays(items)
    order = sorted(range(len(items)), key=items.__getitem__)
    found = kernels.select_distinct(words, offsets_of(lengths), np.array(order, np.int32))
    kept = items_of(*found[:2])
    assert kept == oracle.distinct_in_order(items, order)
    assert [kept[item] for item in found[2]] == items


@given(phrases)
def test_index_words(items: list[oracle.Phrase]) -> None:
    words, lengths = arrays(items)
    offsets, places, counts = kernels.index_words(words, offsets_of(lengths), 3)
    for word, letter in enumerate("abc"):
        row = slice(offsets[word], offsets[word + 1])
        found = dict(zip(places[row].tolist(), counts[row].tolist(), strict=True))
        assert found == oracle.occurrences(items, letter)


@given(phrases)
def test_spell_items(items: list[oracle.Phrase]) -> None:
    words, lengths = arrays(items)
    letters, bounds = np.frombuffer(bytearray(b"abc"), np.uint8), np.arange(4)
    text = kernels.spell_items(words, offsets_of(lengths), 0, len(items), letters, bounds)
    assert text.tobytes().decode() == "".join(" ".join(item) + "\n" for item in items)


def test_select() -> None:
    given = NumberedText(["a", "b", "c"], np.array([0, 1, 2, 0], np.int32), np.array([1, 1, 0, 2]))
    kept = given.select(np.array([True, False, False, True]))
    assert kept.distinct == ["a", "c"]
    assert kept.words.tolist() == [0, 1, 0]
    assert kept.lengths.tolist() == [1, 2]
