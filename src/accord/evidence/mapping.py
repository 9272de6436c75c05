"""One space for the words of two languages, from monolingual vectors and a few known pairs.

Notation: X, Y  one row of length 1 for each word of a language
          W  whitening: the columns of X·W are uncorrelated
          u, s, v  the singular value decomposition of (X·W)ᵀ·D·(Y·W), for the known pairs, with
          their weights D

Vectors of each language are computed separately. In every language, words that occur in the same
contexts have similar vectors. A linear map that fits the known pairs therefore also brings other
words close to their translations (Mikolov et al. 2013). The map is that of Artetxe, Labaka and
Agirre (2018): whiten both spaces, rotate them onto each other, weigh each dimension by how well the
known pairs agree on it, and undo the whitening. Then words that are each other's best match
become known pairs, and the map is fitted again. At first only the most frequent words are matched,
later all of them.

Vectors of the user may be in one space already. Then the words that match there are the first known
pairs, and not only the seed.

Only the seed and the vectors decide on the map. It is not fitted to a lexicon that these vectors
have helped to learn, because that would confirm their own errors.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from accord.evidence.cooccurrence import Cooccurrences
from accord.evidence.similarity import Matches, Similarity, find_mutual_best
from accord.system.arrays import Floats32, Offsets
from accord.system.runners import Runner

DIMENSIONS = 300
# A text with few words has fewer dimensions: whitening makes the vectors of as many words as there
# are dimensions orthogonal, so that no two words are similar.
WORDS_PER_DIMENSION = 3
# The singular value decomposition is randomised (Halko, Martinsson and Tropp 2011).
OVERSAMPLING, POWER_ITERATIONS = 20, 2
# The number of most frequent words that are matched in each round.
CUTOFFS = (4_000, 8_000, 20_000)
# How much a known pair of the seed weighs, compared to a pair that was matched.
SEED_WEIGHT = 3.0
REWEIGHTING = 0.5
# If known pairs are more similar than others by this much without a map, the space is shared.
SHARED_COSINE = 0.2
# The least variance of a dimension, compared to the largest. Vectors are float32.
LEAST_VARIANCE = 1e-6
NEIGHBOURS = 10


class Space(NamedTuple):
    """The vectors of two languages, and how frequent their words are."""

    source: Floats32
    target: Floats32
    source_frequency: Offsets
    target_frequency: Offsets


class KnownPairs(NamedTuple):
    """Pairs of rows that translate each other."""

    source: Offsets
    target: Offsets

    def extended(self, matches: Matches) -> "KnownPairs":
        """These pairs, and matches of other words."""
        new = ~(np.isin(matches.rows, self.source) | np.isin(matches.columns, self.target))
        return KnownPairs(
            np.concatenate([self.source, matches.rows[new]]),
            np.concatenate([self.target, matches.columns[new]]),
        )


def embed(counts: Cooccurrences) -> Floats32:
    """Return a vector for each word: the first left singular vectors of PPMI, times √σ."""
    matrix = hstack(counts.associations, format="csr")
    dimensions = min(DIMENSIONS, max(1, matrix.shape[0] // WORDS_PER_DIMENSION))
    vectors, values = _decompose(matrix, dimensions)
    # The rows of words without associations are zeros, except for rounding errors.
    vectors[np.diff(matrix.indptr) == 0] = 0
    return normalise_rows(vectors * np.sqrt(values))


def _decompose(matrix: csr_array, dimensions: int) -> tuple[Floats32, Floats32]:
    """Return the first left singular vectors and the singular values."""
    sample = min(dimensions + OVERSAMPLING, *matrix.shape)
    random = np.random.default_rng(0).standard_normal((matrix.shape[1], sample), np.float32)
    transposed = matrix.T.tocsr()
    basis = np.linalg.qr(matrix @ random)[0]
    for _ in range(POWER_ITERATIONS):
        basis = np.linalg.qr(transposed @ basis)[0]
        basis = np.linalg.qr(matrix @ basis)[0]
    projected = (transposed @ basis).T.astype(np.float64)
    values, vectors = np.linalg.eigh(projected @ projected.T)
    largest = np.argsort(-values, kind="stable")[:dimensions]
    singular = np.sqrt(np.maximum(values[largest], 0)).astype(np.float32)
    return basis @ vectors[:, largest].astype(np.float32), singular


def normalise_rows(rows: Floats32) -> Floats32:
    """Scale each row to length 1, centre the columns, and scale the rows again.

    Rows of zeros stay as they are: nothing is known about these words.
    """
    rows = scale_rows(rows)
    is_known = rows.any(axis=1, keepdims=True)
    mean = rows.sum(axis=0) / max(1, np.count_nonzero(is_known))
    return scale_rows((rows - mean) * is_known)


def scale_rows(rows: Floats32) -> Floats32:
    """Scale each row to length 1; rows of zeros stay as they are."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    scaled: Floats32 = (rows / lengths).astype(np.float32)
    return scaled


def learn_map(space: Space, seed: KnownPairs, runner: Runner) -> tuple[Space, Matches]:
    """Return the vectors in one space, and the best matches of the most frequent words."""
    mapped = space if is_shared(space, seed) else fit_map(space, seed, len(seed.source))
    for cutoff in CUTOFFS:
        matches = _match_frequent(mapped, cutoff, runner)
        known = seed.extended(matches)
        mapped = fit_map(space, known, len(seed.source))
    return mapped, _match_frequent(mapped, CUTOFFS[0], runner)


def is_shared(space: Space, known: KnownPairs) -> bool:
    """Return whether both languages are in one space already, as vectors of the user may be."""
    X, Y = space.source, space.target
    if X.shape[1] != Y.shape[1]:
        return False
    cosines = [
        float(np.einsum("ij,ij->i", X[known.source], Y[target]).mean())
        for target in (known.target, np.roll(known.target, 1))
    ]
    return cosines[0] - cosines[1] > SHARED_COSINE


def fit_map(space: Space, known: KnownPairs, seeds: int) -> Space:
    """Bring known pairs close to each other; the first of them are seeds."""
    X, Y = space.source, space.target
    whiten_X, restore_X = _find_whitening(X)
    whiten_Y, restore_Y = _find_whitening(Y)
    weights = np.ones(len(known.source), np.float32)
    weights[:seeds] = SEED_WEIGHT
    white_X, white_Y = X @ whiten_X, Y @ whiten_Y
    products = white_X[known.source].T @ (white_Y[known.target] * weights[:, None])
    # Vectors of a text with few words may have fewer dimensions.
    u, s, vt = np.linalg.svd(products, full_matrices=False)
    scale = s**REWEIGHTING
    return space._replace(
        source=scale_rows((white_X @ u * scale) @ (u.T @ restore_X @ u)),
        target=scale_rows((white_Y @ vt.T * scale) @ (vt @ restore_Y @ vt.T)),
    )


def _find_whitening(X: Floats32) -> tuple[Floats32, Floats32]:
    """Return the matrix that makes the columns uncorrelated, and its inverse.

    Dimensions without variance become zeros: they contain rounding errors only.
    """
    values, vectors = np.linalg.eigh((X.T @ X).astype(np.float64))
    varies = values > values.max() * LEAST_VARIANCE
    deviations = np.sqrt(values[varies])
    vectors = vectors[:, varies]
    whiten, restore = ((vectors * by) @ vectors.T for by in (1 / deviations, deviations))
    return whiten.astype(np.float32), restore.astype(np.float32)


def _match_frequent(space: Space, cutoff: int, runner: Runner) -> Matches:
    """Match the most frequent words of both languages."""
    rows = _select_frequent(space.source, space.source_frequency, cutoff)
    columns = _select_frequent(space.target, space.target_frequency, cutoff)
    if not len(rows) or not len(columns):
        return Matches.none()
    compute = partial(multiply_rows, space.source[rows], space.target[columns].T)
    matches = find_mutual_best(Similarity(compute, len(rows), NEIGHBOURS), runner)
    return matches._replace(rows=rows[matches.rows], columns=columns[matches.columns])


def _select_frequent(vectors: Floats32, frequency: Offsets, cutoff: int) -> Offsets:
    """Return the rows of the most frequent words, ascending, without rows of zeros."""
    rows = np.sort(np.argsort(-frequency, kind="stable")[:cutoff])
    return rows[vectors[rows].any(axis=1)]


def multiply_rows(X: Floats32, Y: Floats32, first: int, last: int) -> Floats32:
    product: Floats32 = X[first:last] @ Y
    return product
