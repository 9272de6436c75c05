"""Learning from texts and phrases: paths or Python objects, with and without a folder."""

from pathlib import Path

import pytest

from accord import Accord, InputError, OutputError, Settings, apply, learn, load, mine
from accord.experiments.artificial import Planted
from tests.conftest import Run, files_of


def test_mine_does_what_the_command_does(sample: Path, accord: Run) -> None:
    texts = sample / "german.txt", sample / "english.txt"
    flags = ["--source-lang", "de", "--target-lang", "en", "--seed", sample / "dictionary.tsv"]
    done = accord("mine", *texts, *flags, "--out", sample / "command")
    assert done.returncode == 0, done.stderr
    files = files_of(sample / "command")
    assert files.items() <= files_of(sample / "de-en").items()
    assert {"contexts.tsv", "phrases.tsv", "run.json"} <= files.keys()


def test_mine_takes_a_list_and_settings(tmp_path: Path) -> None:
    (tmp_path / "de.txt").write_text("das haus\ndas boot\n" * 4, encoding="utf-8")
    (tmp_path / "en.txt").write_text("the house\nthe boat\n" * 4, encoding="utf-8")
    settings = Settings(agreement="inner", iterations=1, max_words=7)
    texts = tmp_path / "de.txt", tmp_path / "en.txt"
    seed = [("haus", "house"), ("das", "the")]
    model = mine(*texts, seed, source_lang="de", target_lang="en", settings=settings, max_words=2)
    assert model.settings == settings.update({"max_words": 2})
    assert ("das haus", "the house") in {pair[:2] for pair in model.phrases_}
    assert {path.name for path in tmp_path.iterdir()} == {"de.txt", "en.txt"}


def test_learn_takes_paths_or_python_objects(small: Planted, laid_out: Path) -> None:
    settings = Settings(iterations=2)
    files = [laid_out / name for name in ("source.txt", "target.txt", "seed.tsv")]
    one = learn(*files, gold=laid_out / "gold.tsv", settings=settings, out=laid_out / "one")
    seed = small.lexicon[:15]
    learn(small.source, small.target, seed, gold=small.gold, settings=settings, out=laid_out / "b")
    assert files_of(laid_out / "one") == files_of(laid_out / "b")
    fitted = Accord(iterations=2).fit(small.source, small.target, seed, gold=small.gold)
    assert (one.phrases_, one.lexicon_) == (fitted.phrases_, fitted.lexicon_)
    assert one.trace_[-1]["f1"] == fitted.trace_[-1]["f1"]


def test_learn_names_the_file_in_an_error(laid_out: Path) -> None:
    (laid_out / "other.tsv").write_text("p\tq\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.tsv: none of its 1 entries has its words in bot"):
        learn(laid_out / "source.txt", laid_out / "target.txt", laid_out / "other.tsv")


def test_a_continued_run_keeps_its_settings(small: Planted, tmp_path: Path) -> None:
    settings = Settings(agreement="inner", iterations=2)
    learn(small.source, small.target, small.lexicon[:15], settings=settings, out=tmp_path / "a")
    phrases = small.source[:9], small.target[:9]
    assert learn(*phrases, continue_from=tmp_path / "a").settings == settings
    other = Settings(agreement="outer", iterations=1)
    later = learn(*phrases, continue_from=tmp_path / "a", settings=other)
    assert later.settings == other
    assert later.changes_ is not None


def test_apply(small: Planted, small_run: Path, tmp_path: Path) -> None:
    applied = apply(small_run, small.source, small.target, out=tmp_path / "new")
    assert applied.phrases_ == load(tmp_path / "new").phrases_
    assert len(applied.phrases_) > 20


def test_inputs_are_not_overwritten(small_run: Path, laid_out: Path) -> None:
    source, target = laid_out / "source.txt", laid_out / "target.txt"
    message = r": is or holds the input .*; choose another place$"
    with pytest.raises(OutputError, match=message):
        learn(source, target, out=laid_out, seed=[("a", "x")])
    with pytest.raises(OutputError, match=message):
        learn(source, target, continue_from=small_run, out=small_run, force=True)
    with pytest.raises(OutputError, match=message):
        apply(small_run, source, target, out=small_run, force=True)
    with pytest.raises(OutputError, match=message):
        mine(source, target, [], source_lang="de", target_lang="en", out=laid_out)
