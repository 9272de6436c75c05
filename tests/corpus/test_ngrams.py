"""Phrases in running text: frequent n-grams, which of them are phrases, and their contexts."""

from collections import Counter
from itertools import product
from math import log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.text import ngrams as grams
from accord.corpus.text.chunks import find_function_words, measure_cohesion, select_phrases
from accord.corpus.text.concordance import find_contexts
from accord.corpus.text.ngrams import GramLevel, Text, find_frequent_grams, spell_grams
from accord.corpus.text.tokens import read_text
from accord.errors import InputError
from accord.system.processes import in_order
from tests import text_oracle

LINES = st.lists(st.lists(st.sampled_from(["a", "b", "c", "d", ".", "7"]), max_size=8), max_size=12)


def text_of(lines: list[list[str]]) -> Text:
    """The same as `read_text` returns, by a plain loop."""
    numbers: dict[str, int] = {}
    tokens = []
    for line in lines:
        for token in line:
            tokens.append(numbers.setdefault(token, len(numbers)) if token.isalpha() else -1)
        tokens.append(-2)
    return Text(list(numbers), np.array(tokens, np.int32))


def counted_grams(lines: list[list[str]], longest: int) -> Counter[str]:
    counts = text_oracle.counted_grams(lines, longest)
    return Counter({" ".join(gram): count for gram, count in counts.items()})


def with_counts(text: Text, levels: list[GramLevel]) -> dict[str, int]:
    found: dict[str, int] = {}
    for n, level in enumerate(levels, 1):
        names = spell_grams(text, levels[:n], np.arange(len(level.counts)))
        assert len(set(names)) == len(names)
        found |= dict(zip(names, level.counts.tolist(), strict=True))
    return found


@given(LINES, st.integers(1, 4), st.integers(1, 3), st.sampled_from([1, 3, 1000]))
def test_frequent_grams_are_those_counted(
    lines: list[list[str]], longest: int, least: int, at_a_time: int
) -> None:
    text = text_of(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grams, "AT_A_TIME", at_a_time)
        levels = find_frequent_grams(text, longest, least)
    assert len(levels) == longest or (len(levels) < longest and not len(levels[-1].counts))
    expected = {g: n for g, n in counted_grams(lines, longest).items() if n >= least}
    assert with_counts(text, levels) == expected


@given(LINES, st.integers(1, 2))
def test_read_text_is_the_plain_loop(lines: list[list[str]], jobs: int) -> None:
    text = "".join(" ".join(line) + "\n" for line in lines)
    expected = text_of(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.corpus.text.tokens.CHUNK", 5)
        patch.setattr("accord.corpus.text.tokens.read_blocks", lambda _: enumerate(blocks_of(text)))
        patch.setattr(
            "accord.corpus.text.tokens.in_order", lambda task, chunks, _: map(task, chunks)
        )
        if not expected.words:
            with pytest.raises(InputError, match=r"some\.txt: expected text, found no words"):
                read_text(["some.txt"], str, jobs, int)
            return
        read: list[int] = []
        found = read_text(["some.txt"], str, jobs, read.append)
    assert found.words == expected.words
    assert found.tokens.tolist() == expected.tokens.tolist()
    assert sum(read) == len(text)


def blocks_of(text: str) -> list[str]:
    """One block per line."""
    return text.splitlines(keepends=True)


def test_processes_keep_the_order() -> None:
    chunks = [str(number) * 3 for number in range(40)]
    assert list(in_order(len, chunks, 2)) == [len(chunk) for chunk in chunks]
    assert list(in_order(str.upper, iter("abcdefgh"), 2)) == list("ABCDEFGH")


def test_cohesion_is_the_least_over_all_splits() -> None:
    lines = [["a", "b", "c"]] * 3 + [["a", "b"]] * 2 + [["c"]] * 4 + [["d", "d"]] * 5
    text = text_of(lines)
    levels = find_frequent_grams(text, 3, 1)
    counts = counted_grams(lines, 3)
    total = sum(map(len, lines))

    def measure(one: str, other: str) -> float:
        joint = counts[f"{one} {other}"]
        return log(joint * total / (counts[one] * counts[other])) / log(total / joint)

    (whole,) = measure_cohesion(levels, total)
    assert whole == pytest.approx(min(measure("a", "b c"), measure("a b", "c")))
    names = spell_grams(text, levels[:2], np.arange(3))
    pairs = dict(zip(names, measure_cohesion(levels[:2], total), strict=True))
    assert pairs["a b"] == pytest.approx(measure("a", "b"))


def synthetic_text() -> Text:
    """A text in which the article is everywhere, while content words come in bursts."""
    generator = np.random.default_rng(0)
    fillers = ["".join(letters) for letters in product("bcdfghjklmnpqrstvwxyz", repeat=3)]
    lines = []
    for topic in range(60):
        burst = ["red planet", "solid rock core", "planet"] if topic % 6 == 0 else []
        for _ in range(60):
            line = [fillers[n] for n in generator.integers(len(fillers), size=8)]
            for place in (6, 4, 2):
                line.insert(place, "the")
            if burst:
                line[5:5] = burst[generator.integers(len(burst))].split()
            lines.append(line)
    return text_of(lines)


def test_the_topic_of_a_text_is_not_a_function_word() -> None:
    """It may be everywhere, but does not avoid either end of a line."""
    generator = np.random.default_rng(0)
    fillers = ["".join(letters) for letters in product("bcdfghjklmnpqrstvwxyz", repeat=3)]
    lines = []
    for _ in range(3000):
        line = [fillers[n] for n in generator.integers(len(fillers), size=6)]
        line.insert(int(generator.integers(7)), "topic")
        line.insert(int(generator.integers(7)), "the")
        lines.append(line)
    assert function_names(lines) == {"the"}
    assert function_names([line[::-1] for line in lines]) == {"the"}


def function_names(lines: list[list[str]]) -> set[str]:
    text = text_of(lines)
    return {text.words[n] for n in np.flatnonzero(find_function_words(text))}


def test_function_words_are_frequent_and_everywhere() -> None:
    text = synthetic_text()
    assert [text.words[n] for n in np.flatnonzero(find_function_words(text))] == ["the"]


def test_chunks_are_complete_and_cohesive() -> None:
    text = synthetic_text()
    levels = find_frequent_grams(text, 4, 5)
    kept = select_phrases(text, levels)
    assert len(kept) == 3
    phrases = [
        set(spell_grams(text, levels[:n], np.flatnonzero(chosen)))
        for n, chosen in enumerate(kept, 1)
    ]
    assert "red planet" in phrases[1]
    assert "solid rock core" in phrases[2]
    # Neither fragments, which occur only within longer phrases, nor function words at either end.
    assert not {"solid rock", "rock core"} & phrases[1]
    assert not {"solid", "rock", "core", "red", "the"} & phrases[0]
    assert not any(f" {phrase} ".count(" the ") for phrase in phrases[1] if phrase != "the")
    # A word that also occurs elsewhere is not a fragment.
    assert "planet" in phrases[0]


@given(LINES, st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), max_size=5))
def test_contexts_are_the_first_lines_with_the_phrase(
    lines: list[list[str]], wanted: list[list[str]]
) -> None:
    phrases = [" ".join(phrase) for phrase in wanted]
    text = "".join(" ".join(line) + "\n" for line in lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.corpus.text.tokens.CHUNK", 20)
        patch.setattr("accord.corpus.text.tokens.read_blocks", lambda _: enumerate(blocks_of(text)))
        found = find_contexts(phrases, ["some.txt"], str, 1, int) if phrases else {}
    for phrase in phrases:
        having = [line for line in lines if f" {phrase} " in f" {' '.join(line)} "][:3]
        assert len(found.get(phrase, [])) == len(having)
        for snippet, line in zip(found.get(phrase, []), having, strict=True):
            assert f"[{phrase}]" in snippet
            assert snippet.replace("[", "").replace("]", "") == " ".join(line)


def test_a_snippet_is_cut_on_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text(" ".join(f"w{n}" for n in range(40)), encoding="utf-8")
    (snippet,) = find_contexts(["w20 w21"], [path], str, 1, int)["w20 w21"]
    before, after = (" ".join(f"w{n}" for n in some) for some in (range(12, 20), range(22, 30)))
    assert snippet == f"{before} [w20 w21] {after}"


def test_a_binary_file_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"abc\0def\n")
    with pytest.raises(InputError, match="text: expected text, found zero bytes; is it a binary"):
        read_text([path], str, 1, int)


def test_words_are_normalised_after_any_preparation(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("e\u0301a b\u3000c\n\u00e9a b\u00a0 c\n", encoding="utf-8")
    text = read_text([path], str, 1, int)
    assert text.words == ["\u00e9a", "b", "c"]
    assert text.tokens.tolist() == [0, 1, 2, -2, 0, 1, 2, -2]
