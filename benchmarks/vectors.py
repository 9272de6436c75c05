"""A baseline for lexicons: word vectors of each language, mapped by the seed.

Skip-gram vectors by gensim, centred and of length 1; the orthogonal map that brings the seed's
source words nearest to their translations (Procrustes); the best target word by similarity scaled
by the ten nearest neighbours of both words (CSLS). Nothing here is taken from Accord.
"""

from typing import NamedTuple

import numpy as np
from gensim.models import Word2Vec
from numpy.typing import NDArray

DIMENSIONS, EPOCHS, LEAST_COUNT = 300, 10, 5
NEIGHBOURS = 10
BLOCK = 1_000

Rows = NDArray[np.float32]
Numbers = NDArray[np.int64]
# The numbers of the words, the most frequent first, and one row of length 1 for each.
Vectors = tuple[dict[str, int], Rows]


class MappedVectors(NamedTuple):
    """Words of two languages in one space, and their mean similarity to the nearest words."""

    source: Vectors
    target: Vectors
    source_near: Rows
    target_near: Rows

    @classmethod
    def by(cls, source: Vectors, target: Vectors, seed: list[tuple[str, str]]) -> "MappedVectors":
        """Return the vectors in one space, by the orthogonal map that fits the seed best."""
        e, f = number_pairs(source, target, seed)
        rotation = fit_rotation(source[1][e], target[1][f])
        return cls.of((source[0], source[1] @ rotation), target)

    @classmethod
    def of(cls, source: Vectors, target: Vectors) -> "MappedVectors":
        """Return vectors that are in one space already."""
        X, Y = source[1], target[1]
        return cls(source, target, average_similarity(X, Y), average_similarity(Y, X))

    def swapped(self) -> "MappedVectors":
        return MappedVectors(self.target, self.source, self.target_near, self.source_near)

    def translations(self, words: list[str]) -> dict[str, str]:
        """Return the best translation of each word that has a vector."""
        one, names = self.source[0], list(self.target[0])
        wanted = [word for word in words if word in one]
        best, _ = self.find_best(np.array([one[word] for word in wanted]))
        return dict(zip(wanted, (names[n] for n in best.tolist()), strict=True))

    def mutual(self) -> list[tuple[str, str]]:
        """Return all pairs of words that are each other's best, the nearest first."""
        best, scores = self.find_best(np.arange(len(self.source[0])))
        back, _ = self.swapped().find_best(np.arange(len(self.target[0])))
        rows = np.flatnonzero(back[best] == np.arange(len(best)))
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        one, other = list(self.source[0]), list(self.target[0])
        return [(one[row], other[best[row]]) for row in rows.tolist()]

    def find_best(self, rows: Numbers) -> tuple[Numbers, Rows]:
        """Return the best target word for each of these source words, and its score."""
        parts = []
        for begin in range(0, len(rows), BLOCK):
            scores = self.score(rows[begin : begin + BLOCK])
            parts.append((scores.argmax(axis=1), scores.max(axis=1)))
        best, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
        return best, scores

    def score(self, rows: Numbers) -> Rows:
        """Return CSLS of these source words with all target words."""
        scores: Rows = 2 * self.source[1][rows] @ self.target[1].T
        scores -= self.target_near
        scores -= self.source_near[rows, None]
        return scores


def train_vectors(
    sentences: list[list[str]],
    threads: int,
    *,
    least_count: int = LEAST_COUNT,
    dimensions: int = DIMENSIONS,
) -> Vectors:
    """Train vectors: the numbers of the words, and one row for each."""
    model = Word2Vec(
        sentences,
        vector_size=dimensions,
        min_count=least_count,
        epochs=EPOCHS,
        sg=1,
        negative=10,
        workers=threads,
    )
    return dict(model.wv.key_to_index), normalise(model.wv.vectors)


def normalise(rows: Rows) -> Rows:
    """Scale all rows to length 1, centre them, and scale them again."""
    rows = to_unit_length(rows)
    return to_unit_length(rows - rows.mean(axis=0))


def to_unit_length(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)


def number_pairs(
    source: Vectors, target: Vectors, pairs: list[tuple[str, str]]
) -> tuple[Numbers, Numbers]:
    """Return the numbers of the words of each pair of which both have a vector."""
    one, other = source[0], target[0]
    known = [(one[e], other[f]) for e, f in pairs if e in one and f in other]
    e, f = np.array(known, np.int64).reshape(-1, 2).T
    return e, f


def fit_rotation(X: Rows, Y: Rows) -> Rows:
    """Return the orthogonal W with the least |XW - Y| (Procrustes)."""
    U, _, V = np.linalg.svd(X.T @ Y)
    return np.asarray(U @ V, np.float32)


def average_similarity(rows: Rows, others: Rows) -> Rows:
    """Return the mean similarity of each row to its nearest neighbours among the others."""
    near = min(NEIGHBOURS, len(others))
    means = [
        np.partition(rows[begin : begin + BLOCK] @ others.T, -near, axis=1)[:, -near:].mean(axis=1)
        for begin in range(0, len(rows), BLOCK)
    ]
    return np.concatenate(means)
