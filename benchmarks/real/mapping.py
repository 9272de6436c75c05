"""VecMap's semi-supervised recipe (Artetxe, Labaka and Agirre 2018), written anew.

Self-learning alternates two steps: the map is fitted to a dictionary, which is the seed at first;
then a dictionary is induced, of the best translations by CSLS in both directions among the most
frequent words. At the end both languages are whitened, rotated onto each other, re-weighted by how
well each dimension corresponds, and de-whitened.

Two variants of self-learning:

- `VECMAP` is that of the original: an orthogonal map to the induced dictionary alone. The original
  also drops random similarities, in hundreds of iterations; here there is no randomness.
- `ANCHORED` applies all steps of the map in each iteration, keeps the seed in the dictionary with
  a triple weight, induces only words that are each other's best, and looks at more and more words.
"""

from typing import NamedTuple

import numpy as np

from benchmarks.vectors import NEIGHBOURS, Numbers, Rows, fit_rotation, to_unit_length

REWEIGHTING = 0.5
# The mean similarity of best translations has to grow by this much, else self-learning ends.
THRESHOLD = 1e-3
MAX_ITERATIONS = 30
# Dimensions that the dictionary does not span are not blown up.
LEAST_SINGULAR_VALUE = 1e-3
BLOCK = 2_000

Dictionary = tuple[Numbers, Numbers]


class Recipe(NamedTuple):
    """How self-learning works: the numbers of words by iteration, and the variants."""

    cutoffs: tuple[int, ...]
    anchored: bool


VECMAP = Recipe((20_000,), anchored=False)
ANCHORED = Recipe((4_000, 8_000, 12_000, 16_000, 20_000), anchored=True)
SEED_WEIGHT = 3


def map_vectors(X: Rows, Y: Rows, seed: Dictionary, recipe: Recipe) -> tuple[Rows, Rows]:
    """Return the maps of both languages; rows are normalised, the most frequent words first."""
    fit = _fit_maps if recipe.anchored else _fit_orthogonal
    known, best_objective = seed, -1.0
    for iteration in range(MAX_ITERATIONS):
        cutoff = recipe.cutoffs[min(iteration, len(recipe.cutoffs) - 1)]
        A, B = fit(X, Y, known)
        induced, objective = _induce(X[:cutoff] @ A, Y[:cutoff] @ B, mutual=recipe.anchored)
        if recipe.anchored:
            parts = [*[seed] * SEED_WEIGHT, induced]
            induced = _join(parts)
        known = induced
        if objective - best_objective < THRESHOLD and iteration >= len(recipe.cutoffs):
            break
        # The objective of fewer words is higher, so that only those of the last cut-off compare.
        best_objective = objective if iteration >= len(recipe.cutoffs) - 1 else -1.0
    return _fit_maps(X, Y, known)


def _join(parts: list[Dictionary]) -> Dictionary:
    e, f = (np.concatenate(side) for side in zip(*parts, strict=True))
    return e, f


def _fit_orthogonal(X: Rows, Y: Rows, known: Dictionary) -> tuple[Rows, Rows]:
    e, f = known
    return fit_rotation(X[e], Y[f]), np.eye(Y.shape[1], dtype=np.float32)


def _fit_maps(X: Rows, Y: Rows, known: Dictionary) -> tuple[Rows, Rows]:
    """Whiten, rotate, re-weight and de-whiten both languages."""
    e, f = known
    (to_white, from_white), (to_white_too, from_white_too) = _whiten(X[e]), _whiten(Y[f])
    U, S, V = np.linalg.svd((X[e] @ to_white).T @ (Y[f] @ to_white_too))
    weights = S**REWEIGHTING
    return (
        np.asarray((to_white @ U * weights) @ (U.T @ from_white @ U), np.float32),
        np.asarray((to_white_too @ V.T * weights) @ (V @ from_white_too @ V.T), np.float32),
    )


def _whiten(X: Rows) -> tuple[Rows, Rows]:
    """Return the symmetric matrix that makes the columns of X orthonormal, and its inverse."""
    squares, V = np.linalg.eigh(X.T @ X)  # much faster than the singular values of X
    S = np.sqrt(np.maximum(squares, squares.max() * LEAST_SINGULAR_VALUE**2))
    return (V / S) @ V.T, (V * S) @ V.T


def _induce(X: Rows, Y: Rows, *, mutual: bool) -> tuple[Dictionary, float]:
    """Return the best translations in both directions, and their mean similarity."""
    similarity = to_unit_length(X) @ to_unit_length(Y).T
    near, best = _average_nearest(similarity)
    near_too, best_too = _average_nearest(similarity.T)
    forward = _find_best(similarity, near_too)
    backward = _find_best(similarity.T, near)
    one, other = np.arange(len(X)), np.arange(len(Y))
    objective = float(best.mean() + best_too.mean()) / 2
    if mutual:
        rows = np.flatnonzero(backward[forward] == one)
        return (rows, forward[rows]), objective
    return _join([(one, forward), (backward, other)]), objective


def _average_nearest(similarity: Rows) -> tuple[Rows, Rows]:
    """Return the mean of the greatest of each row, and the greatest."""
    near = min(NEIGHBOURS, similarity.shape[1])
    parts = []
    for begin in range(0, len(similarity), BLOCK):
        block = np.ascontiguousarray(similarity[begin : begin + BLOCK])
        greatest = np.partition(block, -near, axis=1)[:, -near:]
        parts.append((greatest.mean(axis=1), greatest.max(axis=1)))
    means, best = (np.concatenate(part) for part in zip(*parts, strict=True))
    return means, best


def _find_best(similarity: Rows, near: Rows) -> Numbers:
    """Return the best column of each row by CSLS: the mean of the row itself changes nothing."""
    return np.concatenate(
        [
            (similarity[begin : begin + BLOCK] - near / 2).argmax(axis=1)
            for begin in range(0, len(similarity), BLOCK)
        ]
    )
