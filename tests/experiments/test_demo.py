"""The demo: strings of programs to phrases, hiding the pairing, and the command.

Most tests use synthetic strings; those that read the packages run only if these are installed.
"""

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from accord import cli
from accord.cli import output
from accord.errors import AccordError, OutputError, SettingError
from accord.experiments.artificial import plant
from accord.experiments.demo import experiment, packages
from accord.experiments.demo.cleaning import clean, clean_pairs, keep_words
from accord.experiments.demo.experiment import Demo, hide_pairing, make_demo
from accord.experiments.demo.languages import PAIRS, DemoLanguage, find_demo_language
from accord.experiments.demo.samples import find_new_words, sample_evenly
from accord.experiments.demo.seeds import choose_seed, select_frequent, split_single_words
from accord.runs.results import LexiconEntry

needs_packages = pytest.mark.skipif(
    any(find_spec(name) is None for name in (*packages.NEEDED, PAIRS["en-zh"].pack)),
    reason="needs the extra demo",
)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Open File…", "Open File…"),
        (" Status Bar\u200b\u200b ", "Status Bar"),
        ("★ cafe\u0301\ufe0f", " cafe\u0301"),
        ("&File", "File"),
        ("Save _As", "Save As"),
        ("文件(&F)", "文件"),
        ("Terms & Conditions", "Terms & Conditions"),
        ("%s files", None),
        ("%(count)d files", None),
        ("Name: %1", None),
        ("100% sure", "100% sure"),
        ("Hello {name}", None),
        ("<b>bold</b>", None),
        ("a&nbsp;b", None),
        ("see https://example.org", None),
        ("two\nlines", None),
        ("share/locale", None),
        ("the file settings.json", None),
    ],
)
def test_clean(text: str, cleaned: str | None) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("segmented", "words"),
    [("open file …", "open file"), ("gadaba , mudhili", "gadaba mudhili"), ("1 - 2", ""), ("", "")],
)
def test_words_without_punctuation(segmented: str, words: str) -> None:
    assert keep_words(segmented) == words


def test_phrase_pairs() -> None:
    strings = [
        ("Open File…", "Datei öffnen…"),
        ("Open file", "Öffne Datei"),  # another translation
        ("Open a file", "Datei öffnen"),  # the same translation again
        ("Python", "python"),  # not translated
        ("a b c d e f g h i", "zu lang"),
        ("%s files", "%s Dateien"),
        ("", "leer"),
        ("123", "eins"),
        ("Close", "Schließen"),
    ]
    expected = [("open file", "datei öffnen"), ("close", "schließen")]
    assert clean_pairs(strings, ("en", "de")) == expected


def test_phrase_pairs_segment_chinese() -> None:
    assert clean_pairs([("Open the file.", "打开文件。")], ("en", "zh")) == [
        ("open the file", "打开 文件")
    ]


@given(st.integers(0, 200), st.integers(0, 30))
def test_hide(count: int, seeds: int) -> None:
    """All strings but the seeds' are used once; three in eleven lose their target, as many their
    source; nothing is left of the order."""
    pairs = [(f"e{n}", f"f{n}") for n in range(count)]
    demo = hide_pairing(pairs, pairs[:seeds])
    assert demo.seed == pairs[:seeds]
    hidden = set(pairs[seeds:])
    noise = len(hidden) * 3 // 11
    assert set(demo.gold) <= hidden
    assert len(demo.gold) == len(hidden) - 2 * noise
    noise_of = [
        {text[1:] for text in side} - {pair[n][1:] for pair in demo.gold}
        for n, side in enumerate((demo.source, demo.target))
    ]
    assert [len(side) for side in noise_of] == [noise, noise]
    assert not noise_of[0] & noise_of[1]
    assert len(set(demo.source)) == len(demo.source) == len(demo.target)
    assert {e for e, _ in demo.gold} <= set(demo.source)
    assert {f for _, f in demo.gold} <= set(demo.target)
    assert demo == hide_pairing(pairs, pairs[:seeds])
    if len(hidden) > 20:
        assert [text[1:] for text in demo.source] != [text[1:] for text in demo.target]
        assert demo.source != sorted(demo.source)


def test_pairs_count_without_evidence() -> None:
    gold = [
        ("old house", "altes haus"),
        ("red house", "rotes haus"),
        ("cat", "katze"),
        ("a b", "c"),
    ]
    demo = Demo([e for e, _ in gold] + ["cat b"], [f for _, f in gold], [], gold)
    assert demo.count_without_evidence() == 2  # katze and c occur nowhere else


def test_the_seed_is_the_most_frequent() -> None:
    pairs = [("open file", "datei öffnen"), ("new file", "neue datei"), ("new house", "neue burg")]
    entries = [("open", "öffnen"), ("file", "datei"), ("file", "öffnen"), ("tree", "baum")]
    assert select_frequent(entries, pairs) == [("file", "datei"), ("open", "öffnen")]


def test_the_seed_of_other_languages_are_strings_of_one_word() -> None:
    pairs = [("file", "datei"), ("new file", "neue datei"), ("sea horse", "seepferd")]
    assert choose_seed(pairs, "de") == [("file", "datei")]


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        ("to open (a file); unlock", ["open", "unlock"]),
        ("file; computer program", ["file"]),
        ("variant of 文件[wen2 jian4]", []),
        ("Asia", ["asia"]),
    ],
)
def test_glosses(definition: str, words: list[str]) -> None:
    assert list(split_single_words(definition)) == words


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        ("zh-en", "did you mean en-zh"),
        ("EN_DE", "did you mean en-de"),
        ("French", "did you mean en-fr"),
        ("en-nl", "found 'en-nl'$"),
    ],
)
def test_a_pair_that_is_not_offered(pair: str, hint: str) -> None:
    with pytest.raises(SettingError, match=f"pair: expected one of en-zh, en-de, .*{hint}"):
        find_demo_language(pair)


@pytest.mark.parametrize(
    ("project", "what"),
    [('[project]\nname = "accord"\n', "."), ('name = "x"\n', "accord"), (None, "accord")],
)
def test_packages_that_are_missing_are_named(
    project: str | None, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if project:
        (tmp_path / "pyproject.toml").write_text(project)
    monkeypatch.chdir(tmp_path)
    nowhere = PAIRS["en-de"]._replace(pack="no_such_pack")
    words = rf"not installed \(.*no_such_pack\): pip install '{re.escape(what)}\[demo\]'"
    with pytest.raises(AccordError, match=words):
        packages.require_packages(nowhere)


def test_shared_strings() -> None:
    tables = {"a": "one", "b": "two"}, {"b": "zwei", "c": "drei"}
    assert list(packages.join_names(*tables)) == [("two", "zwei")]
    assert packages.split_emoji_name(":red_apple:") == "red apple"


def test_catalogue(tmp_path: Path) -> None:
    messages = pytest.importorskip("babel.messages")
    made = messages.Catalog("de")
    made.add("Open", "Öffnen", context="menu")
    made.add(("%d file", "files"), ("Datei", "Dateien"))
    made.add("not translated", "")
    with (tmp_path / "made.mo").open("wb") as stream:
        pytest.importorskip("babel.messages.mofile").write_mo(stream, made)
    strings = set(packages.read_catalogue(tmp_path / "made.mo"))
    assert strings == {("Open", "Öffnen"), ("%d file", "Datei")}


def make_entry(source: str, target: str, confidence: float = 0.9) -> LexiconEntry:
    return LexiconEntry(source, target, 1.0, 1.0, confidence)


def test_new_words_are_not_in_the_seed_and_differ() -> None:
    new = make_entry("c", "d")
    lexicon = [make_entry("a", "b"), make_entry("pdf", "pdf"), new]
    assert find_new_words(lexicon, [("a", "b")]) == [new]


@given(st.lists(st.floats(0, 1)), st.integers(1, 20))
def test_samples_are_even(confidences: list[float], count: int) -> None:
    learned = [make_entry(str(n), "", value) for n, value in enumerate(confidences)]
    chosen = sample_evenly(learned, count)
    assert len(set(chosen)) == len(chosen) == min(count, len(learned))
    found = [pair.confidence or 0.0 for pair in chosen]
    assert found == sorted(found, reverse=True)
    assert set(chosen) <= set(learned)


def made_up(_: DemoLanguage) -> Iterator[tuple[str, str]]:
    planted = plant(words=100, phrases=600, noise=0, longest=4)
    yield from planted.gold
    yield from planted.lexicon[:40]


def demo(*arguments: str) -> None:
    cli.app(["demo", *arguments], standalone_mode=False)


def test_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "require_packages", lambda _: None)
    monkeypatch.setattr(experiment, "read_translations", made_up)
    monkeypatch.chdir(tmp_path)
    demo("--pair", "en-de")
    out, err = capsys.readouterr()
    assert "Real text with hidden translations is in demo/en-de" in err
    assert "new words, which are not in the seed" in out
    assert re.search(r"F1 [01]\.\d+, precision [01]\.\d+, recall [01]\.\d+", out)
    assert "demo/en-de/run/lexicon.tsv" in out.splitlines()[-1]
    assert (tmp_path / "demo" / "en-de" / "run" / "phrases.tsv").exists()
    demo("--pair", "en-de", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert list(answer) == ["f1", "precision", "recall", "pairs", "gold", "new_words", "files"]
    assert f"{answer['new_words']:,} new words, which" in out
    assert f"F1 {answer['f1']:.3f}" in out


def test_demo_overwrites_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "require_packages", lambda _: None)
    monkeypatch.setattr(experiment, "read_translations", made_up)
    (tmp_path / "seed.tsv").write_text("mine")
    with pytest.raises(
        OutputError, match=r"seed\.tsv: does not belong to the demo; choose another"
    ):
        demo("--pair", "en-de", "--out", str(tmp_path))
    assert (tmp_path / "seed.tsv").read_text() == "mine"


@needs_packages
def test_the_packages_have_enough() -> None:
    made = make_demo(find_demo_language("en-zh"))
    assert len(made.gold) >= 5_000
    assert len(made.source) - len(made.gold) >= 3_000
    assert len(made.seed) == 300
    assert not set(made.seed) & set(made.gold)


@needs_packages
@pytest.mark.parametrize("language", PAIRS.values(), ids=PAIRS)
def test_each_package_has_the_language(language: DemoLanguage) -> None:
    assert len(list(packages.read_jupyterlab(language.pack))) > 500
    assert len(list(packages.read_gramps(language.locales))) > 5_000
    assert len(list(packages.read_iso_codes(language.locales))) > 500
    assert len(list(packages.read_cldr(language.code))) > 1_000
    assert len(list(packages.read_emoji_names(language.code))) > 1_000 or language.code == "pl"


@needs_packages
def test_the_real_demo_in_small_fits_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line of the tables is wider than 80 columns, even with Chinese."""
    strings = list(packages.read_jupyterlab(PAIRS["en-zh"].pack))
    monkeypatch.setattr(experiment, "read_translations", lambda _: iter(strings))
    monkeypatch.setattr(output, "WIDTH", 80)
    demo("--out", str(tmp_path))
    out = capsys.readouterr().out
    tables = out[out.index("new words") : out.index("F1 0.")]
    assert max(map(cell_len, tables.splitlines())) <= 80
    assert "\N{CJK UNIFIED IDEOGRAPH-6587}" in tables
