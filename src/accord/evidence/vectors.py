"""Word vectors that the user brings, one file for each language.

They were trained on monolingual text, each language separately. `mapping` brings them into one
space, and `similar_words` finds likely translations there.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL, normalise
from accord.errors import InputError
from accord.evidence.mapping import normalise_rows
from accord.system.arrays import Floats32, Offsets
from accord.system.reading import place, read_lines

# Only the most frequent words of a corpus are compared.
MAX_WORDS = 20_000

VectorRows = Iterable[tuple[str, Sequence[float]]]
VectorInput = str | Path | Mapping[str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class WordVectors:
    """The vectors of one language: centred, of length 1, sorted by word id."""

    words: Offsets
    frequency: Offsets  # in the phrases
    rows: Floats32

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
        return cls(words, frequency[words], normalise_rows(array))

    @property
    def signature(self) -> str:
        return sha256(self.words.tobytes() + self.rows.tobytes()).hexdigest()

    def rows_of(self, words: Offsets) -> Floats32:
        """The vectors of these words; zeros for words without one."""
        places = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
        known = self.words[places] == words
        return np.where(known[:, None], self.rows[places], np.float32(0))


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
