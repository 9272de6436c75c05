"""Posterior agreement, compared with plain loops over all pairs of phrases."""

import math
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord import Accord
from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.experiments.artificial import plant
from accord.learning.agreement import Agreed
from accord.learning.model.parameters import Model, Models
from accord.learning.posterior import posterior_agreement
from accord.learning.search import candidates as search_candidates
from accord.learning.search.candidates import score_empty_phrase
from accord.learning.search.pairs import score_candidates
from accord.learning.task import Task
from accord.learning.update import initial_model
from accord.settings import Agreement, Matching, Settings, WordModel
from accord.system.runners.threads import Threads
from tests.learning.test_search import TinyShards
from tests.learning.test_words import some_order
from tests.strategies import SOURCE_WORDS, TARGET_WORDS, corpora, directions, one_pair, plain_task

FLOOR = 0.01


def drawn_models(data: st.DataObject, source: Phrases, target: Phrases) -> tuple[Model, Model]:
    """Models of both directions, with a word order that the search ignores."""

    def model(e: Phrases, f: Phrases) -> Model:
        drawn = data.draw(directions(e, f, FLOOR)).model
        order = some_order(data.draw, "model2", e, f)
        return drawn._replace(order=order, empty=data.draw(st.sampled_from([0.1, 0.5, 0.9])))

    return model(source, target), model(target, source)


def all_log_q(source: Phrases, target: Phrases, model: Model) -> Any:
    """log q(s|t) for every pair, the row 0 for the empty phrase."""
    scores = all_scores(source, target, model)
    return scores - np.logaddexp.reduce(scores, axis=0)


def all_scores(source: Phrases, target: Phrases, model: Model) -> Any:
    """log P(f|e) of every pair, and the scores of the empty phrase in row 0."""
    scores = np.full((len(source), len(target)), -np.inf)
    scores[0, 0] = 0.0
    for s in range(1, len(source)):
        for t in range(1, len(target)):
            pair = one_pair(s, t)
            scores[s, t] = score_candidates(plain_task(source, target), model, pair)[0][0]
    lengths = [len(target[t].split()) for t in range(1, len(target))]
    for t, J in enumerate(lengths, start=1):
        # The share of target phrases of this length, and the share of each word in all floors.
        share = lengths.count(J) / len(lengths)
        word = 1 / model.translation.floors[1:].sum()
        odds = model.empty / (1 - model.empty) * (len(source) - 1)
        scores[0, t] = math.log(odds * share) + J * math.log(word)
    return scores


def check_alignments(found: Agreed, forward_log_q: Any, backward_log_q: Any) -> None:
    """Check the most probable pairs, and the shares of phrases without a translation."""
    for alignment, log_q, share in zip(
        (found.forward, found.backward), (forward_log_q, backward_log_q), found.empty, strict=True
    ):
        empty = np.exp(log_q[0, 1:]).sum() + 2000 * 0.2
        assert share == pytest.approx(empty / (log_q.shape[1] - 1 + 2000))
        for t in range(1, log_q.shape[1]):
            best = log_q[:, t].max()
            assert log_q[alignment.phrases[t], t] == pytest.approx(best, abs=1e-6)


@given(st.data(), st.sampled_from([0.5, 1.0]))
def test_weights_are_the_posteriors_of_both_directions(data: st.DataObject, power: float) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward, backward = drawn_models(data, source, target)
    settings = Settings(power=power, matching="greedy")
    with patch.object(search_candidates, "MIN_WEIGHT", 1e-200):
        found = posterior_agreement(
            Task(source, target, settings, TinyShards()), Models(forward, backward)
        )
    one = all_log_q(source, target, forward)
    other = all_log_q(target, source, backward)
    weights = np.exp(power * (one[1:, 1:] + other[1:, 1:].T))
    dense = np.zeros_like(one)
    links = found.forward_links
    dense[links.source, links.target] = links.weights
    np.testing.assert_allclose(dense[1:, 1:], weights, rtol=1e-6, atol=1e-100)
    np.testing.assert_array_equal(found.backward_links.source, links.swapped().source)
    check_alignments(found, one, other)


def test_the_score_of_the_empty_phrase() -> None:
    """It depends on how often a length occurs and on the floors, here the same for both words."""
    source, target = Phrases.of(["a", "b"]), Phrases.of(["x", "y", "x y"])
    settings = Settings(background="flat", floor=0.25)
    model = initial_model(Task(source, target, settings, Threads(1)), Counts.none())._replace(
        empty=0.5
    )
    scores = score_empty_phrase(plain_task(source, target), model)
    assert scores[1] == pytest.approx(math.log(2 * 2 / 3) - math.log(2 * 0.25))
    assert scores[2] == pytest.approx(math.log(2 * 1 / 3) - 2 * math.log(2 * 0.25))


@pytest.mark.parametrize("word_model", ["model1", "model2", "hmm"])
@pytest.mark.parametrize("matching", ["exact", "greedy", "intersection"])
def test_every_word_model_and_matching_recovers_a_synthetic_lexicon(
    word_model: WordModel, matching: Matching
) -> None:
    planted = plant(words=100, phrases=400, noise=0)
    learned = Accord(word_model=word_model, matching=matching, iterations=6).fit(
        planted.source, planted.target, planted.lexicon[:20], gold=planted.gold
    )
    assert learned.trace_[-1]["f1"] > 0.95


@pytest.mark.parametrize("agreement", ["posterior", "inner", "outer"])
@pytest.mark.parametrize("training_matching", ["exact", "greedy", "intersection"])
def test_training_on_matchings(agreement: Agreement, training_matching: Matching) -> None:
    planted = plant(words=100, phrases=400, noise=100)
    learned = Accord(
        agreement=agreement, training_matching=training_matching, matching="exact"
    ).fit(planted.source, planted.target, planted.lexicon[:20], gold=planted.gold)
    assert learned.trace_[-1]["f1"] > 0.8


def test_each_phrase_is_in_one_pair_at_most() -> None:
    planted = plant(words=60, phrases=300, noise=100)
    pairs = Accord().fit(planted.source, planted.target, planted.lexicon[:15]).phrases_
    assert len({pair.source for pair in pairs}) == len(pairs) > 100
    assert len({pair.target for pair in pairs}) == len(pairs)


def test_long_phrases_of_known_words_do_not_overflow() -> None:
    """Their scores are a thousand nats above the floor; warnings are errors in tests."""
    generator = np.random.default_rng(0)
    drawn = [generator.choice(20_000, 150, replace=False) for _ in range(60)]
    source = [" ".join(f"s{word}" for word in words) for words in drawn]
    target = [" ".join(f"t{word}" for word in words) for words in drawn]
    seed = [(f"s{word}", f"t{word}") for words in drawn[:5] for word in words]
    pairs = list(zip(source, target, strict=True))
    settings: dict[str, Any] = {"max_words": 200, "iterations": 3, "min_probability": 0.0}
    learned = Accord(**settings).fit(source, target, seed)
    assert {pair[:2] for pair in learned.phrases_} == set(pairs[:5])
