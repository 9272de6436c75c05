"""Phrases, seeds and languages: what is returned, and what is written."""

from pathlib import Path

import pytest

from accord import (
    InputError,
    OutputError,
    extract_phrases,
    import_seed,
    learn,
    list_languages,
    select_seed,
)
from accord.corpus.text.clitics import ELISIONS
from accord.formats.records import Record
from accord.formats.tmx import write_tmx
from tests.conftest import Run


def test_extract_phrases_and_select_a_seed(tmp_path: Path) -> None:
    files = {"de": "Das Haus 7\nDas Boot\n", "en": "the house 7\nthe boat\n"}
    for lang, text in files.items():
        (tmp_path / lang).write_text(text * 3, encoding="utf-8")
    german = extract_phrases(
        tmp_path / "de", "de", method="lines", lower=True, counts=True, out=tmp_path / "de.tsv"
    )
    assert german == {"das boot": 3, "das haus 7": 3}
    assert (tmp_path / "de.tsv").read_text(encoding="utf-8") == "das boot\t3\ndas haus 7\t3\n"
    both = extract_phrases([tmp_path / "en", tmp_path / "en"], "en", method="lines")
    assert both["the boat"] == 6
    extract_phrases(tmp_path / "en", "en", method="lines", out=tmp_path / "en.txt")
    assert "\t" not in (tmp_path / "en.txt").read_text(encoding="utf-8")
    (tmp_path / "dict").write_text("haus\thouse\nboot\tboat\n", encoding="utf-8")
    phrases = tmp_path / "de.tsv", tmp_path / "en.txt"
    found = select_seed(*phrases, dictionary=tmp_path / "dict", top=1, out=tmp_path / "seed.tsv")
    assert len(found.entries) == 1
    assert (tmp_path / "seed.tsv").read_text() == "\t".join(found.entries[0]) + "\n"
    assert select_seed(*phrases, identical=True).entries == [("7", "7")]


def test_import_seed(tmp_path: Path, accord: Run) -> None:
    memory = tmp_path / "memory.tmx"
    house, ship = Record("haus", "house"), Record("boot", "ship", status="rejected")
    write_tmx(memory, [house, ship, house], ("de", "en"))
    seed = import_seed(memory, from_="tmx", out=tmp_path / "seed.tsv")
    assert seed.entries == [("haus", "house"), ("boot", "ship", "rejected")]
    assert (seed.rejected, seed.left_out) == (1, {"duplicate": 1})
    done = accord("import", memory, "--from", "tmx", "--out", "command.tsv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "seed.tsv").read_bytes() == (tmp_path / "command.tsv").read_bytes()
    model = learn(["haus", "boot"], ["house", "ship"], seed.entries)
    assert ("boot", "ship") not in {pair[:2] for pair in model.phrases_}
    with pytest.raises(InputError, match="'Germann': expected a language code or name"):
        import_seed(memory, from_="tmx", source_lang="Germann")


def test_list_languages() -> None:
    support = list_languages()
    assert [language.code for language in support.languages] == ["zh", "ja", "th"]
    assert support.languages[0].install == "pip install 'accord[zh]'"
    assert {language.code for language in support.clitics} == {*ELISIONS}
    assert "Khmer" in {language.name for language in support.unserved}


def test_inputs_are_not_overwritten(laid_out: Path) -> None:
    source, target = laid_out / "source.txt", laid_out / "target.txt"
    message = r": is or holds the input .*; choose another place$"
    with pytest.raises(OutputError, match=message):
        extract_phrases(source, "de", out=source)
    with pytest.raises(OutputError, match=message):
        select_seed(source, target, identical=True, out=target)
    with pytest.raises(OutputError, match=message):
        import_seed(source, from_="muse", out=source)
