"""The search against plain loops: what it returns is the best there is, and all of it."""

import math
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import kernels
from accord.em import initial_state
from accord.phrases import Phrases
from accord.runners.threads import Threads
from accord.search import Alignment, best_candidates, viterbi_alignment
from accord.seed import SeedLexicon
from accord.settings import Settings
from tests import oracle
from tests.strategies import (
    SOURCE_WORDS,
    TARGET_WORDS,
    Direction,
    corpora,
    directions,
    oracle_phrases,
)

FLOOR = 0.01
# Sums on the grid differ from sums of rounded logarithms by no more than this.
CLOSE = 1e-7


class TinyShards:
    """A runner that ignores the shard it is told and takes two items at a time."""

    def map(
        self,
        task: Callable[..., Any],
        shared: tuple[Any, ...],
        *,
        items: int,
        shard: int,
        worth: int = 0,
    ) -> list[Any]:
        assert shard > 0
        assert worth >= 0
        return [task(*shared, first, min(first + 2, items)) for first in range(0, items, 2)]


def all_scores(direction: Direction, E: list[oracle.Phrase], f: oracle.Phrase) -> dict[int, float]:
    return {
        s: oracle.log_phrase_probability(direction.table, FLOOR, direction.lengths, E[s], f)
        for s in range(1, len(E))
    }


@given(st.data())
def test_closed_form_is_the_sum_over_all_word_alignments(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, FLOOR))
    e, f = oracle_phrases(source)[1], oracle_phrases(target)[1]
    closed = oracle.log_phrase_probability(direction.table, FLOOR, direction.lengths, e, f)
    summed = oracle.phrase_probability(direction.table, FLOOR, direction.lengths, e, f)
    assert math.exp(closed) == pytest.approx(summed)


@given(st.data(), st.sampled_from([1, 2, 3, 20]), st.sampled_from([1e-12, 1e-4, 0.05]))
def test_best_candidates_are_the_best(data: st.DataObject, count: int, epsilon: float) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, FLOOR))
    settings = Settings(floor=FLOOR, epsilon=epsilon)
    groups, phrases, scores = best_candidates(
        source, target, direction.model, settings, TinyShards(), count
    )
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        truth = all_scores(direction, E, F[t])
        found = [s for s in phrases[groups[t]].tolist() if s != 0]
        found_scores = scores[groups[t]][: len(found)].tolist()
        above = sorted(
            (score for score in truth.values() if score > math.log(epsilon) + CLOSE), reverse=True
        )
        assert len(set(found)) == len(found) >= min(count, len(above))
        assert found_scores[: len(above)] == pytest.approx(above[: len(found)], abs=CLOSE)
        assert found_scores == pytest.approx([truth[s] for s in found], abs=CLOSE)
        assert all(score > math.log(epsilon) for score in found_scores)
        ranking = list(zip(np.negative(found_scores), found, strict=True))
        assert ranking == sorted(ranking)


@given(st.data())
def test_shards_change_nothing(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR)).model
    backward = data.draw(directions(target, source, FLOOR)).model
    settings = Settings(floor=FLOOR, candidates=3)
    whole, parted = (
        viterbi_alignment(source, target, forward, backward, settings, runner)
        for runner in (Threads(1), TinyShards())
    )
    for one, other in zip(whole, parted, strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.data())
def test_outer_takes_the_best_phrase_or_none(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, FLOOR))
    settings = Settings(agreement="outer", floor=FLOOR, epsilon=1e-3)
    alignment = viterbi_alignment(
        source, target, direction.model, direction.model, settings, Threads(1)
    )
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        truth = all_scores(direction, E, F[t])
        best = max(*truth.values(), math.log(settings.epsilon))
        assert alignment.log_prob[t] == pytest.approx(best, abs=CLOSE)
        if s := alignment.phrases[t]:
            assert truth[s] == pytest.approx(best, abs=CLOSE)
            others = [truth[other] for other in truth if other != s]
            if alignment.tied[t]:
                assert max(others) == pytest.approx(best, abs=CLOSE)
            elif others:
                assert max(others) < best
        else:
            assert not alignment.tied[t]


@given(st.data(), st.sampled_from([1, 2, 20]))
def test_inner_takes_the_best_of_the_candidates(data: st.DataObject, candidates: int) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR))
    backward = data.draw(directions(target, source, FLOOR))
    settings = Settings(floor=FLOOR, epsilon=1e-6, candidates=candidates)
    alignment = viterbi_alignment(
        source, target, forward.model, backward.model, settings, Threads(1)
    )
    groups, coarse, _ = best_candidates(
        source, target, forward.model, settings, Threads(1), candidates
    )
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        log_prob = all_scores(forward, E, F[t])
        fine = {
            s: log_prob[s]
            + math.log(oracle.word_agreement(forward.table, backward.table, FLOOR, E[s], F[t]))
            for s in coarse[groups[t]].tolist()
            if s != 0
        }
        chosen = int(alignment.phrases[t])
        if not fine:
            assert chosen == 0
            assert alignment.log_prob[t] == math.log(settings.epsilon)
            continue
        assert fine[chosen] == pytest.approx(max(fine.values()), abs=CLOSE)
        assert alignment.log_prob[t] == pytest.approx(log_prob[chosen], abs=CLOSE)


@pytest.mark.parametrize("agreement", ["inner", "outer"])
@pytest.mark.parametrize("candidates", [2, 20])
def test_equal_phrases_tie_and_the_lowest_number_wins(
    agreement: Any, candidates: int, runner: Threads
) -> None:
    """Orders of the same words are the same to Model 1, whatever the words' probabilities."""
    words = "abcd"
    source = Phrases.of(["c", *(" ".join(order) for order in permutations(words))])
    target = Phrases.of(["x y z", "x z y", "z y w"])
    seed = SeedLexicon.of(
        [(e, f) for n, e in enumerate(words) for f in "xyzw"[: n + 1]]
        + [("a b", "z"), ("d", "w y")]
    )
    settings = Settings(agreement=agreement, candidates=candidates)
    sigma = seed.counts(source.vocabulary, target.vocabulary)
    state = initial_state(source, target, sigma, settings)
    alignment = viterbi_alignment(source, target, *state[1:3], settings, runner)
    assert [source[s] for s in alignment.phrases[1:].tolist()] == ["a b c d"] * 3
    assert alignment.tied[1:].all()


def test_the_lowest_numbers_survive_the_cut(runner: Threads) -> None:
    source = Phrases.of(" ".join(order) for order in permutations("abcd"))
    target = Phrases.of(["x"])
    sigma = SeedLexicon.of([("a", "x")]).counts(source.vocabulary, target.vocabulary)
    settings = Settings()
    model = initial_state(source, target, sigma, settings).forward
    _, phrases, _ = best_candidates(source, target, model, settings, runner, 5)
    assert phrases[-1].tolist() == [1, 2, 3, 4, 5]


def test_no_links_before_anything_is_searched() -> None:
    assert not Alignment.empty(3).phrases.any()


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(1, 99)), min_size=1, max_size=30))
def test_sift_up_keeps_the_order(offers: list[tuple[float, int]]) -> None:
    scores, phrases = np.full(5, -np.inf), np.zeros(5, np.int32)
    for score, s in offers:
        if not kernels.before(scores[4], phrases[4], score, s):
            kernels.sift_up(scores, phrases, 4, score, s)
    best = sorted(((-score, s) for score, s in offers))[:5]
    kept = zip(np.negative(scores).tolist(), phrases.tolist(), strict=True)
    assert [pair for pair in kept if pair[1] != 0] == best
