"""The EM loop: the equations, synthetic lexicons, and changes that must not affect the result."""

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.experiments.artificial import Planted, plant
from accord.learning.agreement import Agreed, Alignment, Links, find_links
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.runs.trained import state_to_arrays
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.strategies import (
    SOURCE_WORDS,
    TARGET_WORDS,
    corpora,
    oracle_lengths,
    oracle_phrases,
    oracle_table,
    pairs_of,
)

PAPER: list[Agreement] = ["inner", "outer", "none"]
KINDS: list[Agreement] = ["posterior", *PAPER]


def run(
    source: Phrases, target: Phrases, seed: list[tuple[str, str]], how: Settings
) -> list[State]:
    prior = Prior.of(SeedLexicon.of(seed), source, target, how)
    first = initial_state(Task(source, target, how, Threads(1)), prior)
    return [first, *em_iterations(Task(source, target, how, Threads(1)), prior, first)]


@settings(max_examples=30)
@given(st.data(), st.sampled_from(PAPER))
def test_every_iteration_is_the_papers(data: st.DataObject, agreement: Any) -> None:
    """From any state, the new parameters are those of the equations on the links found."""
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    seed = [(source.vocabulary.words[1], target.vocabulary.words[1])]
    how = Settings(agreement=agreement, iterations=3, floor=0.01, epsilon=1e-9)
    states = run(source, target, seed, how)
    E, F = oracle_phrases(source), oracle_phrases(target)
    sigma = oracle.seed_counts(seed)
    for before, after in pairwise(states):
        forward = pairs_of(find_links(after.forward_alignment.phrases))
        backward = pairs_of(find_links(after.backward_alignment.phrases))
        agreed = forward & oracle.swapped(backward)
        assert pairs_of(after.agreed) == agreed
        links = forward if agreement == "none" else agreed
        p = oracle_table(before.forward.translation, source, target)
        q = oracle_table(before.backward.translation, target, source)
        counts = (
            oracle.inner_counts(E, F, links, p, q, how.floor)
            if agreement == "inner"
            else oracle.outer_counts(E, F, links, p, how.floor)
        )
        table = oracle.translation_model(counts, sigma, how.prune)
        lengths = oracle.length_model(
            oracle.length_counts(E, F, links), source.max_length, target.max_length, 1.0
        )
        assert oracle_table(after.forward.translation, source, target) == pytest.approx(table)
        assert oracle_lengths(after.forward.lengths) == pytest.approx(lengths)


@settings(max_examples=30)
@given(st.data(), st.sampled_from(KINDS))
def test_swapping_the_languages_swaps_the_result(data: st.DataObject, agreement: Any) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    seed = (source.vocabulary.words[1], target.vocabulary.words[1])
    how = Settings(agreement=agreement, iterations=4)
    one = run(source, target, [seed], how)[-1]
    other = run(target, source, [seed[::-1]], how)[-1]
    links = other.agreed
    order = np.lexsort((links.target, links.source)) if len(other.log_q[0]) else slice(None)
    forward, backward = (log_q[order] for log_q in other.log_q)
    other = other._replace(agreed=links.swapped(), log_q=(forward, backward))
    swapped = replace_names(state_to_arrays(other))
    for name, array in state_to_arrays(one).items():
        np.testing.assert_array_equal(array, swapped[name])


def replace_names(arrays: dict[str, Any]) -> dict[str, Any]:
    other = {"forward": "backward", "backward": "forward"}
    return {
        ".".join(other.get(part, part) for part in name.split(".")): array
        for name, array in arrays.items()
    }


@pytest.mark.parametrize("agreement", KINDS)
def test_the_order_of_the_input_changes_nothing(small: Planted, agreement: Agreement) -> None:
    shuffled = random.Random(3)
    source, target = (
        shuffled.sample(phrases, len(phrases)) for phrases in (small.source, small.target)
    )
    seed = small.lexicon[14::-1]
    one = Accord(agreement=agreement).fit(small.source, small.target, small.lexicon[:15])
    other = Accord(agreement=agreement).fit(source, target, seed)
    assert one.lexicon_ == other.lexicon_
    assert one.phrases_ == other.phrases_


@pytest.mark.parametrize("agreement", KINDS)
def test_a_synthetic_lexicon_is_recovered(agreement: Agreement) -> None:
    planted = plant(words=200, phrases=1000, noise=0)
    learned = Accord(agreement=agreement).fit(
        planted.source, planted.target, planted.lexicon[:20], gold=planted.gold
    )
    assert learned.trace_[-1]["f1"] > 0.97
    found = {(entry.source, entry.target) for entry in learned.lexicon_}
    used = {word for phrase in planted.source for word in phrase.split()}
    true = {pair for pair in planted.lexicon if pair[0] in used}
    assert len(found & true) > 0.95 * len(true)
    assert len(found & true) > 0.95 * len(found)


@pytest.mark.parametrize("agreement", KINDS)
def test_a_synthetic_lexicon_is_recovered_from_noise(agreement: Agreement) -> None:
    planted = plant(words=200, phrases=1000, noise=500)
    learned = Accord(agreement=agreement).fit(
        planted.source, planted.target, planted.lexicon[:40], gold=planted.gold
    )
    assert learned.trace_[-1]["f1"] > 0.9
    found = {(entry.source, entry.target) for entry in learned.lexicon_}
    assert len(found & set(planted.lexicon)) > 0.9 * len(found)


def test_agreement_is_better_than_independent_directions_if_there_is_noise() -> None:
    """The claim of the paper."""
    planted = plant(words=600, phrases=1000, noise=1000)
    scores = {
        agreement: Accord(agreement=agreement)
        .fit(planted.source, planted.target, planted.lexicon[:30], gold=planted.gold)
        .trace_[-1]
        for agreement in KINDS
    }
    for agreement in ("inner", "outer"):
        assert scores[agreement]["f1"] > scores["none"]["forward_f1"] + 0.1
        assert scores[agreement]["f1"] > scores["none"]["backward_f1"] + 0.1


def test_tolerance_stops_at_convergence(small: Planted) -> None:
    seed = small.lexicon[:15]

    def trace(**settings: Any) -> list[dict[str, float]]:
        learner = Accord(agreement="inner", iterations=30, **settings)
        return learner.fit(small.source, small.target, seed).trace_

    patient, hasty = trace(), trace(tolerance=0.0)
    assert len(patient) == 30
    assert len(hasty) < 30
    assert hasty[-1]["changed"] == 0.0
    assert all(row["changed"] > 0 for row in hasty[:-1])
    without_time = [{**row, "seconds": 0} for row in patient[: len(hasty)]]
    assert without_time == [{**row, "seconds": 0} for row in hasty]


def test_a_run_may_find_no_links() -> None:
    learned = Accord(agreement="outer", epsilon=0.999).fit(["a b"], ["x y"], [("a", "x")])
    assert learned.phrases_ == []
    assert learned.trace_[-1]["agreement_ratio"] == 0.0
    assert [(entry.source, entry.target) for entry in learned.lexicon_] == [("a", "x")]


def test_state_before_any_iteration_is_not_finished() -> None:
    from accord.learning.em import is_finished

    source, target = Phrases.of(["a"]), Phrases.of(["x"])
    first = run(source, target, [("a", "x")], Settings(iterations=1))[0]
    assert not is_finished(first, Settings(tolerance=0.5))
    assert is_finished(first._replace(iteration=40), Settings())
    assert not is_finished(first, replace(Settings(), iterations=1))


def test_the_share_of_changed_links() -> None:
    source, target = Phrases.of(["a", "b", "c"]), Phrases.of(["x", "y", "z"])
    state = run(source, target, [("a", "x")], Settings(iterations=1))[0]

    def aligned(*phrases: int) -> Alignment:
        return Alignment.empty(4)._replace(phrases=np.array([0, *phrases], np.int32))

    def changed(before: State, forward: Alignment, backward: Alignment) -> float:
        none = Links.none()
        return before.changed_links(Agreed(forward, backward, none, none, none, (0.0, 0.0)))

    before = state._replace(forward_alignment=aligned(1, 2, 0), backward_alignment=aligned(0, 3, 0))
    # One link is the same, one is another, one is lost, one is new.
    assert changed(before, aligned(1, 3, 0), aligned(2, 0, 0)) == 3 / 4
    assert changed(before, aligned(1, 2, 0), aligned(0, 3, 0)) == 0
    assert changed(state, aligned(0, 0, 0), aligned(0, 0, 0)) == 1


def test_entries_too_small_to_change_a_score_are_dropped() -> None:
    """Even without pruning: with inner agreement, they would shrink forever and only cost time."""
    planted = plant(words=60, phrases=200, noise=0)
    source, target = Phrases.of(planted.source), Phrases.of(planted.target)
    how = Settings(agreement="inner", prune=0.0, iterations=12)
    model = run(source, target, planted.lexicon[:10], how)[-1].forward.translation
    assert model.probabilities.min() > 2**-34 * how.floor
