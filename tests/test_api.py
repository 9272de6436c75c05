"""The functions of the package: they do what the commands do, and their examples run."""

import doctest
import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord as package
from accord import (
    Accord,
    InputError,
    OutputError,
    Settings,
    api,
    apply,
    estimator,
    evaluate,
    export,
    extract_phrases,
    learn,
    load,
    mine,
    query,
    report,
    select_seed,
)
from accord.experiments.artificial import Planted
from accord.experiments.sample import write_sample
from tests.conftest import Run, files_of

FUNCTIONS = [
    function for name in package.__all__ if inspect.isfunction(function := getattr(package, name))
]
METHODS: list[Callable[..., Any]] = [
    Accord.fit,
    Accord.load,
    Accord.translate_phrase,
    Accord.get_params,
    Accord.set_params,
]
CALLABLES: list[Callable[..., Any]] = [*FUNCTIONS, *METHODS]


def collect_documented(function: Callable[..., Any]) -> list[str]:
    """The names in the section on parameters of a docstring."""
    section = (inspect.getdoc(function) or "").split("Parameters\n----------\n")[1]
    section = section.split("\n\nReturns\n")[0]
    heads = re.findall(r"^(\S.*?)(?: : .*)?$", section, re.MULTILINE)
    return [name.lstrip("*") for head in heads for name in head.split(", ")]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample texts, and de-en, a run that was mined from them."""
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    texts = folder / "german.txt", folder / "english.txt"
    seed = folder / "dictionary.tsv"
    mine(*texts, seed, source_lang="de", target_lang="en", out=folder / "de-en")
    return folder


# Signatures and documentation


@pytest.mark.parametrize("function", CALLABLES, ids=lambda function: function.__name__)
def test_all_parameters_are_typed_and_documented(function: Callable[..., Any]) -> None:
    signature = inspect.signature(function)
    own = [p for name, p in signature.parameters.items() if name != "self"]
    assert all(p.annotation is not p.empty for p in own)
    assert signature.return_annotation is not signature.empty
    assert collect_documented(function) == [p.name for p in own]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_options_are_given_by_name(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert len(positional) <= 3
    assert ">>> " in (inspect.getdoc(function) or "")


@pytest.mark.parametrize("module", [api, estimator], ids=lambda module: module.__name__)
def test_the_examples(module: Any, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sample)
    failed, tried = doctest.testmod(module)
    assert tried > 5
    assert not failed


# The functions and the commands


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


def test_query_and_evaluate_take_a_folder_or_an_estimator(
    small: Planted, small_run: Path, tmp_path: Path, accord: Run
) -> None:
    model = load(small_run)
    phrase = small.gold[3][0]
    assert query(small_run, phrase, top=2) == query(model, phrase, top=2)
    assert query(model, phrase, top=2) == model.translate_phrase(phrase, 2)
    gold = tmp_path / "gold.tsv"
    gold.write_text("".join(f"{e}\t{f}\n" for e, f in small.gold), encoding="utf-8")
    scores = evaluate(small_run, gold)
    assert scores == evaluate(model, small.gold)
    assert (scores.pairs, scores.gold) == (len(model.phrases_), len(small.gold))
    assert scores._asdict() == json.loads(
        accord("evaluate", small_run, "--gold", gold, "--json").stdout
    )


def test_export(small_run: Path, tmp_path: Path) -> None:
    done = export(small_run, tmp_path / "a.csv", to="csv", top=5)
    assert (done.pairs, done.files) == (5, (tmp_path / "a.csv",))
    less = export(small_run, tmp_path / "b.csv", to="csv", min_confidence=0.9)
    assert less.pairs < export(small_run, tmp_path / "c.csv", to="csv").pairs
    export(small_run, tmp_path / "d.tmx", to="tmx", source_lang="de", target_lang="en")
    assert 'xml:lang="de"' in (tmp_path / "d.tmx").read_text(encoding="utf-8")


def test_messages_are_logged(
    small_run: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    export(small_run, tmp_path / "glossary.txt", to="omegat")
    assert [record.name for record in caplog.records] == ["accord"]
    assert "the languages are not known" in caplog.text


def test_report(tiny_runs: Path, tmp_path: Path) -> None:
    page = report(tiny_runs / "one", out=tmp_path / "page.html", gold=[("a", "x")])
    assert page == tmp_path / "page.html"
    assert "F1" in page.read_text(encoding="utf-8")
    both = report(tiny_runs / "one", tiny_runs / "other", out=tmp_path / "both.html")
    assert both.read_bytes() != page.read_bytes()


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
    with pytest.raises(OutputError, match=message):
        extract_phrases(source, "de", out=source)
    with pytest.raises(OutputError, match=message):
        select_seed(source, target, identical=True, out=target)
