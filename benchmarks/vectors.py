"""A baseline for lexicons: word vectors of each language, mapped by the seed.

Skip-gram vectors by gensim, centred and of length 1; the orthogonal map that brings the seed's
source words nearest to their translations (Procrustes); the best target word by similarity scaled
by the ten nearest neighbours of both words (CSLS).
"""

from typing import NamedTuple

import numpy as np
from gensim.models import Word2Vec
from numpy.typing import NDArray

from accord.evidence.similarity import average_largest

DIMENSIONS, EPOCHS, LEAST_COUNT = 300, 10, 5
NEIGHBOURS = 10
BLOCK = 1_000

Vectors = tuple[dict[str, int], NDArray[np.float32]]


class MappedVectors(NamedTuple):
    """Words of two languages in one space, and their mean similarity to the nearest words."""

    source: Vectors
    target: Vectors
    source_near: NDArray[np.float32]
    target_near: NDArray[np.float32]

    @classmethod
    def by(cls, source: Vectors, target: Vectors, seed: list[tuple[str, str]]) -> "MappedVectors":
        one, X = source
        other, Y = target
        known = [(one[e], other[f]) for e, f in seed if e in one and f in other]
        e, f = np.array(known).T
        X = X @ fit_rotation(X[e], Y[f])
        return cls((one, X), target, average_similarity(X, Y), average_similarity(Y, X))

    def translations(self, words: list[str]) -> dict[str, str]:
        """Return the best translation of each word that has a vector."""
        one, names = self.source[0], list(self.target[0])
        wanted = [word for word in words if word in one]
        best, _ = self._find_best(np.array([one[word] for word in wanted]))
        return dict(zip(wanted, (names[n] for n in best.tolist()), strict=True))

    def mutual(self) -> list[tuple[str, str]]:
        """Return all pairs of words that are each other's best, the nearest first."""
        best, scores = self._find_best(np.arange(len(self.source[0])))
        swapped = MappedVectors(self.target, self.source, self.target_near, self.source_near)
        back, _ = swapped._find_best(np.arange(len(self.target[0])))
        rows = np.flatnonzero(back[best] == np.arange(len(best)))
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        one, other = list(self.source[0]), list(self.target[0])
        return [(one[row], other[best[row]]) for row in rows.tolist()]

    def _find_best(self, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the best target word for each of these source words, and its score."""
        parts = []
        for begin in range(0, len(rows), BLOCK):
            block = rows[begin : begin + BLOCK]
            scores = 2 * self.source[1][block] @ self.target[1].T - self.target_near
            parts.append((scores.argmax(axis=1), scores.max(axis=1) - self.source_near[block]))
        best, scores = (np.concatenate(part) for part in zip(*parts, strict=True))
        return best, scores


def fit_rotation(X: NDArray[np.float32], Y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the orthogonal matrix that brings X closest to Y."""
    u, _, v = np.linalg.svd(X.T @ Y, full_matrices=False)
    rotation: NDArray[np.float32] = u @ v
    return rotation


def average_similarity(X: NDArray[np.float32], Y: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean similarity of each row of X to its nearest rows of Y."""
    blocks = (X[begin : begin + BLOCK] for begin in range(0, len(X), BLOCK))
    return np.concatenate([average_largest(Y @ block.T, NEIGHBOURS) for block in blocks])


def train_vectors(sentences: list[list[str]], threads: int) -> Vectors:
    """Train vectors: the numbers of the words, and one row for each."""
    model = Word2Vec(
        sentences,
        vector_size=DIMENSIONS,
        min_count=LEAST_COUNT,
        epochs=EPOCHS,
        sg=1,
        negative=10,
        workers=threads,
    )
    rows = model.wv.vectors / np.linalg.norm(model.wv.vectors, axis=1, keepdims=True)
    rows = rows - rows.mean(axis=0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return dict(model.wv.key_to_index), rows
