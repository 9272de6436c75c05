"""The sample: its files, and that the default method learns from them."""

from pathlib import Path

import pytest

from accord.experiments.sample import SENTENCES, list_word_pairs, read_grammar, write_sample
from tests.conftest import Run


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


def read_pairs(file: Path) -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]
    return [(row[0], row[1]) for row in rows]


def test_both_texts_have_as_many_sentences(sample: Path) -> None:
    for name in ("german.txt", "english.txt"):
        lines = (sample / name).read_text(encoding="utf-8").splitlines()
        assert len(lines) == SENTENCES
        assert all(line[0].isupper() and line.endswith(".") for line in lines)


def test_every_word_pair_occurs_in_both_texts(sample: Path) -> None:
    german, english = (
        set((sample / name).read_text(encoding="utf-8").lower().replace(".", "").split())
        for name in ("german.txt", "english.txt")
    )
    inflected = {f"{word}n" for word in german}
    for one, other in read_pairs(sample / "gold.tsv"):
        assert one in german | inflected or f"{one}n" in german or f"{one}en" in german, one
        assert other in english, other


def test_german_agrees() -> None:
    grammar = read_grammar()
    assert ("teure", "expensive") in list_word_pairs(grammar)
    assert ("hohe", "high") in list_word_pairs(grammar)


def test_the_same_files_every_time(sample: Path, tmp_path: Path) -> None:
    write_sample(tmp_path)
    for file in sample.iterdir():
        assert file.read_bytes() == (tmp_path / file.name).read_bytes()


def test_the_default_method_learns_the_dictionary(sample: Path, accord: Run) -> None:
    texts = ("german.txt", "english.txt", "--source-lang", "de", "--target-lang", "en")
    done = accord("mine", *texts, "--lower", "--seed", "dictionary.tsv", "--out", "run", cwd=sample)
    assert done.returncode == 0, done.stderr
    gold, known = (set(read_pairs(sample / name)) for name in ("gold.tsv", "dictionary.tsv"))
    words = {german for german, _ in gold - known}
    new = [pair for pair in read_pairs(sample / "run" / "lexicon.tsv") if pair[0] in words]
    assert len(new) > 130
    assert sum(pair in gold for pair in new) > 0.9 * len(new)


def test_the_command(accord: Run, tmp_path: Path) -> None:
    assert accord("sample", "new", cwd=tmp_path).returncode == 0
    assert len(list((tmp_path / "new").iterdir())) == 4
    again = accord("sample", "new", cwd=tmp_path)
    assert again.returncode == 2
    assert "new/german.txt: exists; replace it with --force" in again.stderr
    assert accord("sample", "new", "--force", cwd=tmp_path).returncode == 0
