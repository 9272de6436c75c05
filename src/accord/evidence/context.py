"""Word pairs from context, for the first iteration.

Notation: X, Y  one row for each word of a language, one column for each known pair and direction
             of context
          context  the words of the same phrase: before the word, after it, or on either side

A seed of 50 words covers only a few of the phrases. But a word that often occurs before "bank"
has a translation that often occurs before the translation of "bank". So we compare words by their
association with the words of the known pairs (Rapp 1995; Fung 1995), add the most confident new
pairs to the known ones, and repeat. About half of the pairs found are correct, which is enough to
begin with. They are used in Θ⁽⁰⁾ only: pairs that the phrases do not confirm are gone after one
iteration.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NO_PAIRS, PairSet
from accord.evidence.counts import Counts
from accord.evidence.similarity import Similarity, find_mutual_best
from accord.system.arrays import Floats32, Offsets
from accord.system.runners import Runner

ROUNDS = 10
# In each round, the known pairs may become GROWTH times as many, plus STEP.
GROWTH, STEP = 1.6, 20
# Rarer words have too few contexts to compare. Of the others, only the most frequent are compared.
MIN_FREQUENCY, MAX_WORDS = 3, 20_000
# Exponent that smooths the frequencies of context words.
SMOOTHING = 0.5
# Penalty for unequal frequency: this times the squared log-ratio.
FREQUENCY_PENALTY = 0.05
# The number of nearest neighbours that the hubness of a word is computed from.
NEIGHBOURS = 5


class ContextVectors(NamedTuple):
    """The frequent words of one language, and their association with every word as context."""

    words: Offsets
    log_frequency: Floats32
    by_direction: list[csr_array]  # either side, before, after


def find_context_pairs(
    source: Phrases,
    target: Phrases,
    seed: Counts,
    runner: Runner,
    rejected: PairSet = NO_PAIRS,
) -> Counts:
    """Return new word pairs, with a count of 1 each.

    Words that are in the seed and rejected pairs are left out.
    """
    one, other = build_context_vectors(source), build_context_vectors(target)
    e, f = seed.source.astype(np.int64), seed.target.astype(np.int64)
    size = len(seed.source)
    if not len(one.words) or not len(other.words):
        return Counts.none()
    for _ in range(ROUNDS):
        X, Y = _select_features(one, e), _select_features(other, f)
        compute = partial(_compute_similarity, one, other, X, Y.T.tocsr())
        similarity = Similarity(compute, len(one.words), NEIGHBOURS)
        rows, columns, scores = find_mutual_best(similarity, runner)
        size = int(size * GROWTH) + STEP
        best = np.argsort(-scores, kind="stable")[:size]
        new_e, new_f = one.words[rows[best]], other.words[columns[best]]
        new = ~(np.isin(new_e, seed.source) | np.isin(new_f, seed.target))
        new &= ~rejected.contains(new_e, new_f)
        e = np.concatenate([seed.source, new_e[new]])
        f = np.concatenate([seed.target, new_f[new]])
    new_e, new_f = e[len(seed.source) :], f[len(seed.target) :]
    return Counts.total(
        new_e.astype(np.int32), new_f.astype(np.int32), np.ones(len(new_e), np.float64)
    )


def build_context_vectors(phrases: Phrases) -> ContextVectors:
    """Count which words occur together in a phrase, and weight the counts by association."""
    size = len(phrases.vocabulary)
    number = np.repeat(np.arange(len(phrases)), phrases.lengths)
    first, second = [], []
    for distance in range(1, phrases.max_length):
        together = np.flatnonzero(number[:-distance] == number[distance:])
        first.append(phrases.words[together])
        second.append(phrases.words[together + distance])
    pairs = (
        np.concatenate([np.empty(0, np.int32), *first]),
        np.concatenate([np.empty(0, np.int32), *second]),
    )
    after = csr_array((np.ones(len(pairs[0])), pairs), (size, size))
    before = after.T.tocsr()
    frequency = np.bincount(phrases.words, minlength=size)
    words = np.argsort(-frequency, kind="stable")[:MAX_WORDS]
    words = np.sort(words[frequency[words] >= MIN_FREQUENCY])
    return ContextVectors(
        words,
        np.log(frequency[words] / len(phrases.words)).astype(np.float32),
        [_weight_by_association(counts)[words] for counts in (before + after, before, after)],
    )


def _weight_by_association(counts: csr_array) -> csr_array:
    """Return the square root of the positive pointwise mutual information of each word pair."""
    counts = counts.tocoo()
    row, column = counts.coords
    rows = np.bincount(row, counts.data, minlength=counts.shape[0])
    columns = np.bincount(column, counts.data, minlength=counts.shape[1]) ** SMOOTHING
    information = np.log(counts.data / rows[row] / columns[column] * columns.sum())
    association = np.sqrt(np.maximum(information, 0)).astype(np.float32)
    return csr_array((association, (row, column)), counts.shape)


def _select_features(contexts: ContextVectors, known: Offsets) -> csr_array:
    """Return rows of length 1: the association of each word with the words of the known pairs."""
    features = hstack([matrix[:, known] for matrix in contexts.by_direction], format="csr")
    norms = np.sqrt(features.multiply(features).sum(axis=1))
    norms[norms == 0] = 1
    row = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    features.data /= norms[row]
    return features


def _compute_similarity(
    one: ContextVectors, other: ContextVectors, X: csr_array, Y: csr_array, first: int, last: int
) -> Floats32:
    """Return the cosines of rows first..last-1 and all columns, less the frequency penalty."""
    ratio = one.log_frequency[first:last, None] - other.log_frequency
    cosines: Floats32 = (X[first:last] @ Y).toarray()
    return cosines - np.float32(FREQUENCY_PENALTY) * ratio**2
