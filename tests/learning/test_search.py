"""The search, compared with plain loops: it returns exactly the best phrases."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.phrases import Phrases
from accord.errors import SettingError
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.learning.agreement import Alignment
from accord.learning.em import initial_state
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model, Models
from accord.learning.model.translation import TranslationModel
from accord.learning.model.word_order import MODEL_1
from accord.learning.search import search_kernels as kernels
from accord.learning.search.index import group_blocks
from accord.learning.search.pairs import pair_candidates
from accord.learning.search.ranking import Ranking
from accord.learning.search.retrieval import rank_candidates
from accord.learning.search.search_kernels import SearchLimits
from accord.learning.task import Task
from accord.learning.viterbi import viterbi_agreement
from accord.settings import LEAST_FLOOR, Agreement, Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.strategies import (
    SOURCE_WORDS,
    TARGET_WORDS,
    Direction,
    corpora,
    directions,
    oracle_phrases,
    plain_task,
)

FLOOR = 0.01
# Sums of impacts, which are rounded, differ from sums of logarithms by no more than this.
CLOSE = 1e-6


class TinyShards:
    """A runner that ignores the size of shards and takes two items at a time."""

    memory = 2**30

    def map(
        self,
        task: Callable[..., Any],
        shared: tuple[Any, ...],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Any]:
        assert shard > 0
        assert worth >= 0
        return [task(*shared, first, min(first + 2, items)) for first in range(0, items, 2)]


def all_scores(
    direction: Direction, E: list[oracle.Phrase], f: oracle.Phrase, floor: float = FLOOR
) -> dict[int, float]:
    return {
        s: oracle.log_phrase_probability(direction.table, floor, direction.lengths, E[s], f)
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


@given(st.data(), st.sampled_from([1, 2, 3, 20]), st.booleans(), st.booleans())
def test_best_candidates_are_the_best(
    data: st.DataObject, count: int, sum_all: bool, in_small_blocks: bool
) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, FLOOR))
    runner = TinyShards() if in_small_blocks else Threads(1)
    with small_blocks() if in_small_blocks else nullcontext():
        ranking = rank_candidates(
            plain_task(source, target, runner), direction.model, SearchLimits(count, sum_all)
        )
    log_floors = direction.model.translation.log_floors(target)
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        truth = all_scores(direction, E, F[t])
        row = ranking.groups[t]
        found = candidates_of(ranking, t)
        scores = (ranking.scores[row_of(ranking, t)] + log_floors[t]).tolist()
        best = sorted(truth.values(), reverse=True)
        assert len(set(found)) == len(found) == min(count, len(truth))
        assert scores == pytest.approx(best[: len(found)], abs=CLOSE)
        assert scores == pytest.approx([truth[s] for s in found], abs=CLOSE)
        ranked = list(zip(np.negative(scores), found, strict=True))
        assert ranked == sorted(ranked)
        if sum_all:
            log_sum = np.logaddexp.reduce(list(truth.values()))
            assert ranking.log_sums[row] + log_floors[t] == pytest.approx(log_sum, abs=CLOSE)


@given(st.data(), st.sampled_from(["posterior", "outer"]))
def test_the_search_is_exact_down_to_the_least_floor(
    data: st.DataObject, agreement: Agreement
) -> None:
    floor = Settings(agreement=agreement, floor=math.nextafter(LEAST_FLOOR, 1)).floor
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, floor))
    limits = SearchLimits(20, sum_all=True)
    ranking = rank_candidates(plain_task(source, target), direction.model, limits)
    log_floors = direction.model.translation.log_floors(target)
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        truth = all_scores(direction, E, F[t], floor)
        scores = ranking.scores[row_of(ranking, t)] + log_floors[t]
        assert scores == pytest.approx(sorted(truth.values(), reverse=True), abs=CLOSE)
        log_sum = ranking.log_sums[ranking.groups[t]] + log_floors[t]
        assert log_sum == pytest.approx(np.logaddexp.reduce(list(truth.values())), abs=CLOSE)


def test_an_impact_holds_the_least_floor() -> None:
    """The sum over all I words of a phrase is at most I / floor, and it is divided by I + 1."""
    assert np.log1p(1 / LEAST_FLOOR) / kernels.STEP < kernels.MAX_STEPS
    assert np.isfinite(np.float32(1 / LEAST_FLOOR))


def test_a_floor_that_is_too_small_for_the_frequency_of_words() -> None:
    source, target = Phrases.of(["a"]), Phrases.of(["x", "x y"])
    translation = initial_model(source, target, Settings(floor=4e-13)).translation
    assert translation.floors[1:].min() == pytest.approx(4e-13 / 3)
    message = r"^floor: must be at least 3e-13 for 3 words .*, found 2e-13; increase it, or choose"
    with pytest.raises(SettingError, match=message):
        initial_model(source, target, Settings(floor=2e-13))
    assert initial_model(source, target, Settings(floor=2e-13, background="flat"))


def initial_model(source: Phrases, target: Phrases, settings: Settings) -> Model:
    prior = Prior.of(SeedLexicon.of([("a", "x")]), source, target, settings)
    return initial_state(Task(source, target, settings, Threads(1)), prior).forward


@given(st.data(), st.sampled_from([1, 3, 20]), st.booleans())
def test_memory_changes_nothing(data: st.DataObject, count: int, sum_all: bool) -> None:
    """However many blocks are searched at a time, and whichever phrases are dropped in between."""
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model = data.draw(directions(source, target, FLOOR)).model
    limits = SearchLimits(count, sum_all, data.draw(st.floats(-20, 0)))
    with small_blocks():
        blocks = len(source.blocks)
        needed = least_memory(source, model.translation, sum_all)
        one, few, all_at_once = (
            rank_candidates(plain_task(source, target, Threads(2, memory=memory)), model, limits)
            for memory in (needed, 2 * needed, 2**30)
        )
        parts = group_blocks(source, model.translation, needed, growths=sum_all)
    assert len(parts) > 1 or blocks == 1
    for found in (one, few):
        for part, expected in zip(found, all_at_once, strict=True):
            np.testing.assert_array_equal(part, expected)


@given(st.data(), st.floats(-20, 0))
def test_only_improbable_phrases_are_left_out(data: st.DataObject, least: float) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model = data.draw(directions(source, target, FLOOR)).model
    log_empty = np.full(target.max_length + 1, data.draw(st.floats(-20, 20)))
    task = plain_task(source, target)
    every = rank_candidates(task, model, SearchLimits(20, sum_all=True))
    kept = rank_candidates(task, model, SearchLimits(20, sum_all=True, least=least), log_empty)
    for t in range(1, len(target)):
        row = every.groups[t]
        total = np.logaddexp(every.log_sums[row], log_empty[every.lengths[row]])
        log_q = every.scores[row_of(every, t)] - total
        margin = np.abs(log_q - least) > CLOSE
        inside = set(candidates_of(kept, t))
        for s, q in zip(np.array(candidates_of(every, t))[margin], log_q[margin], strict=True):
            assert (s in inside) == (q >= least)


@given(st.data(), st.sampled_from([1, 2, 4]), st.floats(-30, 0))
def test_candidate_pairs_are_those_with_enough_score(
    data: st.DataObject, count: int, least: float
) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR)).model
    backward = data.draw(directions(target, source, FLOOR)).model
    runner = TinyShards()
    every, every_back, there, back = (
        rank_candidates(task, model, SearchLimits(number))
        for number in (99, count)
        for task, model in (
            (plain_task(source, target, runner), forward),
            (plain_task(target, source, runner), backward),
        )
    )

    def scores(ranking: Ranking) -> dict[tuple[int, int], float]:
        return {
            (candidate, phrase): score
            for phrase in range(1, len(ranking.groups))
            for candidate, score in zip(
                candidates_of(ranking, phrase), ranking.scores[row_of(ranking, phrase)], strict=True
            )
        }

    truth, truth_back = scores(every), scores(every_back)
    listed = set(scores(there)) | {(s, t) for t, s in scores(back)}
    both = set(scores(there)) & {(s, t) for t, s in scores(back)}
    pairs = pair_candidates(there, back, runner, least)
    found = list(zip(pairs.source.tolist(), pairs.target.tolist(), strict=True))
    assert found == sorted(set(found))
    assert all(pairs.forward == [pair in scores(there) for pair in found])
    assert all(pairs.backward == [pair[::-1] in scores(back) for pair in found])
    for s, t in listed:
        total = truth[s, t] + truth_back[t, s]
        if total >= least:
            assert (s, t) in found
        elif (s, t) in both:
            assert (s, t) not in found


def test_memory_too_small_for_a_block() -> None:
    source, target = Phrases.of(["a", "b b"]), Phrases.of(["x"])
    model = initial_model(source, target, Settings(agreement="outer"))
    with pytest.raises(SettingError, match=r"memory: must be at least 1K, .* found 0K"):
        rank_candidates(plain_task(source, target, Threads(1, memory=8)), model, SearchLimits(5))


@contextmanager
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.corpus.phrases.BLOCK", 2)
        yield


def least_memory(source: Phrases, translation: TranslationModel, growths: bool) -> int:
    """The memory that the largest block needs."""
    memory = 0
    while True:
        try:
            group_blocks(source, translation, memory, growths=growths)
        except SettingError:
            memory += 4
        else:
            return memory


def row_of(ranking: Ranking, t: int) -> slice:
    row = ranking.groups[t]
    return slice(ranking.offsets[row], ranking.offsets[row + 1])


def candidates_of(ranking: Ranking, t: int) -> list[int]:
    found: list[int] = ranking.phrases[row_of(ranking, t)].tolist()
    return found


def alignment_of(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    settings: Settings,
    runner: Any,
) -> Alignment:
    task = Task(source, target, settings, runner)
    return viterbi_agreement(task, Models(forward, backward)).forward


@given(st.data())
def test_shards_change_nothing(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR)).model
    backward = data.draw(directions(target, source, FLOOR)).model
    settings = Settings(agreement="inner", floor=FLOOR, candidates=3)
    whole, in_shards = (
        alignment_of(source, target, forward, backward, settings, runner)
        for runner in (Threads(1), TinyShards())
    )
    for one, other in zip(whole, in_shards, strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.data())
def test_outer_takes_the_best_phrase_or_none(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    direction = data.draw(directions(source, target, FLOOR))
    settings = Settings(agreement="outer", floor=FLOOR, epsilon=1e-3)
    backward = data.draw(directions(target, source, FLOOR)).model
    alignment = alignment_of(source, target, direction.model, backward, settings, Threads(1))
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
            else:
                # The scores of phrases of other lengths are rounded differently.
                same_length = [n for n in truth if n != s and len(E[n]) == len(E[s])]
                assert all(truth[n] < best for n in same_length)
        else:
            assert not alignment.tied[t]


@given(st.data(), st.sampled_from([1, 2, 20]))
def test_inner_takes_the_best_of_the_candidates(data: st.DataObject, candidates: int) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR))
    backward = data.draw(directions(target, source, FLOOR))
    settings = Settings(agreement="inner", floor=FLOOR, epsilon=1e-6, candidates=candidates)
    alignment = alignment_of(source, target, forward.model, backward.model, settings, Threads(1))
    ranking = rank_candidates(plain_task(source, target), forward.model, SearchLimits(candidates))
    E, F = oracle_phrases(source), oracle_phrases(target)
    for t in range(1, len(F)):
        log_prob = all_scores(forward, E, F[t])
        fine = {
            s: log_prob[s]
            + math.log(oracle.word_agreement(forward.table, backward.table, FLOOR, E[s], F[t]))
            for s in candidates_of(ranking, t)
            if log_prob[s] > math.log(settings.epsilon)
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
    """Model 1 gives the same score to the same words in any order."""
    words = "abcd"
    source = Phrases.of(["c", *(" ".join(order) for order in permutations(words))])
    target = Phrases.of(["x y z", "x z y", "z y w"])
    seed = SeedLexicon.of(
        [(e, f) for n, e in enumerate(words) for f in "xyzw"[: n + 1]]
        + [("a b", "z"), ("d", "w y")]
    )
    settings = Settings(agreement=agreement, candidates=candidates)
    prior = Prior.of(seed, source, target, settings)
    state = initial_state(Task(source, target, settings, runner), prior)
    alignment = alignment_of(source, target, *state[1:3], settings, runner)
    assert [source[s] for s in alignment.phrases[1:].tolist()] == ["a b c d"] * 3
    assert alignment.tied[1:].all()


def test_of_equal_phrases_the_lowest_numbers_are_candidates(runner: Threads) -> None:
    source = Phrases.of(" ".join(order) for order in permutations("abcd"))
    target = Phrases.of(["x"])
    settings = Settings(agreement="outer")
    prior = Prior.of(SeedLexicon.of([("a", "x")]), source, target, settings)
    model = initial_state(Task(source, target, settings, runner), prior).forward
    ranking = rank_candidates(plain_task(source, target, runner), model, SearchLimits(5))
    assert candidates_of(ranking, 1) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_impacts_that_round_to_zero_change_nothing(count: int, runner: Threads) -> None:
    source, target = Phrases.of(["a", "b", "c", "d"]), Phrases.of(["x y", "y x x"])
    offsets = np.array([0, 0, 2, 4, 5, 5])
    ratios = np.array([5.0, 1e-9, 5.0, 1e-9, 1e-9])
    translation = TranslationModel(
        offsets, np.array([1, 2, 1, 2, 2], np.int32), ratios, np.ones(5), np.ones(3)
    )
    lengths = LengthModel.uniform(source.max_length, target.max_length)
    model = Model(lengths, translation, MODEL_1, 0.2)
    ranking = rank_candidates(plain_task(source, target, runner), model, SearchLimits(count))
    assert [candidates_of(ranking, t) for t in (1, 2)] == [[1, 2, 3, 4][:count]] * 2


def test_an_empty_alignment_has_no_links() -> None:
    assert not Alignment.empty(3).phrases.any()


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(1, 99)), min_size=1, max_size=30))
def test_a_ranking_keeps_its_order(offers: list[tuple[float, int]]) -> None:
    scores, phrases = np.full(5, -np.inf), np.zeros(5, np.int32)
    for score, s in offers:
        if not kernels.precedes(scores[4], phrases[4], score, s):
            kernels.insert_ranked(scores, phrases, score, s)
    best = sorted(((-score, s) for score, s in offers))[:5]
    kept = zip(np.negative(scores).tolist(), phrases.tolist(), strict=True)
    assert [pair for pair in kept if pair[1] != 0] == best
