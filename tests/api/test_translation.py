"""Language models, sentences and adaptation."""

from pathlib import Path

import pytest

from accord import (
    InputError,
    OutputError,
    SettingError,
    adapt,
    train_language_model,
    translate_sentences,
)
from accord.experiments.artificial import plant
from tests.conftest import Run, tab_separated


def test_train_language_model(tmp_path: Path, accord: Run) -> None:
    text = tmp_path / "text.txt"
    text.write_text("the old house\nthe old town\n" * 5, encoding="utf-8")
    sizes = train_language_model(text, tmp_path / "a.arpa", order=2)
    # Five words and <unk>, <s> and </s>; each bigram once.
    assert sizes == [7, 6]
    done = accord("lm", text, "--order", 2, "--out", "b.arpa")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.arpa").read_bytes() == (tmp_path / "b.arpa").read_bytes()
    assert len(train_language_model([text, text], tmp_path / "a.arpa")) == 4
    with pytest.raises(OutputError, match="is or holds the input"):
        train_language_model(text, text)
    with pytest.raises(SettingError, match="order: "):
        train_language_model(text, tmp_path / "a.arpa", order=9)


def test_translate_sentences(tmp_path: Path) -> None:
    table, lm = tmp_path / "table", tmp_path / "lm.arpa"
    table.write_text("haus ||| house ||| 1 1 1 1 ||| 0-0\nalte ||| old ||| 1 1 1 1 ||| 0-0\n")
    (tmp_path / "text").write_text("old house\n" * 3)
    train_language_model(tmp_path / "text", lm, order=2)
    sentences = ["alte haus", "", "alte neue haus"]
    translations = translate_sentences(sentences, table=table, lm=lm)
    assert translations == ["old house", "", "old neue house"]
    listed = translate_sentences(sentences[:1], table=table, lm=lm, top=2)
    assert [line.split(" ||| ")[:2] for line in listed] == [["0", "old house"], ["0", "house old"]]
    monotone = translate_sentences(["haus alte"], table=table, lm=lm, distortion_limit=0)
    assert monotone == ["house old"]
    with pytest.raises(SettingError, match="top: must be at least 1, found 0"):
        translate_sentences(sentences, table=table, lm=lm, top=0)
    with pytest.raises(SettingError, match="expected a language model, found none"):
        translate_sentences(sentences, table=table)
    with pytest.raises(InputError, match="expected the folder of a run or of adapt, found none"):
        translate_sentences(sentences, tmp_path / "none", lm=lm)


def test_adapt(tmp_path: Path) -> None:
    pytest.importorskip("sacrebleu", reason="needs accord[translate]")
    planted = plant(words=60, phrases=160, noise=0, random=5)
    held, inside = planted.gold[:20], planted.gold[20:]
    paths = {name: tmp_path / name for name in ("outside.tsv", "held.tsv", "s.txt", "t.txt", "out")}
    paths["outside.tsv"].write_text(tab_separated(planted.lexicon[:30]))
    paths["held.tsv"].write_text(tab_separated(held))
    for name, side in (("s.txt", 0), ("t.txt", 1)):
        paths[name].write_text("".join(f"{pair[side]}\n" for pair in inside))

    def run(iterations: int = 1, *, force: bool = False) -> list[tuple[str, int]]:
        done = adapt(
            paths["s.txt"],
            paths["t.txt"],
            table=paths["outside.tsv"],
            dev=paths["held.tsv"],
            test=[paths["held.tsv"]],
            source_lang="en",
            target_lang="de",
            out=paths["out"],
            iterations=iterations,
            rounds=1,
            min_count=1,
            order=2,
            force=force,
        )
        return [(row.method, row.iteration) for row in done.rows]

    rows = run()
    assert rows[0] == ("first table", 0)
    assert rows[-1] == ("back-translation", 1)
    assert len(translate_sentences([held[0][0]], paths["out"])) == 1
    with pytest.raises(OutputError, match="out: exists; replace it with --force"):
        run()
    assert run(force=True) == rows
    with pytest.raises(SettingError, match="iterations: must be at least 1, found 0"):
        run(0, force=True)
