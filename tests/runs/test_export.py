"""`accord export`: what is in the files, against the run that they come from."""

import gzip
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InputError, OutputError, SettingError
from accord.evidence.decisions import DecisionLog
from accord.evidence.seed import ReviewedEntry
from accord.experiments.artificial import Planted
from accord.formats import ExportFormatName
from accord.formats.moses import read_moses
from accord.formats.readers import READERS
from accord.formats.records import ExportResult, LanguageCodes, LeftOut, Record
from accord.learning.agreement import Links
from accord.learning.search.candidates import listing_threshold
from accord.runs.export import FORMATS, export_run, join_as_written
from accord.runs.export import moses as moses_run
from accord.runs.export.contents import Contents, PairChoice, search_log_q
from accord.runs.export.moses import LinkColumns, weigh_phrase_pairs
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.results import build_lexicon
from accord.settings import Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.conftest import Run, lay_out
from tests.strategies import SOURCE_WORDS, TARGET_WORDS, corpora, directions

KINDS = ("posterior", "inner")


@pytest.fixture(scope="module")
def runs(small: Planted, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with runs of two agreement methods; their words include those special to Moses."""
    folder = tmp_path_factory.mktemp("runs")
    names = dict(zip((e for e, _ in small.lexicon), ("a|b", "&lt;", "NULL"), strict=False))

    def renamed(text: str) -> str:
        return " ".join(names.get(word, word) for word in text.split())

    planted = Planted(
        [renamed(phrase) for phrase in small.source],
        small.target,
        [(renamed(e), f) for e, f in small.lexicon],
        [(renamed(e), f) for e, f in small.gold],
    )
    lay_out(planted, folder, seeds=15)
    for kind in KINDS:
        settings = Settings(agreement=kind)  # type: ignore[arg-type]
        source, target, seed = (folder / f for f in ("source.txt", "target.txt", "seed.tsv"))
        inputs = Inputs.read(source, target, seed, None, settings.max_words)
        learn(inputs, settings, Threads(1), RunFolder(folder / kind))
    return folder


@pytest.fixture
def copy(runs: Path, tmp_path: Path) -> Path:
    shutil.copytree(runs / "posterior", tmp_path / "run")
    return tmp_path / "run"


def columns(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def word_pairs(run: Path) -> set[tuple[str, str]]:
    """Return the pairs of the lexicon, and the phrase pairs of single words."""
    rows = columns(run / "lexicon.tsv") + columns(run / "phrases.tsv")
    return {(e, f) for e, f, *_ in rows if " " not in e + f}


def exported(run: Path, name: ExportFormatName, out: Path, **options: object) -> ExportResult:
    choice = PairChoice(**options)  # type: ignore[arg-type]
    return export_run(RunFolder(run), name, out, choice, ("xx", "yy"))


def test_every_format_has_a_name() -> None:
    assert get_args(ExportFormatName) == tuple(FORMATS)


@pytest.mark.parametrize("kind", KINDS)
def test_moses(kind: str, runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.gz"
    done = exported(runs / kind, "moses", out)
    assert [file.name for file in done.files] == [
        *("table.gz", "table.ini", "table.lex.f2e.gz", "table.lex.e2f.gz")
    ]
    assert f"path={out} " in (tmp_path / "table.ini").read_text()
    table = gzip.decompress(out.read_bytes())
    sort = subprocess.run(
        ["sort", "-c"], input=table, env={**os.environ, "LC_ALL": "C"}, check=False
    )
    assert sort.returncode == 0
    phrases = columns(runs / kind / "phrases.tsv")
    assert done.pairs == len(phrases) == table.count(b"\n") > 100
    records = {record[:2]: record for record in read_moses(out)}
    trained = RunFolder(runs / kind).read_trained()
    for source, target, _, _, alignment, *_ in phrases:
        record = records[source, target]
        assert " ".join(f"{i}-{j}" for i, j in record.alignment) == alignment
        assert 0 < (record.forward or 0) <= 1
    counts = [line.split(b" ||| ")[4].split() for line in table.splitlines()]
    assert {b" ".join(count[:2]) for count in counts} == {b"1 1"}
    # φ are the posteriors, which the run has kept, or one more search has found.
    agreed, log_q = trained.state.agreed, trained.state.log_q
    if kind == "inner":
        assert not len(log_q[0])
        log_q = search_log_q(trained)
        assert all(count[2] == b"1" for count in counts)
    for n, (s, t) in enumerate(zip(agreed.source.tolist(), agreed.target.tolist(), strict=True)):
        record = records[trained.source[s], trained.target[t]]
        assert record.backward == pytest.approx(float(np.exp(log_q[0][n])), rel=1e-5)
        assert record.forward == pytest.approx(float(np.exp(log_q[1][n])), rel=1e-5)


@pytest.mark.parametrize("name", ["my runs", "a#b"])
def test_a_path_that_moses_cannot_read(name: ExportFormatName, runs: Path, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(OutputError, match=f"Moses cannot read the path .*{name}/table in moses"):
        exported(runs / "posterior", "moses", tmp_path / name / "table")
    assert not [*(tmp_path / name).iterdir()]


def test_the_same_bytes_again(runs: Path, tmp_path: Path) -> None:
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        exported(runs / "posterior", "moses", tmp_path / folder / "table.gz")
    for name in ("table.gz", "table.lex.f2e.gz"):
        one, other = ((tmp_path / folder / name).read_bytes() for folder in ("one", "other"))
        assert one == other


@given(st.data())
def test_lexical_weights_against_plain_loops(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, 0.01))
    numbers = np.arange(1, min(len(source), len(target)))
    alignments = []
    for s in numbers.tolist():
        cells = st.tuples(
            st.integers(0, int(source.lengths[s]) - 1), st.integers(0, int(target.lengths[s]) - 1)
        )
        alignments.append(data.draw(st.sets(cells, max_size=4)))
    links = LinkColumns.of([tuple(one) for one in alignments])
    translation = direction.model.translation
    found = weigh_phrase_pairs(source, target, translation, (numbers, numbers), links)
    for s, alignment, weight in zip(numbers.tolist(), alignments, found, strict=True):
        e, f = tuple(source[s].split()), tuple(target[s].split())
        expected = oracle.lexical_weight(direction.table, 0.01, e, f, alignment)
        assert weight == pytest.approx(expected)


def test_no_pairs_have_no_lexical_weights(runs: Path) -> None:
    trained = RunFolder(runs / "posterior").read_trained()
    none = np.empty(0, np.int64)
    model = trained.state.forward.translation
    links = LinkColumns.of([])
    found = weigh_phrase_pairs(trained.source, trained.target, model, (none, none), links)
    assert not len(found)


def test_moses_lex(runs: Path, tmp_path: Path) -> None:
    done = exported(runs / "posterior", "moses-lex", tmp_path / "lex")
    assert [file.name for file in done.files] == ["lex.f2e", "lex.e2f"]
    trained = RunFolder(runs / "posterior").read_trained()
    translation = trained.state.forward.translation
    lines = (tmp_path / "lex.f2e").read_text(encoding="utf-8").splitlines()
    both = len(lines) + len((tmp_path / "lex.e2f").read_text(encoding="utf-8").splitlines())
    assert both == done.pairs
    p = {(e, f): value for f, e, value in (line.split(" ") for line in lines)}
    assert any(e == "NULL" for e, _ in p)
    assert any(e == "a&#124;b" for e, _ in p)
    word = trained.source.vocabulary.index["a|b"]
    places = slice(*translation.offsets[word : word + 2])
    for f, learned in zip(
        translation.targets[places].tolist(), translation.probabilities[places], strict=True
    ):
        floor = translation.room[word] * translation.floors[f]
        assert p["a&#124;b", trained.target.vocabulary.words[f]] == f"{learned + floor:.7f}"
    # Of the word that is spelled like the empty one nothing goes out.
    named = trained.source.vocabulary.index["NULL"]
    there = int(np.diff(translation.offsets)[named])
    back = np.count_nonzero(trained.state.backward.translation.targets == named)
    assert done.left_out["NULL is its name for the empty word"] == there + back > 0
    with pytest.raises(SettingError, match="moses-lex: always has all pairs"):
        exported(runs / "posterior", "moses-lex", tmp_path / "lex", top=3)


def test_probabilities_that_would_be_zero_are_left_out(runs: Path, tmp_path: Path) -> None:
    contents = Contents(RunFolder(runs / "posterior"), PairChoice())
    translation = contents.trained.state.forward.translation
    translation.probabilities[:3] = translation.floors[:] = 1e-12
    done = moses_run.export_moses_lex(contents, tmp_path / "lex", ("", ""))
    assert done.left_out["their probability is 0.0000000 in its lexica"] >= 3
    assert " 0.0000000" not in (tmp_path / "lex.f2e").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["muse", "bitextor", "eflomal", "bicleaner"])
def test_formats_of_words(name: ExportFormatName, kind: str, runs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.gz"
    done = exported(runs / kind, name, out)
    words = word_pairs(runs / kind)
    phrases = columns(runs / kind / "phrases.tsv")
    several = sum(" " in source + target for source, target, *_ in phrases)
    assert done.pairs == len(words)
    assert done.left_out == {"the format holds only single words": several}
    text = gzip.decompress(out.read_bytes()).decode()
    assert all(source in text and target in text for source, target in words)


@pytest.mark.parametrize("name", ["muse", "bitextor", "eflomal", "bicleaner"])
def test_words_that_are_only_in_the_phrases(
    name: ExportFormatName, copy: Path, tmp_path: Path
) -> None:
    words = word_pairs(copy)
    phrases = columns(copy / "phrases.tsv")
    single = {(e, f): p for e, f, _, _, _, p, _ in phrases if " " not in e + f}
    assert len(single) > 10
    (copy / "lexicon.tsv").write_text("", encoding="utf-8")
    done = exported(copy, name, tmp_path / "out.gz")
    assert done.pairs == len(single) <= len(words)
    if name == "eflomal":
        lines = gzip.decompress((tmp_path / "out.gz").read_bytes()).decode().splitlines()
        trained = RunFolder(copy).read_trained()
        agreed, log_q = trained.state.agreed, trained.state.log_q
        q = {
            (trained.source[s], trained.target[t]): np.exp((log_q[0][n] + log_q[1][n]) / 2)
            for n, (s, t) in enumerate(zip(agreed.source, agreed.target, strict=True))
        }
        for _, e, f, alpha in (line.split("\t") for line in lines):
            assert float(alpha) == pytest.approx(float(single[e, f]) * q[e, f], rel=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_confident_pairs_keep_their_numbers(kind: str, runs: Path, tmp_path: Path) -> None:
    done = exported(runs / kind, "muse", tmp_path / "out", top=5)
    assert done.pairs == 5
    assert done.left_out.total() <= 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["tmx", "tbx", "omegat", "csv"])
def test_formats_that_are_read_again(
    name: Literal["tmx", "tbx", "omegat", "csv"], kind: str, runs: Path, tmp_path: Path
) -> None:
    words = {(e, f) for e, f, *_ in columns(runs / kind / "lexicon.tsv")}
    phrases = {(e, f): rest for e, f, *rest in columns(runs / kind / "phrases.tsv")}
    done = exported(runs / kind, name, tmp_path / "out")
    read = READERS[name](tmp_path / "out", ("xx", "yy")).records
    found = {record[:2]: record for record in read}
    assert done.pairs == len(found)
    assert found.keys() == phrases.keys() | (set() if name == "tmx" else words)
    for pair in phrases.keys() - words:
        forward, backward = found[pair][2:4]
        assert forward is not None
        assert backward is not None
        assert 0 < forward <= 1.001
        assert 0 < backward <= 1.001
        if kind == "posterior":
            assert found[pair].confidence == float(phrases[pair][3])


def test_decisions_are_exported(small: Planted, tmp_path: Path) -> None:
    right, wrong = small.lexicon[0], small.lexicon[1]
    first = Inputs.of(small.source, small.target, small.lexicon[:25], None, 20)
    start = learn(first, Settings(held_out=0.0), Threads(1)).trained
    assert wrong in {entry[:2] for entry in build_lexicon(start)}
    judged: list[ReviewedEntry] = [(*right, "accepted"), (*wrong, "rejected")]
    inputs = Inputs.of(small.source, small.target, judged, None, 20, start)
    learn(inputs, Settings(held_out=0.0), Threads(1), RunFolder(tmp_path / "run"))
    lines = columns(tmp_path / "run" / "lexicon.tsv")
    assert [*wrong] not in [line[:2] for line in lines]  # it is not learned again, but told
    done = exported(tmp_path / "run", "csv", tmp_path / "t.csv")
    assert not done.left_out
    told = {
        record[:2]: record.status
        for record in READERS["csv"](tmp_path / "t.csv", (None, None)).records
    }
    assert {pair: status for pair, status in told.items() if status} == {
        right: "accepted",
        wrong: "rejected",
    }
    exported(tmp_path / "run", "hunalign", tmp_path / "dic")
    assert f"{wrong[1]} @ {wrong[0]}" not in (tmp_path / "dic").read_text().splitlines()


def test_languages_without_spaces() -> None:
    pairs = [
        Record("经济 危机", "economic crisis", alignment=((0, 0), (1, 1))),
        Record("Linux 内核 5.4", "Linux kernel 5.4"),
        Record("a b", "c d", alignment=((0, 0),)),
    ]
    taken: list[Record] = []

    def take(_: Path, records: Iterable[Record], __: LanguageCodes) -> LeftOut:
        taken.extend(records)
        return LeftOut()

    join_as_written(take)(Path(), pairs, ("zh-CN", "en"))
    joined = [Record("经济危机", "economic crisis"), Record("Linux内核5.4", "Linux kernel 5.4")]
    assert taken == [*joined, pairs[2]]
    taken.clear()
    elided = Record("d' abord l' eau", "water first", alignment=((0, 1), (3, 0)))
    join_as_written(take)(Path(), [elided], ("fr", "en"))
    assert taken == [Record("d'abord l'eau", "water first")]
    taken.clear()
    join_as_written(take)(Path(), pairs, ("", ""))
    assert taken == pairs


@pytest.mark.parametrize("kind", KINDS)
def test_formats_of_phrases(kind: str, runs: Path, tmp_path: Path) -> None:
    words = {(e, f) for e, f, *_ in columns(runs / kind / "lexicon.tsv")}
    phrases = {(e, f) for e, f, *_ in columns(runs / kind / "phrases.tsv")}
    expected: dict[ExportFormatName, set[tuple[str, str]]] = {
        "extract": phrases,
        "fast-align": phrases,
        "hunalign": phrases | words,
    }
    for name, pairs in expected.items():
        done = exported(runs / kind, name, tmp_path / name)
        assert done.pairs == len(pairs)
        assert not done.left_out
    dictionary = (tmp_path / "hunalign").read_text(encoding="utf-8").splitlines()
    assert {(e, f) for f, e in (line.split(" @ ") for line in dictionary)} == phrases | words
    lines = (tmp_path / "extract").read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)


@pytest.mark.parametrize("name", ["moses", "hunalign", "muse"])
def test_the_most_confident_pairs(name: ExportFormatName, runs: Path, tmp_path: Path) -> None:
    """By their confidence or, without it, by the probabilities of both directions."""
    files = ["phrases.tsv", "lexicon.tsv"][: 1 + (name != "moses")]
    sure: dict[tuple[str, str], float] = {}
    for file in files:
        for source, target, *numbers in columns(runs / "posterior" / file):
            p = numbers[3 if file == "phrases.tsv" else 2]
            if name != "muse" or " " not in source + target:
                sure[source, target] = max(float(p), sure.get((source, target), 0.0))
    least = sorted(sure.values())[len(sure) // 2]
    done = exported(runs / "posterior", name, tmp_path / "out", min_confidence=least)
    assert done.pairs == sum(p >= least for p in sure.values())
    assert 0 < done.pairs < len(sure)
    for kind in KINDS:
        assert exported(runs / kind, name, tmp_path / "out", top=7).pairs == 7
        assert len((tmp_path / "out").read_text(encoding="utf-8").splitlines()) == 7
    exported(runs / "posterior", name, tmp_path / "out", top=7)
    if name == "moses":
        kept = [sure[record[:2]] for record in read_moses(tmp_path / "out")]
        assert sorted(kept) == sorted(sure.values())[-7:]
    with pytest.raises(SettingError, match="inner: its pairs have no confidence"):
        exported(runs / "inner", name, tmp_path / "out", min_confidence=0.5)


def test_the_best_pairs_of_the_papers_methods(runs: Path, tmp_path: Path) -> None:
    exported(runs / "inner", "moses", tmp_path / "all")
    exported(runs / "inner", "moses", tmp_path / "some", top=20)
    product = {r[:2]: (r.forward or 0) * (r.backward or 0) for r in read_moses(tmp_path / "all")}
    kept = [product[record[:2]] for record in read_moses(tmp_path / "some")]
    assert sorted(kept) == sorted(product.values())[-20:]


def test_an_agreed_pair_that_is_no_candidate(runs: Path) -> None:
    """It gets the highest value that the search may have left out."""
    trained = RunFolder(runs / "inner").read_trained()
    agreed = trained.state.agreed
    moved = Links.certain(np.roll(agreed.source, 1), agreed.target)
    found = search_log_q(trained._replace(state=trained.state._replace(agreed=moved)))
    most = listing_threshold(trained.settings) / 2
    assert np.count_nonzero((found[0] == most) & (found[1] == most)) > len(agreed) // 2


def test_lines_may_be_removed_but_not_changed(copy: Path, tmp_path: Path) -> None:
    phrases = copy / "phrases.tsv"
    row_of_lexicon = (copy / "lexicon.tsv").read_text(encoding="utf-8").splitlines(True)[0]
    lines = phrases.read_text(encoding="utf-8").splitlines(keepends=True)
    phrases.write_text("".join(lines[::2]), encoding="utf-8")
    kept = {tuple(line.split("\t")[:2]) for line in lines[::2]}
    exported(copy, "moses", tmp_path / "out")
    assert {record[:2] for record in read_moses(tmp_path / "out")} == kept
    phrases.write_text("".join(lines).replace(lines[1], "new\t" + lines[1].split("\t", 1)[1]))
    with pytest.raises(InputError, match="line 2: expected a pair that the model has agreed on"):
        exported(copy, "moses", tmp_path / "out")
    row = lines[0].split("\t")
    for changed in ("a\tb\n", "\t".join([*row[:5], "sure\n"])):
        phrases.write_text(lines[0] + changed, encoding="utf-8")
        with pytest.raises(InputError, match="line 2: expected two phrases, two numbers, word l"):
            exported(copy, "extract", tmp_path / "out")
    for links in ("0:0", "0-99", "0- 0", "-1-0", "0-0-0", "x"):
        phrases.write_text("\t".join([*row[:4], links, row[5]]), encoding="utf-8")
        message = rf"phrases\.tsv, line 1: expected word links of .* found '{links}'"
        for name in ("moses", "extract"):
            with pytest.raises(InputError, match=message):
                exported(copy, name, tmp_path / "out")
    phrases.write_text("", encoding="utf-8")
    assert exported(copy, "moses", tmp_path / "out").pairs == 0
    (copy / "lexicon.tsv").write_text("a\tb\t1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"lexicon\.tsv, line 1: expected two words and 3 prob"):
        exported(copy, "muse", tmp_path / "out")
    words = row_of_lexicon
    (copy / "lexicon.tsv").write_text(words + words.replace("\t", "x\t", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"lexicon\.tsv, line 2: expected a word pair of the mod"):
        exported(copy, "muse", tmp_path / "out")


def test_numbers_come_from_the_model(copy: Path, tmp_path: Path) -> None:
    """Numbers that a spreadsheet has reformatted are ignored."""
    exported(copy, "csv", tmp_path / "before")
    for name in ("lexicon.tsv", "phrases.tsv"):
        rows = [[*row[:2], *(["7e-1"] * 2), *row[4:]] for row in columns(copy / name)]
        text = "".join("\t".join(row) + "\n" for row in rows)
        (copy / name).write_text(text, encoding="utf-8")
    exported(copy, "csv", tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()


def test_languages(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="bitextor: needs the languages, which"):
        export_run(RunFolder(copy), "bitextor", tmp_path / "out")
    record = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps(record | {"languages": ["zh", "en"]}))
    export_run(RunFolder(copy), "bitextor", tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8").startswith("zh\ten\n")
    export_run(RunFolder(copy), "bitextor", tmp_path / "out", languages=("yue", None))
    assert (tmp_path / "out").read_text(encoding="utf-8").startswith("yue\ten\n")
    export_run(RunFolder(copy), "bitextor", tmp_path / "out", languages=("chinese", "pt_BR"))
    assert (tmp_path / "out").read_text(encoding="utf-8").startswith("zh\tpt-BR\n")
    with pytest.raises(InputError, match="expected a language code or name such as zh"):
        export_run(RunFolder(copy), "bitextor", tmp_path / "none", languages=('"><x', None))
    assert not (tmp_path / "none").exists()


def test_a_hint_about_spaces_without_languages(copy: Path, tmp_path: Path) -> None:
    told: list[str] = []
    for languages in ((None, None), ("zh", None), ("zh", "en")):
        export_run(
            RunFolder(copy), "omegat", tmp_path / "out", PairChoice(), languages, told.append
        )
    sentence = (
        "omegat: the languages are not known, so Chinese, Japanese and Thai keep their spaces, "
        "and clitics theirs (l' école); "
        "give --source-lang and --target-lang"
    )
    assert told == [sentence] * 2
    export_run(RunFolder(copy), "csv", tmp_path / "out", tell=told.append)
    assert len(told) == 2


@pytest.mark.parametrize("name", ["csv", "muse", "moses", "tmx"])
def test_identical_pairs_can_be_left_out(
    name: ExportFormatName, run_with_names: Path, tmp_path: Path
) -> None:
    whole = exported(run_with_names, name, tmp_path / "whole.gz")
    done = exported(run_with_names, name, tmp_path / "out.gz", no_identical=True)
    rows = columns(run_with_names / "phrases.tsv")
    if name in ("csv", "muse"):
        rows += columns(run_with_names / "lexicon.tsv")
    identical = {(e, f) for e, f, *_ in rows if e == f}
    assert len(identical) > 3
    assert done.left_out["both sides are identical"] == len(identical)
    counted = {e for e, _ in identical if name != "muse" or " " not in e}
    assert done.pairs == whole.pairs - len(counted)


def test_no_identical_pair_comes_from_a_decision(run_with_names: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(run_with_names, copy)
    with DecisionLog(copy / "review.sqlite") as decisions:
        decisions.decide("word", "berlin", "berlin", "accepted")
    for no_identical in (False, True):
        exported(copy, "csv", tmp_path / "out", no_identical=no_identical)
        text = (tmp_path / "out").read_text(encoding="utf-8")
        assert ("berlin,berlin" in text) is not no_identical
    with pytest.raises(SettingError, match="omit --min-confidence, --top and --no-identical"):
        exported(copy, "seed", tmp_path / "out", no_identical=True)


def test_pairs_of_both_kinds_are_explained(runs: Path, tmp_path: Path) -> None:
    folder = RunFolder(runs / "posterior")
    words, phrases = len(word_pairs(folder.path)), len(folder.read_phrase_pairs())
    done = export_run(folder, "csv", tmp_path / "out")
    both = words + phrases - done.pairs
    assert both > 1
    rest = f"{both} pairs are both, and written once"
    assert done.note == f"{words} word pairs and {phrases} phrase pairs; {rest}"
    done = export_run(folder, "tmx", tmp_path / "out", languages=("de", "en"))
    assert (done.pairs, done.note) == (phrases, "")


def test_paths_that_cannot_be_written(runs: Path, copy: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="expected the name of a file, found a folder"):
        exported(runs / "inner", "muse", tmp_path)
    with pytest.raises(OutputError, match=r"there is no folder .*none"):
        exported(runs / "inner", "muse", tmp_path / "none" / "out")
    for own in ("phrases.tsv", "model/out"):
        with pytest.raises(OutputError, match="belongs to the run itself; choose another file"):
            exported(copy, "muse", copy / own)
    with pytest.raises(OutputError, match="standard output: the format writes several files"):
        exported(runs / "inner", "moses", Path("-"))


def test_the_command(runs: Path, accord: Run) -> None:
    done = accord("export", runs / "posterior", "--to", "bicleaner", "--out", "d.gz")
    words = len(word_pairs(runs / "posterior"))
    assert done.stdout == f"{words} pairs in d.gz, d.reverse.gz\n"
    assert re.fullmatch(
        r"bicleaner: \d+ pairs left out: the format holds only single words\n"
        rf"bicleaner: {words} word pairs and \d+ phrase pairs of single words; \d+ pairs? (is|are) "
        r"both, and written once\n",
        done.stderr,
    )
    done = accord("export", runs / "inner", "--to", "moses", "--out", "t", "--top", 1)
    assert not done.returncode, done.stderr
    assert done.stdout == "1 pair in t, t.ini, t.lex.f2e, t.lex.e2f\n"
    assert done.stderr.startswith("The run has not stored the probabilities of its phrases")
    done = accord("export", runs / "posterior", "--to", "muse", "--out", "-")
    assert len(done.stdout.splitlines()) == words
    assert f"{words} pairs in -" in done.stderr


def test_errors_are_one_sentence(copy: Path, tmp_path: Path, accord: Run) -> None:
    def failing(*arguments: object) -> str:
        done = accord("export", *arguments, "--out", "out")
        assert done.returncode == 2
        assert not done.stdout
        assert not (tmp_path / "out").exists()
        return done.stderr

    assert "none: expected the folder of a finished run" in failing("none", "--to", "muse")
    assert "'sumerian' is not one of 'moses'" in failing(copy, "--to", "sumerian")
    array = copy / "model" / "agreed.source.npy"
    array.write_bytes(array.read_bytes()[:-1] + b"x")
    error = failing(copy, "--to", "muse")
    assert "agreed.source.npy: damaged" in error
    assert error.count("\n") == 1
    record = json.loads((copy / "run.json").read_text())
    record["model"]["version"] += 1
    (copy / "run.json").write_text(json.dumps(record))
    assert "use a newer accord" in failing(copy, "--to", "muse")
