"""One space for two languages: vectors from counts, and a synthetic rotation that is found."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from accord.corpus.text.tokens import LINE_END
from accord.evidence import mapping
from accord.evidence.cooccurrence import count_cooccurrences
from accord.evidence.mapping import (
    KnownPairs,
    Space,
    embed,
    fit_map,
    learn_map,
    normalise_rows,
)
from accord.evidence.similarity import Matches
from accord.system.arrays import Floats32, Offsets
from accord.system.runners.threads import Threads

RUNNER = Threads(2)
NOBODY = np.empty(0, np.int64)


def rotated_space(words: int, size: int, noise: float) -> tuple[Space, Offsets]:
    """Vectors, the same rotated in another order, and the translation of each word."""
    generator = np.random.default_rng(0)
    X = generator.normal(size=(words, size))
    turn, _ = np.linalg.qr(generator.normal(size=(size, size)))
    Y = X @ turn + noise * generator.normal(size=X.shape)
    order = generator.permutation(words)
    frequency = np.arange(words, 0, -1)
    one, other = (normalise_rows(side.astype(np.float32)) for side in (X, Y[order]))
    return Space(one, other, frequency, frequency[order]), np.argsort(order)


def precision(space: Space, translations: Offsets, seeds: int) -> float:
    """How many words outside of the seed have their translation as nearest word."""
    nearest = (space.source @ space.target.T).argmax(axis=1)
    return float(np.mean((nearest == translations)[seeds:]))


def test_a_rotation_is_found_from_fewer_seeds_than_dimensions() -> None:
    space, translations = rotated_space(words=600, size=40, noise=0.5)
    seeds = 12
    seed = KnownPairs(np.arange(seeds), translations[:seeds])
    once = precision(fit_map(space, seed, seeds), translations, seeds)
    mapped, matches = learn_map(space, seed, RUNNER)
    assert precision(mapped, translations, seeds) > 0.95 > 0.8 > once
    assert np.mean(translations[matches.rows] == matches.columns) > 0.95


def test_vectors_that_are_in_one_space_need_few_seeds() -> None:
    generator = np.random.default_rng(1)
    X = generator.normal(size=(600, 40))
    Y = X + 0.7 * generator.normal(size=X.shape)
    frequency, everyone = np.arange(600, 0, -1), np.arange(600)
    one, other = (normalise_rows(side.astype(np.float32)) for side in (X, Y))
    shared = Space(one, other, frequency, frequency)
    seed = KnownPairs(everyone[:4], everyone[:4])
    assert mapping.is_shared(shared, seed)
    mapped, _ = learn_map(shared, seed, RUNNER)
    assert precision(mapped, everyone, 4) > 0.95
    turned, translations = rotated_space(words=600, size=40, noise=0.7)
    assert not mapping.is_shared(turned, KnownPairs(everyone[:4], translations[:4]))
    assert precision(learn_map(turned, seed, RUNNER)[0], translations, 4) < 0.5


def test_only_frequent_words_are_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    space, translations = rotated_space(words=60, size=8, noise=0.0)
    monkeypatch.setattr(mapping, "CUTOFFS", (20, 30))
    _, matches = learn_map(space, KnownPairs(np.arange(10), translations[:10]), RUNNER)
    assert {*matches.rows.tolist()} <= {*range(20)}
    assert {*matches.columns.tolist()} <= {*translations[:20].tolist()}
    assert len(matches.rows) > 15


def test_swapped_languages_have_the_same_map() -> None:
    space, translations = rotated_space(words=300, size=20, noise=0.5)
    seed = KnownPairs(np.arange(40), translations[:40])
    swapped = Space(space.target, space.source, space.target_frequency, space.source_frequency)
    there, matches = learn_map(space, seed, RUNNER)
    back, back_matches = learn_map(swapped, KnownPairs(seed.target, seed.source), RUNNER)
    np.testing.assert_allclose(
        there.source @ there.target.T, (back.source @ back.target.T).T, atol=1e-3
    )
    pairs = {*zip(matches.rows.tolist(), matches.columns.tolist(), strict=True)}
    assert pairs == {*zip(back_matches.columns.tolist(), back_matches.rows.tolist(), strict=True)}


def test_the_seed_weighs_more_than_matches() -> None:
    X = np.eye(4, dtype=np.float32)
    space = Space(X, X, np.ones(4, np.int64), np.ones(4, np.int64))
    # The seed says 0 = 1, and matches say 0 = 0 and 1 = 0.
    known = KnownPairs(np.array([0, 0, 1]), np.array([1, 0, 0]))
    mapped = fit_map(space, known, seeds=1)
    assert mapped.source[0] @ mapped.target[1] > mapped.source[0] @ mapped.target[0] + 0.1


def test_matches_of_words_in_the_seed_are_left_out() -> None:
    seed = KnownPairs(np.array([3]), np.array([5]))
    matches = Matches(np.array([1, 2, 3]), np.array([4, 5, 6]), np.ones(3, np.float32))
    known = seed.extended(matches)
    assert (known.source.tolist(), known.target.tolist()) == ([3, 1], [5, 4])


def test_languages_with_other_numbers_of_dimensions() -> None:
    generator = np.random.default_rng(0)
    X, Y = (generator.normal(size=(30, size)).astype(np.float32) for size in (6, 9))
    space = Space(X, Y, np.arange(30), np.arange(30))
    for given, axis in ((space, 1), (Space(Y, X, *space[2:]), 0)):
        mapped, _ = learn_map(given, KnownPairs(np.arange(9), np.arange(9)), RUNNER)
        assert mapped.source.shape == mapped.target.shape == (30, 6)
        assert np.isfinite(mapped[axis]).all()


@pytest.mark.parametrize("words", [1, 2, 3])
def test_fewer_words_than_dimensions(words: int) -> None:
    generator = np.random.default_rng(0)
    X = normalise_rows(generator.normal(size=(words, 10)).astype(np.float32))
    space = Space(X, X, np.ones(words, np.int64), np.ones(words, np.int64))
    mapped, _ = learn_map(space, KnownPairs(np.array([0]), np.array([0])), RUNNER)
    assert np.isfinite(mapped.source).all()
    # A single vector is zero, once it is centred.
    assert mapped.source[0] @ mapped.target[0] == pytest.approx(float(words > 1), abs=1e-5)


def test_words_without_a_vector_are_matched_with_nothing() -> None:
    space, translations = rotated_space(words=50, size=6, noise=0.0)
    space.source[30:] = space.target[:7] = 0
    seed = KnownPairs(np.arange(30), translations[:30])
    mapped, matches = learn_map(space, seed, RUNNER)
    assert not mapped.source[30:].any()
    assert not mapped.target[:7].any()
    assert (matches.rows < 30).all()
    assert (matches.columns >= 7).all()
    # A known pair without vectors does not help.
    nothing = learn_map(space, KnownPairs(np.array([40]), np.array([3])), RUNNER)
    assert not nothing[0].source.any()
    assert len(nothing[1].rows) == 0


def test_rows_are_centred_and_of_length_1_or_zeros() -> None:
    rows = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    rows[3] = 0
    normalised = normalise_rows(rows)
    lengths = np.linalg.norm(normalised, axis=1)
    np.testing.assert_allclose(np.delete(lengths, 3), 1, rtol=1e-5)
    assert not normalised[3].any()
    # The row of zeros does not change the others.
    np.testing.assert_allclose(
        np.delete(normalised, 3, axis=0), normalise_rows(np.delete(rows, 3, axis=0)), rtol=1e-5
    )
    assert not normalise_rows(np.zeros((3, 2), np.float32)).any()


# Vectors from counts


def random_matrix(rank: int) -> Floats32:
    generator = np.random.default_rng(rank)
    product = generator.normal(size=(80, rank)) @ generator.normal(size=(rank, 120))
    return product.astype(np.float32)


@pytest.mark.parametrize(("rank", "dimensions"), [(7, 7), (30, 12), (60, 60)])
def test_singular_vectors_are_those_of_numpy(rank: int, dimensions: int) -> None:
    """Up to their signs; if the matrix has a higher rank, the last ones are approximations."""
    matrix = random_matrix(rank)
    vectors, values = mapping._decompose(csr_array(matrix), dimensions)
    u, s, _ = np.linalg.svd(matrix)
    np.testing.assert_allclose(values, s[:dimensions], rtol=0.01)
    scaled, expected = vectors * values, u[:, :dimensions] * s[:dimensions]
    error = np.abs(scaled @ scaled.T - expected @ expected.T).max()
    assert error < 0.01 * np.abs(expected @ expected.T).max()


def test_words_in_the_same_contexts_have_similar_vectors() -> None:
    generator = np.random.default_rng(0)
    # Words 1 and 2 occur between the same words.
    lines = [
        [generator.integers(3, 12), generator.integers(1, 3), generator.integers(12, 20), LINE_END]
        for _ in range(400)
    ]
    vectors = embed(count_cooccurrences(np.array(lines, np.int32).ravel(), RUNNER))
    similarity = vectors @ vectors[0]
    assert similarity[1] > similarity[2:].max() + 0.3


def test_words_that_stand_alone_have_no_vector() -> None:
    lines = [*[1, 2, LINE_END] * 3, *[2, 4, LINE_END] * 3, *[3, LINE_END] * 3]
    vectors = embed(count_cooccurrences(np.array(lines, np.int32), RUNNER))
    assert vectors.any(axis=1).tolist() == [True, True, False, True]


def test_a_text_with_one_word_has_one_dimension() -> None:
    counts = count_cooccurrences(np.array([1, LINE_END] * 3, np.int32), RUNNER)
    np.testing.assert_array_equal(embed(counts), np.zeros((1, 1)))
