"""The baseline for lexicons: word vectors of each language, mapped by the seed.

Skip-gram vectors by gensim, centred and of length 1; the orthogonal map that brings the seed's
source words nearest to their translations (Procrustes); the best target word by similarity scaled
by the ten nearest neighbours of both words (CSLS).
"""

import numpy as np
from gensim.models import Word2Vec
from numpy.typing import NDArray

from accord.vectors import mean_nearness, rotation

DIMENSIONS, EPOCHS, LEAST_COUNT = 300, 10, 5
BLOCK = 1_000

Vectors = tuple[dict[str, int], NDArray[np.float32]]


def mapped_translations(
    source: Vectors, target: Vectors, seed: list[tuple[str, str]], words: list[str]
) -> dict[str, str]:
    """The best translation of each word that has a vector."""
    one, X = source
    other, Y = target
    known = [(one[e], other[f]) for e, f in seed if e in one and f in other]
    e, f = np.array(known).T
    X = X @ rotation(X[e], Y[f])
    near = mean_nearness(Y, X)
    names = list(other)
    wanted = [word for word in words if word in one]
    found: dict[str, str] = {}
    for begin in range(0, len(wanted), BLOCK):
        block = wanted[begin : begin + BLOCK]
        rows = [one[word] for word in block]
        # How near a source word is to all is the same for each of its candidates.
        scores = 2 * X[rows] @ Y.T - near
        found |= dict(zip(block, (names[n] for n in scores.argmax(axis=1)), strict=True))
    return found


def trained(sentences: list[list[str]], threads: int) -> Vectors:
    """The words by number, and a row for each."""
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
