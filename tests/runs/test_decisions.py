"""The effects of decisions: on learning, on exports and on queries; and the review order."""

import json
import shutil
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from accord import Accord
from accord.errors import InputError
from accord.evidence.decisions import DecisionLog
from accord.evidence.seed import read_seed
from accord.experiments.artificial import Planted, plant
from accord.experiments.synthesis.experiment import Experiment
from accord.formats import ImportFormatName
from accord.formats.readers import READERS
from accord.runs.evaluation import Gold
from accord.runs.export import export_run
from accord.runs.export.contents import PairChoice
from accord.runs.folder import RunFolder
from accord.runs.learn import learn
from accord.settings import Settings
from accord.system.runners.threads import Threads
from accord.web.review.precision import rank_by_information
from benchmarks.decisions import decide_by_gold, informative_pairs
from benchmarks.harness import make_inputs
from tests.conftest import Run

LEARN = ["learn", "source.txt", "target.txt", "--seed", "seed.tsv", "--out", "out"]


def test_the_uncertain_and_frequent_come_first() -> None:
    confidence = np.array([0.5, 0.99, 0.5, 1.0, 0.0, 0.45, 0.9])
    support = np.array([1, 1_000, 9, 1_000, 1_000, 9, 2])
    assert rank_by_information(confidence, support).tolist() == [2, 5, 0, 6, 1, 3, 4]


def test_f1_rises_with_200_decisions() -> None:
    """The first pairs of the review page, decided by the gold pairs."""
    planted = plant(words=400, phrases=600, noise=900, random=4)
    true = len(planted.gold)
    noise = planted.source[true:], planted.target[true:]
    made = Experiment(planted.gold, *noise, planted.lexicon)
    before = learn(make_inputs(made, 900, 15), Settings(), Threads(2))
    gold = Gold.of(made.gold)
    shown = informative_pairs(before)[:200]
    decided = decide_by_gold(shown, gold)
    after = learn(make_inputs(made, 900, 15, decided), Settings(), Threads(2))
    found, wrong = before.trained.pairs(), {*decided.rejected}
    at_once = gold.score(pair for pair in found if pair not in wrong).f1
    first, last = before.trace[-1]["f1"], after.trace[-1]["f1"]
    assert first < 0.85
    # More than what the decisions themselves take out.
    assert last > at_once + 0.02 > first + 0.02
    others = gold.score(pair for pair in after.trained.pairs() if pair not in shown)
    assert others.f1 > gold.score(pair for pair in found if pair not in shown).f1


@pytest.fixture
def reviewed(small_run: Path, tmp_path: Path) -> Path:
    """A run with decisions on two phrase pairs and one word pair, and with a corrected pair."""
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    pairs = RunFolder(folder).read_phrase_pairs()
    with DecisionLog(folder / "review.sqlite") as decisions:
        decisions.decide("phrase", *pairs[0], "accepted")
        decisions.decide("phrase", *pairs[1], "rejected")
        decisions.decide("phrase", *pairs[2], "corrected", (pairs[2][0], f"{pairs[2][1]} mended"))
        decisions.decide("phrase", *pairs[3], "skipped")
        decisions.decide("word", *_first_word(folder), "rejected")
    return folder


def _first_word(folder: Path) -> tuple[str, str]:
    e, f = (folder / "lexicon.tsv").read_text(encoding="utf-8").split("\t")[:2]
    return e, f


def _statuses(path: Path, form: ImportFormatName) -> dict[tuple[str, str], str]:
    records = READERS[form](path, (None, None)).records
    return {record[:2]: record.status for record in records if record.status}


@pytest.mark.parametrize("form", ["csv", "tbx", "omegat", "tmx"])
def test_export_writes_the_status(
    form: Literal["csv", "tbx", "omegat", "tmx"], reviewed: Path, tmp_path: Path
) -> None:
    pairs = RunFolder(reviewed).read_phrase_pairs()
    export_run(RunFolder(reviewed), form, tmp_path / "out", languages=("en", "de"))
    told = _statuses(tmp_path / "out", form)
    assert told == {
        pairs[0]: "accepted",
        pairs[1]: "rejected",
        pairs[2]: "rejected",
        (pairs[2][0], f"{pairs[2][1]} mended"): "accepted",
        _first_word(reviewed): "rejected",
    }


def test_export_leaves_out_rejected_pairs(reviewed: Path, tmp_path: Path) -> None:
    pairs = RunFolder(reviewed).read_phrase_pairs()
    done = export_run(RunFolder(reviewed), "extract", tmp_path / "out")
    # The rejected word pair may be a phrase pair, too.
    rejected = {pairs[1], pairs[2], _first_word(reviewed)} & {*pairs}
    assert done.left_out["reviewers have rejected them"] == len(rejected) >= 2
    assert done.pairs == len(pairs) - len(rejected)


@pytest.mark.parametrize("form", ["csv", "omegat"])
def test_a_minimum_confidence_leaves_out_rejected_pairs(
    form: Literal["csv", "omegat"], reviewed: Path, tmp_path: Path
) -> None:
    """Even if the run, which is older than the decisions, has a high confidence in them."""
    pairs = RunFolder(reviewed).read_phrase_pairs()
    done = export_run(RunFolder(reviewed), form, tmp_path / "out", PairChoice(min_confidence=0))
    assert _statuses(tmp_path / "out", form) == {
        pairs[0]: "accepted",
        (pairs[2][0], f"{pairs[2][1]} mended"): "accepted",
    }
    rejected = {pairs[1], pairs[2], _first_word(reviewed)}
    assert done.left_out["reviewers have rejected them"] == len(rejected)
    records = READERS[form](tmp_path / "out", (None, None)).records
    assert not rejected & {record[:2] for record in records}


def test_decisions_as_a_seed(reviewed: Path, accord: Run) -> None:
    done = accord("export", reviewed, "--to", "seed", "--out", "seed.tsv")
    assert done.returncode == 0, done.stderr
    assert "5 pairs in seed.tsv" in done.stdout
    seed = read_seed(reviewed.parent / "seed.tsv")
    pairs = RunFolder(reviewed).read_phrase_pairs()
    assert seed.rejected == tuple(sorted([pairs[1], pairs[2], _first_word(reviewed)]))
    assert seed.accepted == {pairs[0], (pairs[2][0], f"{pairs[2][1]} mended")}
    done = accord("export", reviewed, "--to", "csv", "--out", "run/review.sqlite")
    assert done.returncode == 2
    assert "belongs to the run itself" in done.stderr


def test_no_decisions_to_write(small_run: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected decisions to write as a seed, found none"):
        export_run(RunFolder(small_run), "seed", tmp_path / "seed.tsv")


def test_learning_with_decisions(laid_out: Path, accord: Run) -> None:
    assert accord(*LEARN, "--iterations", 3).returncode == 0
    folder = laid_out / "out"
    pairs = RunFolder(folder).read_phrase_pairs()
    with DecisionLog(folder / "review.sqlite") as decisions:
        decisions.decide("phrase", *pairs[0], "rejected")
        decisions.decide("phrase", *pairs[1], "corrected", (pairs[1][0], "some thing else"))
    command = [*LEARN, "--iterations", "3", "--decisions", "out/review.sqlite"]
    done = accord(*command)
    assert done.returncode == 2
    assert "holds the files of another run: different decisions; choose" in done.stderr
    # In place of the run that was reviewed, whose decisions stay.
    done = accord(*command, "--force")
    assert done.returncode == 0, done.stderr
    assert "reviewed: 1 accepted, 2 rejected" in done.stderr
    assert "Continuing" not in done.stderr
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["lines"]["decisions"] == {"accepted": 1, "rejected": 2}
    assert record["inputs"]["decisions"]
    after = RunFolder(folder).read_phrase_pairs()
    assert (pairs[1][0], "some thing else") in after
    assert not {pairs[0], pairs[1]} & {*after}
    with DecisionLog(folder / "review.sqlite", read_only=True) as decisions:
        assert sum(decisions.count_statuses().values()) == 2
    assert "has this very run already" in accord(*command).stderr


@pytest.mark.parametrize(
    ("file", "words"),
    [("none.sqlite", "no such file"), ("seed.tsv", "expected decisions on pairs, found a file")],
)
def test_learning_with_no_decisions(laid_out: Path, accord: Run, file: str, words: str) -> None:
    done = accord(*LEARN, "--decisions", file)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (laid_out / "none.sqlite").exists()


def test_a_seed_need_not_be_given_with_decisions(small: Planted, laid_out: Path) -> None:
    path = laid_out / "review.sqlite"
    with DecisionLog(path) as decisions:
        for pair in small.gold[:60]:
            decisions.decide("phrase", *pair, "accepted")
    learned = Accord().fit(small.source, small.target, decisions=path, gold=small.gold)
    assert learned.trace_[-1]["f1"] > 0.6
    assert {*small.gold[:60]} <= {pair[:2] for pair in learned.phrases_}


def test_decisions_stay_with_the_model(small: Planted, tmp_path: Path) -> None:
    """`apply`, `query` and `--continue-from` respect the decisions."""
    wrong, word = small.gold[0], small.lexicon[4]
    forced = small.gold[1][0], small.gold[2][1]
    judged = [(*wrong, "rejected"), (*word, "rejected"), (*forced, "accepted")]
    seed, run = small.lexicon[:30], tmp_path / "run"
    model = Accord().fit(small.source, small.target, seed, decisions=judged, out=run)
    answers = model.translate_phrase(wrong[0]).phrases
    assert wrong[1] not in {answer.target for answer in answers}
    answer = model.translate_phrase(forced[0]).phrases[0]
    assert (answer.target, answer.confidence, answer.found) == (forced[1], 1.0, True)
    back = model.translate_phrase(forced[1], reverse=True).phrases[0]
    assert (back.source, back.forward_posterior) == (forced[0], 1.0)
    assert word[1] not in {entry.target for entry in model.translate_phrase(word[0]).words}
    later = Accord.load(run).fit(small.source, small.target, continue_from=run)
    found = {pair[:2] for pair in later.phrases_}
    assert forced in found
    assert not {wrong, word} & (found | {entry[:2] for entry in later.lexicon_})


def test_apply_respects_decisions(laid_out: Path, small: Planted, accord: Run) -> None:
    wrong, forced = small.gold[0], (small.gold[1][0], small.gold[2][1])
    with DecisionLog(laid_out / "d.sqlite") as decisions:
        decisions.decide("phrase", *wrong, "rejected")
        decisions.decide("phrase", *forced, "accepted")
    assert accord(*LEARN, "--decisions", "d.sqlite").returncode == 0
    done = accord("apply", "out", "source.txt", "target.txt", "--out", "applied")
    assert done.returncode == 0, done.stderr
    pairs = RunFolder(laid_out / "applied").read_phrase_pairs()
    assert forced in pairs
    assert wrong not in pairs


def test_continuing_after_pairs_were_rejected(small: Planted, tmp_path: Path) -> None:
    given = small.source, small.target, small.lexicon[:30]
    first = Accord().fit(*given, out=tmp_path / "run")
    word = next(entry[:2] for entry in first.lexicon_ if entry[:2] not in small.lexicon[:30])
    again = Accord(iterations=1).fit(
        *given, decisions=[(*word, "rejected")], continue_from=tmp_path / "run"
    )
    assert word not in {entry[:2] for entry in again.lexicon_}
