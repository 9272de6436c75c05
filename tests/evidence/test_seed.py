"""Seed lexicons: file format, entries of several words, σ, statuses."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from accord.corpus.phrases import Phrases
from accord.errors import InputError
from accord.evidence.seed import SeedLexicon, read_seed
from tests import oracle

SOURCE = Phrases.of(["a b", "c"])
TARGET = Phrases.of(["x y", "z"])


def sigma(entries: list[tuple[str, str]]) -> oracle.Table:
    counts = SeedLexicon.of(entries).pseudo_counts(SOURCE.vocabulary, TARGET.vocabulary)
    return {
        (SOURCE.vocabulary.words[e], TARGET.vocabulary.words[f]): float(value)
        for e, f, value in zip(*counts, strict=True)
    }


def test_an_entry_counts_once() -> None:
    assert sigma([("a", "x"), ("a", "x"), ("a", "y")]) == {("a", "x"): 1.0, ("a", "y"): 1.0}


def test_counts_of_entries_of_several_words_are_spread() -> None:
    entries = [("a b", "x y z"), ("a", "x")]
    assert sigma(entries) == pytest.approx(oracle.seed_counts(entries))
    assert sigma(entries)["a", "x"] == pytest.approx(1 + 1 / 6)
    assert sigma(entries)["b", "z"] == pytest.approx(1 / 6)


def test_accepted_entries_of_several_words_are_links_and_not_spread() -> None:
    entries: list[Any] = [("a", "x", "accepted"), ("a b", "x y", "accepted"), ("b", "y")]
    counts = SeedLexicon.of(entries).pseudo_counts(SOURCE.vocabulary, TARGET.vocabulary)
    assert counts.values.tolist() == [1.0, 1.0]


def test_only_entries_of_known_words_are_used() -> None:
    seed = SeedLexicon.of([("a", "x"), ("q", "x"), ("a", "q"), ("a q", "x"), ("a b", "z")])
    assert seed.restrict_to(SOURCE, TARGET).entries == (("a", "x"), ("a b", "z"))


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


def test_statuses(tmp_path: Path) -> None:
    text = "a\tx\taccepted\nb\ty\trejected\nc\tz\na\tx\nb  y\nb\tx\t rejected \n"
    (tmp_path / "seed").write_text(text, encoding="utf-8")
    seed = read_seed(tmp_path / "seed")
    assert seed.entries == (("a", "x"), ("c", "z"))
    assert seed.rejected == (("b", "x"), ("b", "y"))
    assert seed.swapped().rejected == (("x", "b"), ("y", "b"))
    assert seed.restrict_to(SOURCE, TARGET).rejected == seed.rejected
    assert [part.rejected for part in seed.split_held_out(0.5)] == [seed.rejected, ()]
    assert SeedLexicon.of(seed.entries_with_status) == seed


def test_statuses_change_the_signature() -> None:
    plain = SeedLexicon.of([("a", "x"), ("b", "y z")])
    assert plain.signature == sha256(b"a\tx\nb\ty z").hexdigest()
    assert SeedLexicon.of([("a", "x", "accepted"), ("b", "y z")]).signature != plain.signature
    reviewed = SeedLexicon.of([*plain.entries, ("c", "z", "rejected")])
    assert reviewed.signature != plain.signature
    assert reviewed.signature != SeedLexicon.of([*plain.entries, ("c", "z")]).signature


def test_an_entry_both_accepted_and_rejected(tmp_path: Path) -> None:
    (tmp_path / "seed").write_text("a\tx\taccepted\na \tx\trejected\n", encoding="utf-8")
    with pytest.raises(InputError, match="seed: the entry a = x is both accepted and rejected"):
        read_seed(tmp_path / "seed")


@pytest.mark.parametrize(
    "line",
    [
        *("alone", "a b c", "a\tb\tc", "a\t ", "a b\t", "\tb"),
        *("a b accepted", "a\tb\t", "a\tb\taccepted\t", "a\t\trejected", "a\tb\tAccepted"),
    ],
)
def test_a_line_without_two_columns(tmp_path: Path, line: str) -> None:
    (tmp_path / "seed").write_text(f"a x\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="seed, line 2: expected two columns"):
        read_seed(tmp_path / "seed")


@pytest.mark.parametrize(
    "entry", [("", "x"), ("a", " "), ("a",), "ab", 7, ("a", 7), ("a", "x", "y")]
)
def test_entries_from_python_are_pairs_of_words(entry: Any) -> None:
    with pytest.raises(InputError, match=r"seed: expected \(source, target\), found"):
        SeedLexicon.of([("a", "x"), entry])
