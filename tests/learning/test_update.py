"""Counts and new parameters, compared with plain loops."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.corpus.phrases import Phrases
from accord.evidence.counts import Counts
from accord.evidence.prior import Prior
from accord.evidence.seed import SeedLexicon
from accord.learning.agreement import Links
from accord.learning.model.parameters import Models
from accord.learning.model.translation import TranslationModel
from accord.learning.task import Task
from accord.learning.update import count_links, initial_model, update_model
from accord.settings import Settings
from accord.system.runners.threads import Threads
from tests import oracle
from tests.learning.test_search import TinyShards
from tests.strategies import (
    SOURCE_WORDS,
    TARGET_WORDS,
    corpora,
    directions,
    oracle_lengths,
    oracle_phrases,
    oracle_table,
    pairs_of,
)

FLOOR = 0.01
RUNNER = TinyShards()


def some_links(draw: Any, source: Phrases, target: Phrases) -> Links:
    pairs = st.tuples(st.integers(1, len(target) - 1), st.integers(1, len(source) - 1))
    chosen = sorted(draw(st.sets(pairs, max_size=10)))
    return Links.certain(
        np.array([s for _, s in chosen], np.int32), np.array([t for t, _ in chosen], np.int32)
    )


def as_table(counts: Counts, source: Phrases, target: Phrases) -> oracle.Table:
    return {
        (source.vocabulary.words[e] or oracle.NULL, target.vocabulary.words[f]): float(value)
        for e, f, value in zip(*counts, strict=True)
    }


@given(st.data(), st.sampled_from(["inner", "outer", "none"]))
def test_word_counts(data: st.DataObject, agreement: Any) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR))
    backward = data.draw(directions(target, source, FLOOR))
    links = some_links(data.draw, source, target)
    settings = Settings(agreement=agreement, floor=FLOOR)
    counts, _ = count_links(
        Task(source, target, settings, RUNNER), links, Models(forward.model, backward.model)
    )
    E, F, pairs = oracle_phrases(source), oracle_phrases(target), pairs_of(links)
    truth = (
        oracle.inner_counts(E, F, pairs, forward.table, backward.table, FLOOR)
        if agreement == "inner"
        else oracle.outer_counts(E, F, pairs, forward.table, FLOOR)
    )
    assert as_table(counts, source, target) == pytest.approx(truth)


@given(st.data())
def test_inner_counts_are_the_same_in_both_directions(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, FLOOR)).model
    backward = data.draw(directions(target, source, FLOOR)).model
    links = some_links(data.draw, source, target)
    settings = Settings(agreement="inner", floor=FLOOR)
    one, _ = count_links(Task(source, target, settings, RUNNER), links, Models(forward, backward))
    other, _ = count_links(
        Task(target, source, settings, RUNNER), links.swapped(), Models(backward, forward)
    )
    other = other.swapped()
    np.testing.assert_array_equal(one.source, other.source)
    np.testing.assert_array_equal(one.target, other.target)
    np.testing.assert_allclose(one.values, other.values)


def test_repeated_words_count_per_token() -> None:
    source, target = Phrases.of(["a a"]), Phrases.of(["x x x"])
    sigma = SeedLexicon.of([("a", "x")]).pseudo_counts(source.vocabulary, target.vocabulary)
    settings = Settings(agreement="outer")
    model = initial_model(Task(source, target, settings, Threads(1)), sigma)
    link = Links.certain(np.array([1], np.int32), np.array([1], np.int32))
    counts, _ = count_links(Task(source, target, settings, RUNNER), link, Models(model, model))
    # Three x, each linked to two a and to NULL, which has only the floor.
    assert counts.values.sum() == pytest.approx(3)
    assert as_table(counts, source, target)["a", "x"] == pytest.approx(3, abs=1e-3)


@given(st.data(), st.sampled_from(["inner", "outer"]), st.sampled_from([0.0, 0.03, 0.3]))
def test_updated_model(data: st.DataObject, agreement: Any, prune: float) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    forward = data.draw(directions(source, target, 0.3))
    backward = data.draw(directions(target, source, 0.3))
    links = some_links(data.draw, source, target)
    entries = [(source.vocabulary.words[1], target.vocabulary.words[1])]
    floor = 0.3
    settings = Settings(agreement=agreement, floor=floor, prune=prune, length_smoothing=0.5)
    prior = Prior.of(SeedLexicon.of(entries), source, target, settings)
    task = Task(source, target, settings, RUNNER)
    model = update_model(task, prior, links, Models(forward.model, backward.model), 0.5)

    E, F, pairs = oracle_phrases(source), oracle_phrases(target), pairs_of(links)
    counts = (
        oracle.inner_counts(E, F, pairs, forward.table, backward.table, floor)
        if agreement == "inner"
        else oracle.outer_counts(E, F, pairs, forward.table, floor)
    )
    table = oracle.translation_model(counts, oracle.seed_counts(entries), prune)
    lengths = oracle.length_model(
        oracle.length_counts(E, F, pairs), source.max_length, target.max_length, 0.5
    )
    assert oracle_table(model.translation, source, target) == pytest.approx(table)
    assert oracle_lengths(model.lengths) == pytest.approx(lengths)


def test_the_initial_model_is_the_seed_with_uniform_lengths() -> None:
    source, target = Phrases.of(["a b"]), Phrases.of(["x", "y z"])
    sigma = SeedLexicon.of([("a", "x"), ("a", "y")]).pseudo_counts(
        source.vocabulary, target.vocabulary
    )
    model = initial_model(Task(source, target, Settings(agreement="outer"), Threads(1)), sigma)
    assert oracle_table(model.translation, source, target) == {("a", "x"): 0.5, ("a", "y"): 0.5}
    assert oracle_lengths(model.lengths) == pytest.approx(
        {(1, 1): 0.5, (1, 2): 0.5, (2, 1): 0.5, (2, 2): 0.5}
    )


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.floats(0, 1)), max_size=20))
def test_counts_are_summed_and_sorted(triples: list[tuple[int, int, float]]) -> None:
    e, f, values = (
        (np.array(column) for column in zip(*triples, strict=True))
        if triples
        else (np.zeros(0), np.zeros(0), np.zeros(0))
    )
    total = Counts.total(e.astype(np.int32), f.astype(np.int32), values.astype(np.float64))
    truth: dict[tuple[int, int], float] = {}
    for source, target, value in triples:
        truth[source, target] = truth.get((source, target), 0.0) + value
    pairs = list(zip(total.source.tolist(), total.target.tolist(), strict=True))
    assert pairs == sorted(truth)
    assert total.values == pytest.approx([truth[pair] for pair in pairs])
    back = total.swapped().swapped()
    np.testing.assert_array_equal(total.source, back.source)
    np.testing.assert_array_equal(total.target, back.target)
    np.testing.assert_array_equal(total.values, back.values)


@given(st.data())
def test_transpose_and_null_row(data: st.DataObject) -> None:
    source, target = data.draw(corpora(SOURCE_WORDS)), data.draw(corpora(TARGET_WORDS))
    model: TranslationModel = data.draw(directions(source, target, FLOOR)).model.translation
    dense = np.zeros((len(source.vocabulary), len(target.vocabulary)))
    dense[model.sources, model.targets] = model.probabilities / FLOOR
    offsets, words, ratios, null = model.by_target
    transposed = np.zeros_like(dense)
    for f in range(len(target.vocabulary)):
        row = slice(offsets[f], offsets[f + 1])
        transposed[words[row], f] = ratios[row]
    np.testing.assert_array_equal(null, dense[0])
    np.testing.assert_array_equal(transposed[1:], dense[1:])
    assert not transposed[0].any()
