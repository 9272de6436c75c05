"""Seeds from dictionaries and texts: counting, choosing, reporting."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InputError
from accord.evidence.seed import are_columns_swapped
from accord.evidence.seed_selection import (
    BothTexts,
    TermFrequencies,
    choose_entries,
    find_identical_strings,
    find_in_texts,
    measure_coverage,
    read_term_frequencies,
    select_seed,
)
from accord.runs.inputs import Inputs
from tests.conftest import Run

GERMAN = "das rote Haus\ndas Haus\ndie Tür\ndas alte Haus in Berlin\nvor Ort\n"
ENGLISH = "the red house\nthe house\nthe door\nthe old house in Berlin\non site\n"
DICTIONARY = "Haus {n}\thouse; home\nrot, rote\tred\nTür\tthe Door\nvor Ort\ton site\nKatze\tcat\n"
SEED = ("seed", "de.txt", "en.txt", "--dictionary", "d.tsv", "--out", "seed.tsv", "--force")
LANGUAGES = ("--source-lang", "de", "--target-lang", "en")


def frequencies(**counts: int) -> TermFrequencies:
    return TermFrequencies(Counter(counts), 1000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two texts and a dictionary."""
    for name, text in [("de.txt", GERMAN), ("en.txt", ENGLISH), ("d.tsv", DICTIONARY)]:
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_counting(tmp_path: Path) -> None:
    (tmp_path / "phrases").write_text("a  b c\nb c\t3\n\nA B\t2\n", encoding="utf-8")
    found = read_term_frequencies(tmp_path / "phrases", {"b c", "a c", "A B", "b"})
    assert found.counts == {"a": 1, "b": 4, "c": 4, "A": 2, "B": 2, "b c": 4, "A B": 2, "a b": 1}
    assert found.words == 13
    assert found.frequency("b") == 4 / 13


def test_spelling() -> None:
    text = frequencies(haus=1, Ort=1, ort=1)
    assert [text.find_spelling(word) for word in ("Haus", "Ort", "Tür")] == ["haus", "Ort", None]


def test_an_unknown_language(folder: Path) -> None:
    files = (str(folder / "d.tsv"), folder / "de.txt", folder / "en.txt")
    with pytest.raises(InputError, match="'qq': expected a language code or name"):
        select_seed(*files, ("de", "qq"), 10, identical=False)


@pytest.mark.parametrize("column", ["x", "1.5", "-1", ""])
def test_an_invalid_count(tmp_path: Path, column: str) -> None:
    (tmp_path / "phrases").write_text(f"a\t1\na b\t{column}\n", encoding="utf-8")
    with pytest.raises(InputError, match="phrases, line 2: expected a phrase and, after a tab"):
        read_term_frequencies(tmp_path / "phrases", set())


@pytest.mark.parametrize("text", ["", "\n \n", "a\t0\n"])
def test_no_phrases(tmp_path: Path, text: str) -> None:
    (tmp_path / "phrases").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="phrases: expected phrases, one per line, found none"):
        read_term_frequencies(tmp_path / "phrases", set())


def test_frequent_entries_come_first() -> None:
    texts = frequencies(a=10, b=30, c=20), frequencies(x=10, y=30, z=20)
    entries = {("a", "x"), ("b", "y"), ("c", "z")}
    assert choose_entries(entries, texts, 5) == [("b", "y"), ("c", "z"), ("a", "x")]
    assert choose_entries(entries, texts, 2) == [("b", "y"), ("c", "z")]


def test_entries_as_frequent_on_both_sides_come_first() -> None:
    texts = frequencies(a=100, b=10), frequencies(x=12, y=10)
    assert choose_entries({("a", "x"), ("b", "y")}, texts, 1) == [("b", "y")]


def test_entries_without_competing_translations_come_first() -> None:
    texts = frequencies(a=12, b=10), frequencies(x=12, z=12, y=10)
    assert choose_entries({("a", "x"), ("a", "z"), ("b", "y")}, texts, 2) == [
        ("b", "y"),
        ("a", "x"),
    ]


def test_single_words_come_first() -> None:
    texts = TermFrequencies(Counter({"a b": 90, "c": 1}), 1000), frequencies(x=90, y=1)
    assert choose_entries({("a b", "x"), ("c", "y")}, texts, 2) == [("c", "y"), ("a b", "x")]


@st.composite
def dictionaries(draw: st.DrawFn) -> tuple[set[tuple[str, str]], BothTexts]:
    counts = st.integers(1, 50)
    sides = [draw(st.fixed_dictionaries(dict.fromkeys(words, counts))) for words in SIDES]
    texts = TermFrequencies(Counter(sides[0]), 500), TermFrequencies(Counter(sides[1]), 700)
    pairs = st.tuples(*(st.sampled_from(words) for words in SIDES))
    return draw(st.sets(pairs, min_size=1)), texts


SIDES = ("a", "b", "c", "d"), ("x", "y", "z")


@given(dictionaries(), st.integers(1, 4))
def test_a_word_is_in_one_entry_only(
    made: tuple[set[tuple[str, str]], BothTexts], size: int
) -> None:
    entries, texts = made
    chosen = choose_entries(entries, texts, size)
    assert set(chosen) <= entries
    assert len({e for e, _ in chosen}) == len({f for _, f in chosen}) == len(chosen) <= size
    # No other entry could have been added.
    left = {(e, f) for e, f in entries if all(e != e_ and f != f_ for e_, f_ in chosen)}
    assert len(chosen) == size or not left
    swapped = choose_entries({(f, e) for e, f in entries}, (texts[1], texts[0]), size)
    assert [(e, f) for f, e in swapped] == chosen
    # All entries in the same order; the best is the first one chosen.
    every = choose_entries(entries, texts, None)
    assert sorted(every) == sorted(entries)
    assert every[0] == chosen[0]


def test_of_competing_entries_the_one_of_equal_frequency_is_chosen() -> None:
    texts = frequencies(a=19, b=2), frequencies(x=1)
    assert choose_entries({("a", "x"), ("b", "x")}, texts, 1) == [("b", "x")]


def test_entries_as_the_texts_spell_them() -> None:
    texts = frequencies(haus=1), frequencies(House=1)
    assert find_in_texts([("Haus", "House"), ("Haus", "door")], texts) == {("haus", "House")}


def test_coverage() -> None:
    texts = frequencies(a=100, b=20, c=1), frequencies(x=500)
    assert measure_coverage([("a b", "x"), ("a", "x")], texts) == (0.12, 0.5)


def test_identical_strings() -> None:
    kept = ["Berlin", "EU2", "EUR", "42", "C3", "x_1", "server", "学生", "Rest"]
    by_chance = ["in", "also", "In", "!", "生", "a b"]
    both = dict.fromkeys(kept + by_chance, 3)
    source = TermFrequencies(Counter(both | {"Rest": 30, "dienen": 31, "haus": 3}), 1000)
    target = TermFrequencies(Counter(both | {"42": 300, "dienen": 3, "house": 3}), 1000)
    found = find_identical_strings((source, target))
    assert {word for word, _ in found} == set(kept)
    assert all(e == f for e, f in found)


def test_swapped_columns_fit_clearly_better() -> None:
    assert are_columns_swapped(0, 1)
    assert are_columns_swapped(10, 21)
    assert not are_columns_swapped(10, 20)
    assert not are_columns_swapped(0, 0)


def test_the_command(folder: Path, accord: Run) -> None:
    done = accord(*SEED, *LANGUAGES)
    assert done.returncode == 0, done.stderr
    lines = (folder / "seed.tsv").read_text(encoding="utf-8").splitlines()
    assert lines == ["Haus\thouse", "Tür\tdoor", "rote\tred", "vor Ort\ton site"]
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "d.tsv: 4 of 7 entries have their words in both texts",
        "seed.tsv: 4 entries, which cover 50% of the source and 50% of the target words",
    ]


def test_counts_of_phrases_and_size(folder: Path, accord: Run) -> None:
    (folder / "de.txt").write_text("Haus\t2\nTür\t9\nrote\t2\n", encoding="utf-8")
    (folder / "en.txt").write_text("house\t2\ndoor\t9\nred\t1\n", encoding="utf-8")
    assert accord(*SEED, *LANGUAGES, "--top", "2").returncode == 0
    assert (folder / "seed.tsv").read_text(encoding="utf-8") == "Tür\tdoor\nHaus\thouse\n"


def test_all_translations(folder: Path, accord: Run) -> None:
    (folder / "all.tsv").write_text("Haus\thouse\nHaus\tred\nTür\tdoor\n", encoding="utf-8")
    command = ["all.tsv" if part == "d.tsv" else part for part in SEED]
    assert accord(*command, *LANGUAGES, "--all-translations").returncode == 0
    lines = (folder / "seed.tsv").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == ["Haus\thouse", "Haus\tred", "Tür\tdoor"]


def test_a_dictionary_from_target_to_source(folder: Path, accord: Run) -> None:
    lines = [line.split("\t") for line in DICTIONARY.splitlines()]
    swapped = "".join(f"{right}\t{left}\n" for left, right in lines)
    (folder / "d.tsv").write_text(swapped, encoding="utf-8")
    done = accord(*SEED, *LANGUAGES, "--json")
    assert "d.tsv: its columns were swapped, since the second fits the source" in done.stderr
    lines_out = (folder / "seed.tsv").read_text(encoding="utf-8").splitlines()
    assert lines_out == ["Haus\thouse", "Tür\tdoor", "rote\tred", "vor Ort\ton site"]
    assert json.loads(done.stdout) == {
        "entries": 4,
        "read": 7,
        "known": 4,
        "swapped": True,
        "coverage": [0.5, 0.5],
        "file": "seed.tsv",
    }


def test_identical_strings_alone_and_with_a_dictionary(folder: Path, accord: Run) -> None:
    alone = accord("seed", "--identical", *SEED[1:3], *SEED[5:])
    assert alone.returncode == 0, alone.stderr
    assert alone.stderr.startswith("seed.tsv: 1 entries, which cover ")
    assert (folder / "seed.tsv").read_text(encoding="utf-8") == "Berlin\tBerlin\n"
    assert accord(*SEED, *LANGUAGES, "--identical").returncode == 0
    lines = (folder / "seed.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5
    assert lines[0] == "Haus\thouse"
    assert "Berlin\tBerlin" in lines


def test_a_seed_can_be_learned_from(folder: Path, accord: Run) -> None:
    assert accord(*SEED, *LANGUAGES).returncode == 0
    inputs = Inputs.read(folder / "de.txt", folder / "en.txt", folder / "seed.tsv", None, 20)
    assert len(inputs.seed.entries) == inputs.seed_entries == 4


def seed_of(folder: Path, *, dictionary: str | None = "d.tsv", identical: bool = False) -> object:
    name = dictionary and (dictionary if dictionary == "-" else str(folder / dictionary))
    source, target = folder / "de.txt", folder / "en.txt"
    return select_seed(name, source, target, (None, None), 10, identical=identical)


def test_a_dictionary_of_other_words(folder: Path) -> None:
    (folder / "d.tsv").write_text("chat cat\nchien dog\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"d.tsv: none of its 2 entries has its words in both"):
        seed_of(folder)
    with pytest.raises(InputError, match=r"d.tsv: none of its 2 entries has its words in both"):
        seed_of(folder, identical=True)


@pytest.mark.parametrize("text", ["", "# nothing\n", "<TEI></TEI>\n", "a\t\n"])
def test_an_empty_dictionary(folder: Path, text: str) -> None:
    (folder / "d.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"d.tsv: expected entries of a dictionary, found none"):
        seed_of(folder)


def test_no_identical_strings(folder: Path) -> None:
    (folder / "en.txt").write_text("the house\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"en.txt: no name, number or code is the same in both"):
        seed_of(folder, dictionary=None, identical=True)


def test_neither_a_dictionary_nor_identical_strings(folder: Path) -> None:
    with pytest.raises(InputError, match=r"give a dictionary .* or --identical"):
        seed_of(folder, dictionary=None)


def test_standard_input_twice() -> None:
    with pytest.raises(InputError, match="can be given for one file only"):
        select_seed("-", "-", "en.txt", (None, None), 10, identical=False)


def test_the_output_may_not_be_an_input(folder: Path, accord: Run) -> None:
    done = accord(*SEED[:-2], "d.tsv", "--force")
    assert done.returncode == 2
    assert "d.tsv: is also an input; choose another file" in done.stderr
    assert (folder / "d.tsv").read_text(encoding="utf-8") == DICTIONARY


def test_an_error_is_one_sentence(folder: Path, accord: Run) -> None:
    (folder / "d.tsv").write_text("one two three\n", encoding="utf-8")
    done = accord(*SEED)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("accord: d.tsv, line 1: expected two columns")


@pytest.mark.parametrize("found", [0, 1])
def test_learning_from_a_seed_in_the_wrong_order(found: int) -> None:
    """Names are found in either order."""
    source, target = ["haus", "tür", "katze", "berlin"], ["house", "door", "cat", "berlin"]
    seed = [("house", "haus"), ("door", "tür"), ("cat", "katze"), ("berlin", "berlin")][: 3 + found]
    words = f"seed: {found} of its {3 + found} entries have their words in both corpora, "
    words += f"but {3 + found} with the columns swapped; "
    words += "put the source word first, or give the two texts in the other order"
    with pytest.raises(InputError, match=words):
        Inputs.of(source, target, seed, None, 20)
