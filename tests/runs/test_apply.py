"""A model used again: on new phrases, and as the start of another run."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accord import Accord, Settings
from accord.corpus.loading import load_phrases
from accord.evidence.counts import Counts
from accord.evidence.seed import Entry, ReviewedEntry
from accord.experiments.artificial import Planted
from accord.learning.model.parameters import Model
from accord.learning.task import Task
from accord.runs.apply import apply_model
from accord.runs.folder import RunFolder
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.runs.trained import Trained
from accord.runs.transfer import transfer_model
from accord.system.runners.threads import Threads
from tests.conftest import Run, files_of


@pytest.fixture(scope="module")
def model(small_run: Path) -> Trained:
    return RunFolder(small_run).read_trained()


def test_apply(accord: Run, planted_halves: Path, tmp_path: Path) -> None:
    files = ["source", "target"]
    first, second = ([planted_halves / f"{side}{n}.txt" for side in files] for n in (1, 2))
    assert not accord(
        "learn", *first, "--seed", planted_halves / "seed.tsv", "--out", "a"
    ).returncode
    done = accord("apply", "a", *second, "--out", "b", "--json")
    assert not done.returncode, done.stderr
    trace = json.loads(done.stdout)["trace"]
    assert len(trace) == 1
    scores = accord("evaluate", "b", "--gold", planted_halves / "gold2.tsv", "--json")
    assert json.loads(scores.stdout)["f1"] > 0.9
    # What is known of words is what was learned; how sure it is, goes by all text.
    one, other = (
        {tuple(line.split("\t")[:4]) for line in (tmp_path / name).read_text().splitlines()}
        for name in ("a/lexicon.tsv", "b/lexicon.tsv")
    )
    assert one
    assert len(one ^ other) <= 0.1 * len(one)
    # The same again, and with other threads.
    again = accord("apply", "a", *second, "--out", "c", "--threads", 1)
    assert not again.returncode
    assert files_of(tmp_path / "b") == files_of(tmp_path / "c")
    assert "has this very run already" in accord("apply", "a", *second, "--out", "c").stderr


def test_apply_is_no_worse_for_a_short_list(model: Trained, small: Planted) -> None:
    """The background frequencies are those of all text, not of the ten phrases."""
    gold = [pair for pair in small.gold if pair[0] in model.source.numbers][:10]
    source, target = (load_phrases((pair[side] for pair in gold), 20, "") for side in (0, 1))
    found = apply_model(model, (source, target), Threads(1))
    assert {pair[:2] for pair in found.phrases} == set(gold)


def test_apply_to_unknown_words_and_longer_phrases(model: Trained) -> None:
    longer = " ".join(["unheard"] * (model.source.max_length + 5))
    known, target = model.pairs()[0]
    given = load_phrases([longer, known], 99, ""), load_phrases([target, f"of {longer}"], 99, "")
    found = apply_model(model, given, Threads(1))
    assert (known, target) in {pair[:2] for pair in found.phrases}


def test_continue(accord: Run, planted_halves: Path, tmp_path: Path) -> None:
    files = ["source", "target"]
    first, second = ([planted_halves / f"{side}{n}.txt" for side in files] for n in (1, 2))
    seed = planted_halves / "seed.tsv"
    more = tmp_path / "more.tsv"
    more.write_text((planted_halves / "more.tsv").read_text())
    assert not accord("learn", *first, "--seed", seed, "--out", "a", "--prune", 0.002).returncode
    went_on = "learn", *second, "--seed", more, "--continue-from", "a"
    done = accord(*went_on, "--out", "b", "--json")
    assert not done.returncode, done.stderr
    answer = json.loads(done.stdout)
    assert answer["settings"]["prune"] == 0.002  # as before
    assert answer["changes"]["phrases"]["new"] > 50
    assert "with those of the model" in done.stderr

    def read(name: str) -> list[list[str]]:
        return [line.split("\t") for line in (tmp_path / name).read_text().splitlines()]

    before, after = (dict(line[:2] for line in read(f"{run}/phrases.tsv")) for run in "ab")
    for what, kind, source, then, now in read("b/changes.tsv"):
        if what == "phrase":
            assert before.get(source, "") == then != now == after.get(source, "")
            assert kind == ("changed" if then and now else "new" if now else "lost")
    assert len(read("b/changes.tsv")) == sum(
        map(sum, (k.values() for k in answer["changes"].values()))
    )
    scores = accord("evaluate", "b", "--gold", planted_halves / "gold.tsv", "--json")
    assert json.loads(scores.stdout)["f1"] > 0.9
    # A flag that is given is heeded, and another model is another run.
    done = accord(*went_on, "--out", "c", "--prune", 0.003, "--json")
    assert json.loads(done.stdout)["settings"]["prune"] == 0.003
    assert accord(*went_on[:-1], "b", "--out", "c", "--prune", 0.003).returncode == 2
    # Not more seed, but only phrases.
    done = accord("learn", *second, "--continue-from", "a", "--out", "d", "--agreement", "outer")
    assert not done.returncode, done.stderr


def test_continuing_keeps_what_the_first_run_knew_of_words(model: Trained, small: Planted) -> None:
    """Evidence of pairs that the second run has less evidence of."""
    first = model._replace(odds=model.odds._replace(values=model.odds.values + 1))
    inputs = Inputs.of(small.source, small.target, [], None, 20, first)
    learned = learn(inputs, model.settings, Threads(2)).trained.odds
    assert learned.values_of(model.odds.source, model.odds.target) == pytest.approx(
        model.odds.values + 1
    )


def test_continuing_without_new_data_changes_nothing(model: Trained, small: Planted) -> None:
    inputs = Inputs.of(small.source, small.target, [], None, 20, model)
    assert inputs.split_seed(model.settings) == (model.seed, model.held_out)
    learned = learn(inputs, model.settings, Threads(2))
    assert learned.changes is not None
    assert len(learned.changes) <= 0.02 * len(learned.phrases)


def test_unwanted_phrases_stay_out(small: Planted) -> None:
    """Except in entries of the seed."""
    half = len(small.source) // 2
    given = small.target, small.lexicon[:30], None, 20
    first = Inputs.of(small.source[:half], *given)
    wanted = np.zeros(len(first.source), np.bool_)
    wanted[[0, *first.source.find(small.source[:20]).values()]] = True
    first = replace(first, wanted=(wanted, np.ones(len(first.target), np.bool_)))
    trained = learn(first, Settings(), Threads(2)).trained
    entries = set(small.lexicon[:30])
    new = [pair for pair in trained.pairs() if pair not in entries]
    assert {source for source, _ in new} <= set(small.source[:20])
    assert len(new) < len(trained.pairs())
    later = learn(Inputs.of(small.source[half:], *given, trained), Settings(), Threads(2))
    found = {pair.source for pair in later.phrases if pair[:2] not in entries}
    assert not found & set(small.source[20:half])
    assert found & set(small.source[half:])
    assert found & set(small.source[:20])


def test_seed_words_that_were_in_no_phrase_are_kept(small: Planted) -> None:
    first, second = small.source[::2], small.source[1::2]
    words = {word for phrase in first for word in phrase.split()}
    new = next(w for phrase in second for w in phrase.split() if w not in words)
    entry = next(pair for pair in small.lexicon if pair[0] == new)
    seed = [*small.lexicon[:20], entry]
    given = Inputs.of(first, small.target, seed, None, 20)
    assert entry not in given.seed.entries
    trained = learn(given, Settings(held_out=0.0), Threads(2)).trained
    assert trained.unused.entries == (entry,)
    assert entry in Inputs.of(second, small.target, [], None, 20, trained).seed.entries


def test_decisions_are_kept(small: Planted, tmp_path: Path) -> None:
    right, wrong = small.lexicon[0], (small.lexicon[1][0], small.lexicon[2][1])
    seed: list[Entry | ReviewedEntry] = [*small.lexicon[3:25]]
    seed += [(*right, "accepted"), (*wrong, "rejected")]
    Accord(held_out=0.0).fit(small.source, small.target, seed, out=tmp_path / "a")
    kept = RunFolder(tmp_path / "a").read_trained().seed
    assert (kept.accepted, kept.rejected) == (frozenset([right]), (wrong,))
    # Whoever changes his mind is heard.
    now: list[Entry | ReviewedEntry] = [(*wrong, "accepted"), (*right, "rejected")]
    start = RunFolder(tmp_path / "a").read_trained()
    later = Inputs.of(small.source, small.target, now, None, 20, start).seed
    assert (later.accepted, later.rejected) == (frozenset([wrong]), (right,))
    assert right not in later.entries


def test_words_learned_from_are_never_held_out(model: Trained, small: Planted) -> None:
    inputs = Inputs.of(small.source, small.target, small.lexicon, None, 20, model)
    seed, held_out = inputs.split_seed(model.settings)
    assert held_out.entries
    assert not set(held_out.entries) & set(model.seed.entries)
    assert set(model.seed.entries) <= set(seed.entries)


def test_a_new_entry_counts_from_the_start(model: Trained) -> None:
    words = model.source.vocabulary, model.target.vocabulary
    forward = model.state.forward

    def p(of: Model, e: int, f: int) -> float:
        table = of.translation
        row = slice(table.offsets[e], table.offsets[e + 1])
        return float(table.probabilities[row][table.targets[row] == f].sum())

    new = Counts(np.array([5], np.int32), np.array([7], np.int32), np.array([4.0]))
    task = Task(model.source, model.target, model.settings, Threads(1))
    same = transfer_model(forward, words, task, Counts.none())
    with_it = transfer_model(forward, words, task, new)
    n = model.settings.word_smoothing / forward.translation.room[5]
    assert p(same, 5, 7) == pytest.approx(p(forward, 5, 7))
    assert p(with_it, 5, 7) == pytest.approx((n * p(forward, 5, 7) + 4) / (n + 4))
    assert p(with_it, 6, 7) == pytest.approx(p(forward, 6, 7))
    assert np.array_equal(with_it.lengths.log_prob, forward.lengths.log_prob)
    assert np.array_equal(with_it.order.positions, forward.order.positions)


def test_folders_that_cannot_take_results(accord: Run, small_run: Path, laid_out: Path) -> None:
    texts = laid_out / "source.txt", laid_out / "target.txt"
    for command in (
        ("apply", small_run, *texts, "--out", small_run),
        ("learn", *texts, "--continue-from", small_run, "--out", small_run),
    ):
        done = accord(*command)
        assert done.returncode == 2
        assert "choose another folder" in done.stderr
    done = accord("learn", *texts, "--out", "x")
    assert done.returncode == 2
    assert "--seed: expected a seed dictionary, found none" in done.stderr
    done = accord("learn", *texts, "--continue-from", laid_out, "--out", "x")
    assert done.returncode == 2
    assert "expected the folder of a run" in done.stderr


def test_from_python(small: Planted, tmp_path: Path) -> None:
    half = len(small.source) // 2
    given = small.target, small.lexicon[:30]
    Accord().fit(small.source[:half], *given, out=tmp_path / "a")
    later = Accord().fit(small.source[half:], small.target, [], continue_from=tmp_path / "a")
    assert later.changes_
    assert {change.kind for change in later.changes_} <= {"new", "lost", "changed"}
    assert len(later.phrases_) > 100
