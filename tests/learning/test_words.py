"""Word models, compared with sums over all word alignments."""

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.learning.agreement import Links
from accord.learning.model.parameters import Models
from accord.learning.model.translation import TranslationModel
from accord.learning.model.word_order import MAX_JUMP, MODEL_1, OrderModel
from accord.learning.search.pairs import score_candidates
from accord.learning.task import Task
from accord.learning.update import count_links, initial_model
from accord.settings import Settings
from accord.system.runners.threads import Threads
from tests.strategies import SOURCE_WORDS, TARGET_WORDS, corpora, directions, one_pair, plain_task

FLOOR = 0.01
MODELS = ["model1", "model2", "hmm"]


def some_order(draw: Any, kind: Any, source: Phrases, target: Phrases) -> OrderModel:
    """A model of any counts of positions or jumps."""
    order = OrderModel.uncounted(kind, source.max_length, target.max_length)
    generator = np.random.default_rng(draw(st.integers(0, 9)))
    return OrderModel(
        50 * generator.random(order.positions.shape), 50 * generator.random(order.jumps.shape)
    ).normalised()


def position_probability(order: OrderModel, a: tuple[int, ...], I: int) -> float:
    """p(a₁..a_J) of an alignment, 0 for NULL."""
    J = len(a)
    if order.positions.size:
        return float(math.prod(order.positions[I, J, i, j] / (I + 1) for j, i in enumerate(a)))
    if not order.jumps.size:
        return float((I + 1) ** -J)
    null, weights = order.jumps[0], order.jumps[1:]

    def jump(before: int, i: int) -> float:
        return float(weights[MAX_JUMP + max(-MAX_JUMP, min(MAX_JUMP, i - before))])

    probability, before = 1.0, 0
    for i in a:
        if i == 0:
            probability *= null
            continue
        total = sum(jump(before, other) for other in range(1, I + 1))
        probability *= (1 - null) * jump(before, i) / total
        before = i
    return probability


def word_probabilities(model: TranslationModel, e: list[int], f: list[int]) -> Any:
    """p(fⱼ|eᵢ) for i from 0, NULL."""
    dense = np.outer(model.room, model.floors)
    dense[model.sources, model.targets] += model.probabilities
    return dense[np.ix_([0, *e], f)]


def all_alignments(model: Any, e: list[int], f: list[int]) -> dict[tuple[int, ...], float]:
    """The probability of f and each alignment."""
    p = word_probabilities(model.translation, e, f)
    return {
        a: position_probability(model.order, a, len(e))
        * math.prod(p[i, j] for j, i in enumerate(a))
        for a in itertools.product(range(len(e) + 1), repeat=len(f))
    }


def words_of(phrases: Phrases, number: int) -> list[int]:
    return list(map(int, phrases.words[phrases.offsets[number] : phrases.offsets[number + 1]]))


@pytest.mark.parametrize("kind", MODELS)
@given(data=st.data())
def test_pair_scores_are_the_sum_over_all_word_alignments(kind: Any, data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model = data.draw(directions(source, target, FLOOR)).model
    model = model._replace(order=some_order(data.draw, kind, source, target))
    s, t = data.draw(st.integers(1, len(source) - 1)), data.draw(st.integers(1, len(target) - 1))
    pairs = one_pair(s, t)
    found = score_candidates(plain_task(source, target), model, pairs)[0][0]
    found += model.translation.log_floors(target)[t]
    e, f = words_of(source, s), words_of(target, t)
    total = sum(all_alignments(model, e, f).values())
    assert found == pytest.approx(model.lengths.log_prob[len(e), len(f)] + math.log(total))


@pytest.mark.parametrize("kind", MODELS)
@given(data=st.data())
def test_pairs_also_have_the_score_of_the_search(kind: Any, data: st.DataObject) -> None:
    """That of Model 1 with room 1 for all words, whatever the word model."""
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model = data.draw(directions(source, target, FLOOR)).model
    generator = np.random.default_rng(data.draw(st.integers(0, 9)))
    room = generator.uniform(0.1, 1, len(source.vocabulary))
    closer = model._replace(
        order=some_order(data.draw, kind, source, target),
        translation=replace(model.translation, room=room),
    )
    s, t = data.draw(st.integers(1, len(source) - 1)), data.draw(st.integers(1, len(target) - 1))
    pairs = one_pair(s, t)
    _, searched = score_candidates(plain_task(source, target), closer, pairs)
    plain, _ = score_candidates(plain_task(source, target), model._replace(order=MODEL_1), pairs)
    assert searched == pytest.approx(plain)


@pytest.mark.parametrize("kind", MODELS)
@given(data=st.data())
def test_counts_are_the_posteriors_of_all_word_alignments(kind: Any, data: st.DataObject) -> None:
    """Words, positions and jumps of one link of weight 1/2, without agreement."""
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model = data.draw(directions(source, target, FLOOR)).model
    model = model._replace(order=some_order(data.draw, kind, source, target))
    s, t = data.draw(st.integers(1, len(source) - 1)), data.draw(st.integers(1, len(target) - 1))
    link = Links(np.array([s], np.int32), np.array([t], np.int32), np.array([0.5]))
    settings = Settings(agreement="outer", word_model=kind)
    backward = data.draw(directions(target, source, FLOOR)).model
    counts, order = count_links(
        Task(source, target, settings, Threads(1)), link, Models(model, backward)
    )
    e, f = words_of(source, s), words_of(target, t)
    alignments = all_alignments(model, e, f)
    total = sum(alignments.values())
    words = np.zeros((len(source.vocabulary), len(target.vocabulary)))
    positions, jumps = np.zeros_like(order.positions), np.zeros_like(order.jumps)
    for a, probability in alignments.items():
        share, before = 0.5 * probability / total, 0
        for j, i in enumerate(a):
            words[([0, *e])[i], f[j]] += share
            if positions.size:
                positions[len(e), len(f), i, j] += share
            if jumps.size:
                jumps[1 + MAX_JUMP + i - before if i else 0] += share
                before = i or before
    dense = np.zeros_like(words)
    dense[counts.source, counts.target] = counts.values
    np.testing.assert_allclose(dense, words, atol=1e-12)
    np.testing.assert_allclose(order.positions, positions, atol=1e-12)
    np.testing.assert_allclose(order.jumps, jumps, atol=1e-12)


@pytest.mark.parametrize("kind", ["model2", "hmm"])
def test_without_counts_the_order_model_is_uniform(kind: Any) -> None:
    order = OrderModel.uncounted(kind, 3, 3).normalised()
    if kind == "model2":
        np.testing.assert_allclose(order.positions, 1)
    else:
        jumps = order.jumps[1:]
        np.testing.assert_allclose(jumps, jumps[0])
    assert not MODEL_1.positions.size
    assert not MODEL_1.jumps.size


def test_phrases_too_long_for_positions_are_scored_by_model_1() -> None:
    phrases = Phrases.of([" ".join("abcdefghijkl")])
    order = OrderModel.uncounted("model2", phrases.max_length, phrases.max_length).normalised()
    assert order.positions.shape == (11, 11, 11, 11)
    one = np.array([1], np.int32)
    sigma = Counts.total(one, one, np.ones(1))
    settings = Settings(agreement="outer", word_model="model2")
    model = initial_model(Task(phrases, phrases, settings, Threads(1)), sigma)
    pair = one_pair(1, 1)
    long, plain = (
        score_candidates(plain_task(phrases, phrases), model._replace(order=order), pair)[0]
        for order in (OrderModel(2 * order.positions, order.jumps), MODEL_1)
    )
    assert long == pytest.approx(plain)
