"""Seed lexicons: columns, entries of several words, σ."""

from pathlib import Path
from typing import Any

import pytest

from accord.errors import InputError
from accord.phrases import Phrases
from accord.seed import SeedLexicon, read_seed
from tests import oracle

SOURCE = Phrases.of(["a b", "c"])
TARGET = Phrases.of(["x y", "z"])


def sigma(entries: list[tuple[str, str]]) -> oracle.Table:
    counts = SeedLexicon.of(entries).counts(SOURCE.vocabulary, TARGET.vocabulary)
    return {
        (SOURCE.vocabulary.words[e], TARGET.vocabulary.words[f]): float(value)
        for e, f, value in zip(*counts, strict=True)
    }


def test_an_entry_counts_once() -> None:
    assert sigma([("a", "x"), ("a", "x"), ("a", "y")]) == {("a", "x"): 1.0, ("a", "y"): 1.0}


def test_entries_of_several_words_are_spread() -> None:
    entries = [("a b", "x y z"), ("a", "x")]
    assert sigma(entries) == pytest.approx(oracle.seed_counts(entries))
    assert sigma(entries)["a", "x"] == pytest.approx(1 + 1 / 6)
    assert sigma(entries)["b", "z"] == pytest.approx(1 / 6)


def test_only_entries_of_known_words_are_used() -> None:
    seed = SeedLexicon.of([("a", "x"), ("q", "x"), ("a", "q"), ("a q", "x"), ("a b", "z")])
    assert seed.within(SOURCE, TARGET).entries == (("a", "x"), ("a b", "z"))


def test_reading(tmp_path: Path) -> None:
    path = tmp_path / "seed"
    path.write_text("a x\n\nb\ty\na b\tx y\n  c   z \ne\u0301 x\n", encoding="utf-8")
    assert set(read_seed(path).entries) == {
        ("a", "x"),
        ("b", "y"),
        ("a b", "x y"),
        ("c", "z"),
        ("\u00e9", "x"),
    }


@pytest.mark.parametrize("line", ["alone", "a b c", "a\tb\tc", "a\t ", "a b\t", "\tb"])
def test_a_line_without_two_columns(tmp_path: Path, line: str) -> None:
    (tmp_path / "seed").write_text(f"a x\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="seed, line 2: expected two columns"):
        read_seed(tmp_path / "seed")


@pytest.mark.parametrize("entry", [("", "x"), ("a", " "), ("a",), "ab", 7, ("a", 7)])
def test_entries_from_python_are_pairs_of_words(entry: Any) -> None:
    with pytest.raises(InputError, match=r"seed: expected \(source, target\), found"):
        SeedLexicon.of([("a", "x"), entry])
