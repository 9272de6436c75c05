"""Comparing the words of two languages that are rows of one space, block by block.

Notation: X, Y  one row for each word of a language
          CSLS  2·sim(x, y) − r(x) − r(y), where r, the hubness, is the mean similarity of a word to
          its nearest neighbours in the other language (Conneau et al. 2018)

Some words, called hubs, are similar to very many words. CSLS keeps them from being the best match
of each. The similarity matrix is never held in memory as a whole: it is computed in blocks of rows,
once for the neighbours of all words, and once for the best matches.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from accord.system.arrays import Floats32, Offsets
from accord.system.runners import Runner

BLOCK = 512


class Similarity(NamedTuple):
    """The similarity of all words of two languages, as a function of a block of source words."""

    compute: Callable[[int, int], Floats32]
    size: int  # the number of source words
    neighbours: int  # the number of neighbours that the hubness is computed from


class Matches(NamedTuple):
    """Words that are each other's best match, by row and column, and their CSLS."""

    rows: Offsets
    columns: Offsets
    scores: Floats32

    @classmethod
    def none(cls) -> "Matches":
        return cls(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))

    def take_best(self, count: int) -> "Matches":
        """Those with the highest scores."""
        best = np.argsort(-self.scores, kind="stable")[:count]
        return Matches(self.rows[best], self.columns[best], self.scores[best])


def find_mutual_best(similarity: Similarity, runner: Runner) -> Matches:
    """Return the pairs in which each word is the other's best match."""
    shared = similarity, *measure_hubness(similarity, runner)
    matches = runner.map(_find_best_matches, shared, items=similarity.size, shard=BLOCK)
    row_best = np.concatenate([best for best, _, _ in matches])
    scores = np.stack([score for _, score, _ in matches])
    owners = np.stack([owner for _, _, owner in matches])
    column_best = owners[scores.argmax(axis=0), np.arange(scores.shape[1])]
    rows = np.flatnonzero(column_best[row_best] == np.arange(similarity.size))
    columns = row_best[rows]
    return Matches(rows, columns, scores.max(axis=0)[columns])


def find_nearest(
    similarity: Similarity, hubness: tuple[Floats32, Floats32], count: int, runner: Runner
) -> csr_array:
    """Return the CSLS of each word and its nearest words, in either direction."""
    shared = similarity, *hubness, count
    blocks = runner.map(_find_nearest, shared, items=similarity.size, shard=BLOCK)
    by_row = np.concatenate([part for part, _ in blocks])
    # The best of each block and column: the best of all blocks are among them.
    candidates = np.concatenate([part for _, part in blocks], axis=0)
    columns = candidates.shape[1]
    count = min(count, len(candidates))
    best = np.argpartition(-candidates["score"], count - 1, axis=0)[:count]
    by_column = np.take_along_axis(candidates, best, axis=0)
    row = np.concatenate(
        [np.repeat(np.arange(len(by_row)), by_row.shape[1]), by_column["word"].ravel()]
    )
    column = np.concatenate([by_row["word"].ravel(), np.tile(np.arange(columns), count)])
    score = np.concatenate([by_row["score"].ravel(), by_column["score"].ravel()])
    keys, first = np.unique(row.astype(np.int64) * columns + column, return_index=True)
    return csr_array((score[first], divmod(keys, columns)), (similarity.size, columns))


def measure_hubness(similarity: Similarity, runner: Runner) -> tuple[Floats32, Floats32]:
    """Return the hubness of all source words, and of all target words."""
    blocks = runner.map(_find_neighbours, (similarity,), items=similarity.size, shard=BLOCK)
    columns = average_largest(np.concatenate([top for _, top in blocks]), similarity.neighbours)
    return np.concatenate([hubness for hubness, _ in blocks]), columns


def take_largest(similarity: Floats32, count: int) -> Floats32:
    """Return the `count` largest values of each column, or all values if there are fewer."""
    count = min(count, len(similarity))
    return np.partition(similarity, len(similarity) - count, axis=0)[len(similarity) - count :]


def average_largest(similarity: Floats32, count: int) -> Floats32:
    """Return the mean of the `count` largest values of each column."""
    # In C order, NumPy adds row by row; in Fortran order, it would add in another order.
    means: Floats32 = np.ascontiguousarray(take_largest(similarity, count)).mean(axis=0)
    return means


def _find_neighbours(similarity: Similarity, first: int, last: int) -> tuple[Floats32, Floats32]:
    """Return (the mean of the largest values of each row, the largest values of each column)."""
    block = similarity.compute(first, last)
    count = similarity.neighbours
    return average_largest(block.T, count), take_largest(block, count)


def _find_best_matches(
    similarity: Similarity, row_hubness: Floats32, column_hubness: Floats32, first: int, last: int
) -> tuple[Offsets, Floats32, Offsets]:
    """Return (the best column of each row, the largest score of each column, and its row)."""
    scores = 2 * similarity.compute(first, last) - row_hubness[first:last, None] - column_hubness
    owners = scores.argmax(axis=0)
    return scores.argmax(axis=1), scores.max(axis=0), first + owners


NEAREST = np.dtype([("word", np.int32), ("score", np.float32)])


def _find_nearest(
    similarity: Similarity,
    row_hubness: Floats32,
    column_hubness: Floats32,
    count: int,
    first: int,
    last: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Return (the nearest words of each row, those of each column within the block)."""
    scores = 2 * similarity.compute(first, last) - row_hubness[first:last, None] - column_hubness
    return _take_best(scores, count), _take_best(scores.T, count, first).T


def _take_best(scores: Floats32, count: int, first: int = 0) -> np.ndarray:
    count = min(count, scores.shape[1])
    words = np.argpartition(-scores, count - 1, axis=1)[:, :count]
    found = np.empty(words.shape, NEAREST)
    found["word"], found["score"] = words + first, np.take_along_axis(scores, words, axis=1)
    return found
