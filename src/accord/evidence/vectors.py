"""Word vectors of both languages, each made on its own text, as evidence of what words mean.

Notation: X, Y  a row of length 1 for each word that has a vector
          Q  the rotation that brings the source words of the known pairs nearest to their
             translations (Procrustes)
          π(f|e)  how a word's share falls to its nearest by vectors, ten at most

Words that stand among the same words have similar vectors, in either language; a rotation that
fits the known pairs shows where the others belong (Mikolov et al. 2013; Xing et al. 2015). It is
learned anew in every iteration, from the lexicon there is. What words are near then counts as
evidence beside the phrases: a few sightings, which many phrases outweigh, and which is all that
there is on a word in none.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, normalise
from accord.errors import InputError
from accord.evidence.counts import Counts
from accord.evidence.neighbours import nearness
from accord.system.reading import place, read_lines

# Of more words, the most frequent.
MOST_WORDS = 20_000
NEAREST = 10
# exp(similarity / TEMPERATURE) is how the nearest words share; what is less than LEAST_SHARE of
# it is left out.
TEMPERATURE, LEAST_SHARE = 0.1, 0.02
# So many sightings the words near a word are worth, all together.
SIGHTINGS = 3.0
BLOCK = 1024

Array = NDArray[np.float32]
Rows = Iterable[tuple[str, Sequence[float]]]
Given = str | Path | Mapping[str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of one language: centred, of length 1, by the numbers of their words."""

    words: NDArray[np.int64]
    rows: Array
    size: int  # of the vocabulary

    @classmethod
    def of(cls, given: Given, phrases: Phrases, name: str) -> "Vectors":
        """The vectors of the words of these phrases, out of a file or a mapping."""
        if isinstance(given, Mapping):
            rows: Rows = given.items()
        else:
            name, rows = str(given), read_vectors(given)
        frequency = np.bincount(phrases.words, minlength=len(phrases.vocabulary))
        frequent = set(np.argsort(-frequency, kind="stable")[:MOST_WORDS].tolist()) - {NULL}
        found: dict[int, NDArray[np.float32]] = {}
        for text, row in rows:
            word = phrases.vocabulary.index.get(normalise(text), NULL)
            if word in frequent and word not in found:
                found[word] = np.asarray(row, np.float32)
        if not found:
            raise InputError(f"{name}: none of its words is in the phrases")
        if len({row.shape for row in found.values()}) > 1:
            raise InputError(f"{name}: expected vectors of one length")
        words = np.array(sorted(found))
        array = np.stack([found[word] for word in words.tolist()])
        if not np.isfinite(array).all():
            raise InputError(f"{name}: expected numbers, found one that is not finite")
        array = _unit(_unit(array) - _unit(array).mean(axis=0))
        return cls(words, array, len(phrases.vocabulary))

    @property
    def signature(self) -> str:
        return sha256(self.words.tobytes() + self.rows.tobytes()).hexdigest()

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The row of each word of the vocabulary, -1 for none."""
        places = np.full(self.size, -1)
        places[self.words] = np.arange(len(self.words))
        return places


def read_vectors(path: str | Path) -> Iterator[tuple[str, Sequence[float]]]:
    """The lines of the text format of word2vec, fastText and GloVe: a word and its numbers.

    The first line may say how many words and dimensions there are.
    """
    size = 0
    for number, line in read_lines(path):
        parts = line.rstrip().split(" ")
        if number == 1 and len(parts) == 2:
            continue
        size = size or max(len(parts) - 1, 2)
        row = _numbers(parts[1:])
        if len(row) != size:
            raise InputError(
                f"{place(path, number)}: expected a word and {size} numbers, parted by spaces, "
                f"found {line[:40]!r}"
            )
        yield parts[0], row


def _numbers(parts: list[str]) -> list[float]:
    """None where one of them is no number."""
    try:
        return [float(part) for part in parts]
    except ValueError:
        return []


def similar_words(one: Vectors, other: Vectors, known: Counts) -> Counts:
    """What the nearest words of each word count for, after a rotation by the known pairs."""
    e, f = one.places[known.source], other.places[known.target]
    both = (e >= 0) & (f >= 0)
    if not both.any():
        return Counts.none()
    X, Y = one.rows @ rotation(one.rows[e[both]], other.rows[f[both]]), other.rows
    near_X, near_Y = mean_nearness(X, Y), mean_nearness(Y, X)
    shares = (_shares(X, Y, near_Y) + _shares(Y, X, near_X).T).tocoo()
    values = shares.data / 2
    kept = values >= LEAST_SHARE
    row, column = (axis[kept] for axis in shares.coords)
    return Counts.total(
        one.words[row].astype(np.int32),
        other.words[column].astype(np.int32),
        SIGHTINGS * values[kept].astype(np.float64),
    )


def rotation(X: Array, Y: Array) -> Array:
    """The orthogonal Q for which X·Q is nearest to Y."""
    u, _, v = np.linalg.svd(X.T @ Y, full_matrices=False)
    Q: Array = u @ v
    return Q


def mean_nearness(X: Array, Y: Array) -> Array:
    """The mean similarity of each row of X to its nearest rows of Y."""
    blocks = [nearness(Y @ X[at : at + BLOCK].T, NEAREST) for at in range(0, len(X), BLOCK)]
    return np.concatenate(blocks)


def _shares(X: Array, Y: Array, near_Y: Array) -> csr_array:
    """How each row of X is shared by its nearest rows of Y.

    Similarity is scaled by how near a row of Y is to everybody; how near the row of X is to
    everybody is the same for all of Y.
    """
    count = min(NEAREST, len(Y))
    columns, values = [], []
    for at in range(0, len(X), BLOCK):
        scaled = 2 * (X[at : at + BLOCK] @ Y.T) - near_Y
        nearest = np.argpartition(-scaled, count - 1, axis=1)[:, :count]
        closeness = np.take_along_axis(scaled, nearest, axis=1)
        share = np.exp((closeness - closeness.max(axis=1, keepdims=True)) / TEMPERATURE)
        columns.append(nearest.ravel())
        values.append((share / share.sum(axis=1, keepdims=True)).ravel())
    rows = np.repeat(np.arange(len(X)), count)
    places = rows, np.concatenate(columns)
    return csr_array((np.concatenate(values), places), (len(X), len(Y)))


def _unit(rows: Array) -> Array:
    """Rows of length 1; those of nothing stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    unit: Array = rows / lengths
    return unit
