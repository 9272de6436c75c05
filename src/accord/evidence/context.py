"""Words paired by the company they keep, before the first iteration.

Notation: X, Y  a row for each word of a language, a column for each known pair and kind of company
          company  the words beside it in a phrase: before it, after it, or either

A seed of 50 words tells the first iteration nothing of most phrases. But a word that stands
before "bank" in one language stands, translated, before its translation in the other. So words
are compared by how much they attract the words of the known pairs (Rapp 1995; Fung 1995), the
surest new pairs join the known ones, and it is done again. About half of what comes out is
right, which is enough to begin with: it goes into Θ⁽⁰⁾ only, and what the phrases do not bear out
is gone after an iteration.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NO_PAIRS, PairSet
from accord.evidence.counts import Counts
from accord.evidence.neighbours import greatest, nearness
from accord.system.runners import Runner

ROUNDS = 10
# The known pairs may become so many times as many each round, and so many more.
GROWTH, STEP = 1.6, 20
# Words that occur less often have no company to speak of; of the others, so many at most.
LEAST_COUNT, MOST_WORDS = 3, 20_000
# The frequency of the words of company is smoothed by this exponent.
SMOOTHING = 0.5
# What a difference in frequency costs: this times the squared log-ratio.
FREQUENCY = 0.05
# Neighbours by which similarity is scaled.
NEIGHBOURS = 5
BLOCK = 512

Array = NDArray[np.float32]
Ids = NDArray[np.int64]


class Company(NamedTuple):
    """The frequent words of one language, and how much each attracts every word."""

    words: Ids
    log_frequency: Array
    kinds: list[csr_array]  # either side, before, after


def context_pairs(
    source: Phrases,
    target: Phrases,
    seed: Counts,
    runner: Runner,
    rejected: PairSet = NO_PAIRS,
) -> Counts:
    """New word pairs, each counted 1: not of a word that the seed has, nor one that is rejected."""
    one, other = company_of(source), company_of(target)
    e, f = seed.source.astype(np.int64), seed.target.astype(np.int64)
    size = len(seed.source)
    if not len(one.words) or not len(other.words):
        return Counts.none()
    for _ in range(ROUNDS):
        rows, columns, margins = _mutual_best(
            one, other, _features(one, e), _features(other, f), runner
        )
        size = int(size * GROWTH) + STEP
        best = np.argsort(-margins, kind="stable")[:size]
        new_e, new_f = one.words[rows[best]], other.words[columns[best]]
        new = ~(np.isin(new_e, seed.source) | np.isin(new_f, seed.target))
        new &= ~rejected.contains(new_e, new_f)
        e = np.concatenate([seed.source, new_e[new]])
        f = np.concatenate([seed.target, new_f[new]])
    new_e, new_f = e[len(seed.source) :], f[len(seed.target) :]
    return Counts.total(
        new_e.astype(np.int32), new_f.astype(np.int32), np.ones(len(new_e), np.float64)
    )


def company_of(phrases: Phrases) -> Company:
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
    words = np.argsort(-frequency, kind="stable")[:MOST_WORDS]
    words = np.sort(words[frequency[words] >= LEAST_COUNT])
    return Company(
        words,
        np.log(frequency[words] / len(phrases.words)).astype(np.float32),
        [_attraction(counts)[words] for counts in (before + after, before, after)],
    )


def _attraction(counts: csr_array) -> csr_array:
    """The square root of the positive pointwise mutual information of each pair of words."""
    counts = counts.tocoo()
    row, column = counts.coords
    rows = np.bincount(row, counts.data, minlength=counts.shape[0])
    columns = np.bincount(column, counts.data, minlength=counts.shape[1]) ** SMOOTHING
    information = np.log(counts.data / rows[row] / columns[column] * columns.sum())
    attraction = np.sqrt(np.maximum(information, 0)).astype(np.float32)
    return csr_array((attraction, (row, column)), counts.shape)


def _features(company: Company, known: Ids) -> csr_array:
    """Rows of length 1: what each word has to do with the words of the known pairs."""
    features = hstack([kind[:, known] for kind in company.kinds], format="csr")
    norms = np.sqrt(features.multiply(features).sum(axis=1))
    norms[norms == 0] = 1
    row = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    features.data /= norms[row]
    return features


def _mutual_best(
    one: Company, other: Company, X: csr_array, Y: csr_array, runner: Runner
) -> tuple[Ids, Ids, Array]:
    """(rows, columns, margins) of the words that are each other's most similar.

    The similarity of a pair is scaled by those of its words to their nearest neighbours. The
    matrix is never whole in memory: it is made in blocks of rows, once for the neighbours of all
    words and once for the best.
    """
    similarity = partial(_similarity, one, other, X, Y.T.tocsr())
    items = X.shape[0]
    shards = runner.map(_neighbours, (similarity,), items=items, shard=BLOCK)
    row_near = np.concatenate([near for near, _ in shards])
    column_near = nearness(np.concatenate([top for _, top in shards]), NEIGHBOURS)
    shards = runner.map(_best, (similarity, row_near, column_near), items=items, shard=BLOCK)
    row_best = np.concatenate([best for best, _, _ in shards])
    margins = np.stack([margin for _, margin, _ in shards])
    owners = np.stack([owner for _, _, owner in shards])
    column_best = owners[margins.argmax(axis=0), np.arange(Y.shape[0])]
    rows = np.flatnonzero(column_best[row_best] == np.arange(items))
    columns = row_best[rows]
    return rows, columns, margins.max(axis=0)[columns]


def _similarity(
    one: Company, other: Company, X: csr_array, Y: csr_array, first: int, last: int
) -> Array:
    """Cosines of the rows first..last-1 with all columns, less the cost of their frequencies."""
    ratio = one.log_frequency[first:last, None] - other.log_frequency
    cosines: Array = (X[first:last] @ Y).toarray()
    return cosines - np.float32(FREQUENCY) * ratio**2


def _neighbours(similarity: partial[Array], first: int, last: int) -> tuple[Array, Array]:
    """(the mean of the nearest of each row, the nearest of each column within these rows)."""
    block = similarity(first, last)
    return nearness(block.T, NEIGHBOURS), greatest(block, NEIGHBOURS)


def _best(
    similarity: partial[Array], row_near: Array, column_near: Array, first: int, last: int
) -> tuple[Ids, Array, Ids]:
    """(the best of each row, the greatest margin of each column, the row that has it)."""
    margins = 2 * similarity(first, last) - row_near[first:last, None] - column_near
    owners = margins.argmax(axis=0)
    return margins.argmax(axis=1), margins.max(axis=0), first + owners
