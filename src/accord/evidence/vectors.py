"""Word vectors as evidence: words with similar vectors are likely translations.

Notation: X, Y  one row of length 1 for each word that has a vector
          Q  the rotation that brings the source words of the known pairs closest to their
             translations (orthogonal Procrustes)
          π(f|e)  the share of word e that its neighbour f gets, for the ten nearest at most

The vectors of each language are trained separately, on monolingual text. In every language, words
that occur in the same contexts have similar vectors. A rotation that fits the known pairs therefore
also brings other words close to their translations (Mikolov et al. 2013; Xing et al. 2015). It is
fitted again in every iteration, to the current lexicon. Similar words then get a few pseudo-counts.
Frequent words outweigh these by their real counts; for a word that is in no agreed phrase, they are
the only evidence.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock

import numpy as np
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, normalise
from accord.errors import InputError
from accord.evidence.context import average_largest
from accord.evidence.counts import Counts
from accord.system.arrays import Floats32, Offsets
from accord.system.reading import place, read_lines

# Only the most frequent words of a corpus are compared.
MAX_WORDS = 20_000
NEAREST = 10
# Shares are proportional to exp(similarity / TEMPERATURE); those below MIN_SHARE are dropped.
TEMPERATURE, MIN_SHARE = 0.1, 0.02
# The pseudo-counts of all neighbours of a word, in total.
PSEUDO_COUNT = 3.0
BLOCK = 1024

VectorRows = Iterable[tuple[str, Sequence[float]]]
VectorInput = str | Path | Mapping[str, Sequence[float]]

_BLAS_LOCK = Lock()


@contextmanager
def _limit_blas_to_one_thread() -> Iterator[None]:
    """Run BLAS and LAPACK in one thread: with several, their sums depend on the number of them.

    The limit applies to the whole process, so only one of our threads may set and reset it.
    """
    with _BLAS_LOCK, threadpool_limits(limits=1, user_api="blas"):
        yield


@dataclass(frozen=True, eq=False)
class WordVectors:
    """The vectors of one language: centred, of length 1, sorted by word id."""

    words: Offsets
    rows: Floats32
    vocabulary_size: int

    @classmethod
    def of(cls, given: VectorInput, phrases: Phrases, name: str) -> "WordVectors":
        """Take the vectors of the words in these phrases from a file or a mapping."""
        if isinstance(given, Mapping):
            rows: VectorRows = given.items()
        else:
            name, rows = str(given), read_vectors(given)
        frequency = np.bincount(phrases.words, minlength=len(phrases.vocabulary))
        frequent = set(np.argsort(-frequency, kind="stable")[:MAX_WORDS].tolist()) - {NULL}
        found: dict[int, Floats32] = {}
        for text, row in rows:
            word = phrases.vocabulary.index.get(normalise(text), NULL)
            if word in frequent and word not in found:
                found[word] = np.asarray(row, np.float32)
        if not found:
            raise InputError(f"{name}: none of its words occurs in the phrases")
        if len({row.shape for row in found.values()}) > 1:
            raise InputError(f"{name}: expected vectors of one length")
        words = np.array(sorted(found))
        array = np.stack([found[word] for word in words.tolist()])
        if not np.isfinite(array).all():
            raise InputError(f"{name}: expected finite numbers, found one that is not")
        array = _normalise_rows(_normalise_rows(array) - _normalise_rows(array).mean(axis=0))
        return cls(words, array, len(phrases.vocabulary))

    @property
    def signature(self) -> str:
        return sha256(self.words.tobytes() + self.rows.tobytes()).hexdigest()

    @cached_property
    def row_of_word(self) -> Offsets:
        """The row of each word of the vocabulary; -1 for words without a vector."""
        rows = np.full(self.vocabulary_size, -1)
        rows[self.words] = np.arange(len(self.words))
        return rows


def read_vectors(path: str | Path) -> Iterator[tuple[str, Sequence[float]]]:
    """Read the text format of word2vec, fastText and GloVe: one word and its numbers per line.

    The first line may hold the number of words and the number of dimensions.
    """
    size = 0
    for number, line in read_lines(path):
        columns = line.rstrip().split(" ")
        if number == 1 and len(columns) == 2:
            continue
        size = size or max(len(columns) - 1, 2)
        row = _parse_vector(columns[1:])
        if len(row) != size:
            raise InputError(
                f"{place(path, number)}: expected a word and {size} numbers, separated by spaces, "
                f"found {line[:40]!r}"
            )
        yield columns[0], row


def _parse_vector(columns: list[str]) -> list[float]:
    """Return the numbers, or an empty list if one of the columns is not a number."""
    try:
        return [float(column) for column in columns]
    except ValueError:
        return []


@_limit_blas_to_one_thread()
def find_similar_words(one: WordVectors, other: WordVectors, known: Counts) -> Counts:
    """Return pseudo-counts of each word and its nearest neighbours, after fitting Q to `known`."""
    e, f = one.row_of_word[known.source], other.row_of_word[known.target]
    both = (e >= 0) & (f >= 0)
    if not both.any():
        return Counts.none()
    X, Y = one.rows @ fit_rotation(one.rows[e[both]], other.rows[f[both]]), other.rows
    hubness_X, hubness_Y = average_similarity(X, Y), average_similarity(Y, X)
    shares = (
        _share_among_nearest(X, Y, hubness_Y) + _share_among_nearest(Y, X, hubness_X).T
    ).tocoo()
    values = shares.data / 2
    kept = values >= MIN_SHARE
    row, column = (axis[kept] for axis in shares.coords)
    return Counts.total(
        one.words[row].astype(np.int32),
        other.words[column].astype(np.int32),
        PSEUDO_COUNT * values[kept].astype(np.float64),
    )


def fit_rotation(X: Floats32, Y: Floats32) -> Floats32:
    """Return the orthogonal Q that brings X·Q closest to Y."""
    u, _, v = np.linalg.svd(X.T @ Y, full_matrices=False)
    Q: Floats32 = u @ v
    return Q


def average_similarity(X: Floats32, Y: Floats32) -> Floats32:
    """Return the hubness of each row of X: its mean similarity to its nearest rows of Y."""
    # In Fortran order each column is contiguous, and the selection almost twice as fast. The
    # transposed product X·Yᵀ would be in this order, but its last bits are others.
    blocks = [
        average_largest(np.asfortranarray(Y @ X[at : at + BLOCK].T), NEAREST)
        for at in range(0, len(X), BLOCK)
    ]
    return np.concatenate(blocks)


def _share_among_nearest(X: Floats32, Y: Floats32, hubness_Y: Floats32) -> csr_array:
    """Return π: how much of each row of X goes to each of its nearest rows of Y.

    The similarity is scaled as in CSLS (see `context`), without the hubness of the row of X, which
    is the same for all rows of Y.
    """
    count = min(NEAREST, len(Y))
    columns, values = [], []
    for at in range(0, len(X), BLOCK):
        scaled = 2 * (X[at : at + BLOCK] @ Y.T) - hubness_Y
        nearest = np.argpartition(-scaled, count - 1, axis=1)[:, :count]
        closeness = np.take_along_axis(scaled, nearest, axis=1)
        share = np.exp((closeness - closeness.max(axis=1, keepdims=True)) / TEMPERATURE)
        columns.append(nearest.ravel())
        values.append((share / share.sum(axis=1, keepdims=True)).ravel())
    rows = np.repeat(np.arange(len(X)), count)
    coordinates = rows, np.concatenate(columns)
    return csr_array((np.concatenate(values), coordinates), (len(X), len(Y)))


def _normalise_rows(rows: Floats32) -> Floats32:
    """Scale each row to length 1; rows of zeros stay as they are."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    normalised: Floats32 = rows / lengths
    return normalised
