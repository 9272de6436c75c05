"""`accord adapt`: translation with a table of another domain and non-parallel text."""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord import translate_sentences
from accord.errors import AccordError, InputError, OutputError, SettingError
from accord.experiments.artificial import plant
from accord.runs.folder import IfExists
from accord.system.runners.threads import Threads
from accord.translate.adaptation.evaluation import AdaptationResult
from accord.translate.adaptation.folder import AdaptationFolder
from accord.translate.adaptation.inputs import (
    AdaptationInputs,
    AdaptationPlan,
    PhraseLimits,
    SentencePairs,
)
from accord.translate.adaptation.pipeline import adapt
from accord.translate.adaptation.starting_pairs import (
    StartingPairs,
    read_outside_table,
    seed_from_links,
)
from accord.translate.adaptation.texts import Texts, write_texts
from accord.translate.table_training import LinkedPair
from tests.conftest import Run, tab_separated

pytest.importorskip("sacrebleu")


def test_the_words_of_a_table_are_the_seed() -> None:
    pairs = [
        LinkedPair("a b", "x y", [(0, 0), (1, 1)]),
        LinkedPair("a", "x", [(0, 0)]),
        LinkedPair("a", "z", [(0, 0)]),
        LinkedPair("c d", "w", []),
    ]
    assert seed_from_links(pairs) == [("a", "x"), ("a", "z"), ("b", "y")]
    many = [*pairs, *[LinkedPair("a", "x", [(0, 0)])] * 3]
    assert seed_from_links(many) == [("a", "x"), ("b", "y")]
    assert seed_from_links([LinkedPair("c d", "w", [])]) == []


def test_tables_of_another_domain(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("\nDas Haus\tthe house\n \nHaus\thouse\n\n")
    assert read_outside_table(tmp_path / "t") == [
        LinkedPair("das haus", "the house", []),
        LinkedPair("haus", "house", [(0, 0)]),
    ]
    (tmp_path / "m").write_text("das Haus ||| the house ||| 1 1 1 1 ||| 0-0 1-1 ||| 1 1 1 |||\n")
    assert read_outside_table(tmp_path / "m") == [
        LinkedPair("das haus", "the house", ((0, 0), (1, 1)))
    ]
    (tmp_path / "t").write_text("CAFE\u0301\tO\u0308l\n", encoding="utf-8")
    assert read_outside_table(tmp_path / "t") == [LinkedPair("caf\u00e9", "\u00f6l", [(0, 0)])]
    (tmp_path / "t").write_text("one column\n")
    with pytest.raises(InputError, match="line 1: expected two phrases with a tab between them"):
        read_outside_table(tmp_path / "t")
    (tmp_path / "t").write_text("")
    with pytest.raises(InputError, match="t: expected phrase pairs, found none"):
        read_outside_table(tmp_path / "t")
    with pytest.raises(InputError, match=r"standard input \(-\): expected a file, as the table is"):
        read_outside_table(Path("-"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("table", "a b\tx y\n", "table: expected pairs of single words or word links, which"),
        ("table", "q\tr\n", "table: none of its 1 entries has its words in both corpora"),
        ("words", "", "words: expected sentences, one per line, found no word"),
        ("words", "x\n", "words: expected sentences of 2 or more words, which 4-grams need"),
    ],
)
def test_errors_name_what_was_given(tmp_path: Path, name: str, text: str, message: str) -> None:
    for file, lines in (("table", "a\tx\n"), ("s", "a b\n"), ("t", "x y\n"), ("words", "x y z\n")):
        (tmp_path / file).write_text(lines)
    (tmp_path / "pairs.tsv").write_text("a\tx\n")
    (tmp_path / name).write_text(text)
    table, s, t, pairs, words = (
        tmp_path / file for file in ("table", "s", "t", "pairs.tsv", "words")
    )
    plan = AdaptationPlan(
        outside=table,
        texts=(s, t),
        dev=[pairs],
        test=[pairs],
        lm_text=words,
        languages=("en", "de"),
        iterations=1,
        phrases=PhraseLimits(1, 2),
        order=4,
    )

    def read() -> None:
        plan.read(print)
        write_texts(plan, tmp_path)

    with pytest.raises(InputError, match=f"^{tmp_path / message}"):
        read()


def test_sacrebleu_is_required_before_files_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    none = Path("none")
    plan = AdaptationPlan(
        outside=none,
        texts=(none, none),
        dev=[none],
        test=[none],
        lm_text=none,
        languages=("en", "de"),
    )
    with pytest.raises(InputError, match="none: no such file"):
        plan.read(print)
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(AccordError, match="BLEU needs sacrebleu: pip install"):
        plan.read(print)


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two texts of synthetic sentences that are not parallel, a dictionary and sentence pairs."""
    folder = tmp_path_factory.mktemp("texts")
    planted = plant(words=80, phrases=200, noise=0, random=5)
    generator = np.random.default_rng(0)
    drawn = [[planted.gold[n] for n in generator.integers(0, 200, 2)] for _ in range(500)]
    pairs = [(" ".join(e for e, _ in two), " ".join(f for _, f in two)) for two in drawn]
    (folder / "seed.tsv").write_text(tab_separated(planted.lexicon[:30]))
    (folder / "outside.tsv").write_text(tab_separated(planted.gold[:10]))
    (folder / "dev.tsv").write_text(tab_separated(pairs[:20]))
    (folder / "test.tsv").write_text(tab_separated(pairs[20:50]))
    (folder / "s.txt").write_text("".join(f"{e}\n" for e, _ in pairs[50:270]))
    (folder / "t.txt").write_text("".join(f"{f}\n" for _, f in pairs[270:]))
    return folder


def make_plan(folder: Path, **changes: Any) -> AdaptationPlan:
    plan = AdaptationPlan(
        outside=folder / "outside.tsv",
        seed=folder / "seed.tsv",
        texts=(folder / "s.txt", folder / "t.txt"),
        dev=[folder / "dev.tsv"],
        test=[folder / "test.tsv"],
        lm_text=folder / "t.txt",
        languages=("en", "de"),
        phrases=PhraseLimits(2),
        order=3,
        iterations=4,
        rounds=1,
        sample=150,
    )
    return replace(plan, **changes)


def run(
    plan: AdaptationPlan, out: Path, if_exists: IfExists = "refuse", threads: int = 2
) -> AdaptationResult:
    def read(plan: AdaptationPlan) -> AdaptationInputs:
        return plan.read(lambda _: None)

    return adapt(plan, out, Threads(threads), if_exists, read, lambda _: None)


def read_files(folder: Path) -> dict[str, object]:
    """Return the contents of all files, without the times that steps took."""
    found: dict[str, object] = {
        path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()
    }
    results = json.loads((folder / "results.json").read_text())
    for row in results["rows"]:
        del row["seconds"]
    return found | {"results.json": results, "report.html": None}


@pytest.fixture(scope="module")
def adapted(texts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("adapted") / "out"
    run(make_plan(texts), out)
    return out


def test_every_step_translates_better(adapted: Path) -> None:
    result = AdaptationResult.read(adapted / "results.json")
    methods = [*dict.fromkeys(row.method for row in result.rows)]
    assert methods == ["first table", "posterior", "back-off", "back-translation"]
    scores = {row.method: row for row in result.rows}  # of the last iterations
    bleu = {name: row.bleu or 0 for name, row in scores.items()}
    assert bleu["first table"] + 10 < bleu["posterior"]
    assert bleu["posterior"] < bleu["back-translation"]
    assert scores["first table"].unknown == pytest.approx(0.35, abs=0.15)
    assert (scores["back-off"].unknown or 0) < (scores["posterior"].unknown or 0)
    best = result.rows[result.chosen]
    assert best.dev_bleu == max(row.dev_bleu or 0 for row in result.rows)
    assert "case:lc" in result.signatures["BLEU"]
    assert result.p_values["first table"] < 0.01
    assert len(result.samples) == 20
    assert {"source", "reference", best.name} <= result.samples[0].keys()


def test_an_interrupted_adaptation_is_resumed(
    texts: Path, adapted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted in each of its steps, and with another number of threads."""
    plan, out = make_plan(texts), tmp_path / "out"
    step, done = AdaptationFolder.step, list[str]()

    def interrupt(self: AdaptationFolder, name: str, fill: Callable[[Path], object]) -> Path:
        def fill_half(folder: Path) -> None:
            fill(folder)
            if name not in done:
                done.append(name)
                raise KeyboardInterrupt

        return step(self, name, fill_half)

    monkeypatch.setattr(AdaptationFolder, "step", interrupt)
    interrupted = 0
    while True:
        try:
            run(plan, out, "resume", threads=1)
            break
        except KeyboardInterrupt:
            interrupted += 1
    assert interrupted == len(done) == 5
    assert read_files(out) == read_files(adapted)
    assert run(plan, out, "resume").rows == AdaptationResult.read(out / "results.json").rows
    with pytest.raises(OutputError, match="of another adaptation: different --rounds"):
        run(make_plan(texts, rounds=2), out, "resume")
    with pytest.raises(OutputError, match="out: exists; replace it with --force"):
        run(plan, out)
    (out / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"holds notes.txt, which is no result"):
        run(plan, out, "replace")


def test_without_sentence_pairs(texts: Path, tmp_path: Path) -> None:
    """Two texts and a dictionary are enough; weights are tuned on back-translations."""
    plan = make_plan(texts, outside=None, dev=[], test=[], rounds=1)
    write_texts(plan, tmp_path)
    chosen = Texts.read(tmp_path)
    for held_out, sample in zip(chosen.held_out, chosen.sample, strict=True):
        assert held_out
        assert not {*map(" ".join, held_out)} & {*map(" ".join, sample)}
    result = run(plan, tmp_path / "out")
    assert all(row.bleu is row.dev_bleu is None for row in result.rows)
    assert result.rows[result.chosen].name == "back-translation 1"
    test = SentencePairs.read([texts / "test.tsv"], plan.languages, plan.preparations).forward
    job = translate_sentences([" ".join(words) for words in test.sentences], tmp_path / "out")
    assert test.references.bleu(job).score > 35
    with pytest.raises(SettingError, match="expected a seed dictionary or a table, found neither"):
        make_plan(texts, outside=None, seed=None)


def test_too_little_text(texts: Path, tmp_path: Path) -> None:
    """Too little to hold out sentences, and then too little to translate any."""
    for name, side in (("s.txt", 0), ("t.txt", 1)):
        lines = (texts / "seed.tsv").read_text().splitlines()
        (tmp_path / name).write_text("".join(f"{line.split(chr(9))[side]}\n" for line in lines))
    small = tmp_path / "s.txt", tmp_path / "t.txt"
    changes = {"texts": small, "lm_text": small[1], "phrases": PhraseLimits(1), "order": 1}
    with pytest.raises(InputError, match=r"s.txt: expected at least 10 sentences to tune on"):
        run(make_plan(texts, **changes, dev=[]), tmp_path / "a")
    result = run(make_plan(texts, **changes), tmp_path / "b")
    assert "back-translation" not in {row.method for row in result.rows}


def test_entries_of_a_dictionary_are_the_seed(tmp_path: Path) -> None:
    """All of them, with several translations of a word and with the decisions of reviewers."""
    words = ["Ufer", "Bank", "Sitzbank", "Geldinstitut"]
    lines = [f"bank\t{word}" for word in words] + ["bank\tHaus\trejected"]
    (tmp_path / "seed.tsv").write_text("\n".join(lines))
    (tmp_path / "table.tsv").write_text("house\thaus\nbank\tufer\n")
    plan = make_plan(tmp_path)
    start = StartingPairs.read(None, tmp_path / "seed.tsv", plan.preparations)
    assert [pair.target for pair in start.pairs] == sorted(word.lower() for word in words)
    assert start.seed == [*(("bank", word) for word in sorted(words)), ("bank", "Haus", "rejected")]
    both = StartingPairs.read(tmp_path / "table.tsv", tmp_path / "seed.tsv", plan.preparations)
    assert [*both.seed[:2], *start.seed] == both.seed
    assert len(both.pairs) == 6


def test_the_best_step_is_kept(texts: Path, tmp_path: Path) -> None:
    """With cyclic tuning, the development set still chooses; here, posterior finds nothing new."""
    words = (texts / "s.txt").read_text().split(), (texts / "t.txt").read_text().split()
    for name, side in (("s.txt", 0), ("t.txt", 1)):
        generator = np.random.default_rng(side)
        lines = (" ".join(generator.choice(words[side], 5)) for _ in range(60))
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    plan = make_plan(texts, texts=(tmp_path / "s.txt", tmp_path / "t.txt"), cyclic=True)
    result = run(plan, tmp_path / "out")
    scores = [row.dev_bleu or 0 for row in result.rows]
    assert result.chosen == scores.index(max(scores))
    assert len({row.method for row in result.rows}) == 4


@pytest.mark.parametrize("stop", ["start", "finish"])
def test_a_kill_between_two_files(
    stop: str, texts: Path, adapted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the record is written, and while the steps are removed."""
    out = tmp_path / "out"
    if stop == "finish":
        shutil.copytree(adapted, out)
        (out / "steps" / "texts").mkdir(parents=True)
        monkeypatch.setattr(shutil, "rmtree", interrupt_call)
        with pytest.raises(KeyboardInterrupt):
            AdaptationFolder(out).finish()
        monkeypatch.undo()
    else:
        out.mkdir()
        shutil.copy(adapted / "run.json", out)
        plan = make_plan(texts, rounds=0, back_off=False, iterations=1)
        (out / "run.json").write_text(json.dumps(plan.make_record()))
        assert run(plan, out, "resume").rows[-1].method == "posterior"
        return
    before = read_files(out)
    run(make_plan(texts), out, "resume")
    assert read_files(out) == before


def interrupt_call(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_files_that_are_not_of_an_adaptation_are_kept(texts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "table.gz").write_bytes(b"mine")
    with pytest.raises(OutputError, match=r"of another adaptation: no run.json"):
        run(make_plan(texts), out, "resume")
    (out / "run.json").write_text("{}")
    with pytest.raises(OutputError, match="of another adaptation"):
        run(make_plan(texts), out, "resume")
    assert (out / "table.gz").read_bytes() == b"mine"
    (out / "results.json").write_text("{}")
    with pytest.raises(InputError, match=r"results.json: expected the results of adapt"):
        AdaptationResult.read(out / "results.json")


def test_the_methods_of_the_paper_are_compared(texts: Path, tmp_path: Path) -> None:
    plan = make_plan(texts, seed=texts / "seed.tsv", compare=True, rounds=0, back_off=False)
    result = run(plan, tmp_path / "out")
    rows = {(row.method, row.iteration): row for row in result.rows}
    for method in ("source → target", "target → source", "outer", "inner"):
        assert {n for name, n in rows if name == method} == {*range(1, 11)}
    assert (rows["outer", 10].bleu or 0) > (rows["first table", 0].bleu or 0)
    assert result.rows[result.chosen].method == "posterior"


def test_the_command(accord: Run, texts: Path, tmp_path: Path) -> None:
    for name in ("s.txt", "t.txt", "seed.tsv", "test.tsv"):
        (tmp_path / name).write_bytes((texts / name).read_bytes())
    command = (
        *("adapt", "s.txt", "t.txt", "--seed", "seed.tsv", "--test", "test.tsv"),
        *("--source-lang", "en", "--target-lang", "de", "--iterations", 3),
        *("--min-count", 2, "--rounds", 1, "--sample", 100, "--out", "out"),
    )
    # A development set may be two files with equally many lines.
    pairs = [line.split("\t") for line in (texts / "dev.tsv").read_text().splitlines()]
    for name, side in (("dev.en", 0), ("dev.de", 1)):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
    (tmp_path / "short.de").write_text(f"{pairs[0][1]}\n")
    done = accord(*command, "--dev", "dev.en", "--dev", "short.de")
    assert done.returncode == 2
    assert "dev.en and short.de: expected the same number of lines, found 20 and 1" in done.stderr
    done = accord(*command, "--dev", "dev.en", "--dev", "dev.de")
    assert done.returncode == 0, done.stderr
    assert "back-translation 1" in done.stdout
    assert "chrF2" in done.stdout
    page = (tmp_path / "out" / "report.html").read_bytes()
    assert accord("report", "out", "--no-open").returncode == 0
    assert (tmp_path / "out" / "report.html").read_bytes() == page
    assert "translate with: accord translate out" in done.stdout
    sentence = pairs[0][0]
    translated = accord("translate", "out", stdin=f"{sentence}\n\n".encode())
    assert translated.returncode == 0, translated.stderr
    assert len(translated.stdout.splitlines()) == 2
    listed = accord("translate", "out", "--top", 3, stdin=f"{sentence}\n".encode())
    assert "TranslationModel1= " in listed.stdout
    again = accord(*command, "--dev", "dev.en", "--dev", "dev.de")
    assert again.returncode == 2
    assert "out: exists; replace it with --force" in again.stderr
    resumed = accord(*command, "--dev", "dev.en", "--dev", "dev.de", "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert "is finished; nothing was done" in resumed.stderr
    assert json.loads(resumed.stdout)["rows"][0]["method"] == "first table"
    neither = [part for part in command if part not in ("--seed", "seed.tsv")]
    assert "expected a seed dictionary or a table, found neither" in accord(*neither).stderr
