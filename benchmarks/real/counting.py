"""Vectors from counts: PPMI of words and phrases with the words around them, and its SVD.

Notation: n(u, c)  how often the context c occurs near the unit u, weighted by 1/distance
          PPMI     max(0, log n(u, c) / (n(u) P(c))), with P(c) proportional to n(c)^0.75

A context is a word to the left of a unit or to its right, at most ten words away and in the same
line: each word is two contexts. The vectors of words are the rows of U √S, where U S V is the
truncated SVD of their PPMI. The row M of a phrase becomes a vector of the same space by M V / √S,
which gives words the vector that they have already.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.sparse.linalg import svds

from benchmarks.vectors import DIMENSIONS, Numbers, Rows, Vectors, to_unit_length

WINDOW, SMOOTHING = 10, 0.75
LEAST_COUNT = 3


class Places(NamedTuple):
    """Where units occur: the unit, and the places of its first and last word."""

    unit: Numbers
    first: Numbers
    last: Numbers


class CountedText:
    """A text of numbered words, the most frequent first, and what stands around each place."""

    def __init__(self, lines: list[list[str]]) -> None:
        self.lines = lines
        counts: dict[str, int] = {}
        for word in (word for line in lines for word in line):
            counts[word] = counts.get(word, 0) + 1
        kept = [word for word, count in counts.items() if count >= LEAST_COUNT]
        kept.sort(key=lambda word: (-counts[word], word))
        self.words = {word: number for number, word in enumerate(kept)}
        tokens = [self.words.get(word, -1) for line in lines for word in line]
        line_of = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
        self.around = [
            _weigh_neighbours(np.array(tokens), line_of, len(kept), direction)
            for direction in (-1, 1)
        ]
        places = np.flatnonzero(np.array(tokens) >= 0)
        self.counts = self.count(Places(np.array(tokens)[places], places, places), len(kept))
        # P(c)
        smooth = np.asarray(self.counts.sum(axis=0)).ravel() ** SMOOTHING
        self.share = smooth / smooth.sum()

    def count(self, places: Places, units: int) -> csr_matrix:
        """Return n(u, c) of units: one row per unit, left contexts before right ones."""
        size = self.around[0].shape[0]
        sides = []
        for near, place in zip(self.around, (places.first, places.last), strict=True):
            ones = np.ones(len(place), np.float32)
            at = csr_matrix((ones, (places.unit, place)), (units, size))
            sides.append(at @ near)
        return hstack(sides, "csr")

    def compute_ppmi(self, counts: csr_matrix) -> csr_matrix:
        """Return the PPMI of units by their counts."""
        found = counts.tocoo()
        totals = np.asarray(counts.sum(axis=1)).ravel()
        # The share is not 0 where there is a count: whatever is near a unit is near a word.
        values = np.log(found.data / (totals[found.row] * self.share[found.col]))
        kept = values > 0
        entries = values[kept].astype(np.float32), (found.row[kept], found.col[kept])
        return csr_matrix(entries, counts.shape)

    def find(self, phrases: Iterable[str]) -> Places:
        """Return all places of these phrases."""
        numbers = {phrase: number for number, phrase in enumerate(phrases)}
        lengths = sorted({phrase.count(" ") + 1 for phrase in numbers})
        found, begin = [], 0
        for line in self.lines:
            for n in lengths:
                for i in range(len(line) - n + 1):
                    unit = numbers.get(" ".join(line[i : i + n]))
                    if unit is not None:
                        found.append((unit, begin + i, begin + i + n - 1))
            begin += len(line)
        return Places(*np.array(found, np.int64).reshape(-1, 3).T)


def _weigh_neighbours(tokens: Numbers, lines: Numbers, words: int, direction: int) -> csr_matrix:
    """Return 1/distance of the words to one side of each place: a row per place."""
    size = len(tokens)
    distances = np.arange(1, WINDOW + 1)
    places = np.arange(size)[:, None] + direction * distances
    inside = (places >= 0) & (places < size)
    places[~inside] = 0
    near = inside & (lines[places] == lines[:, None]) & (tokens[places] >= 0)
    weights = np.broadcast_to((1 / distances).astype(np.float32), near.shape)[near]
    offsets = np.concatenate([[0], near.sum(axis=1).cumsum()])
    return csr_matrix((weights, tokens[places[near]], offsets), (size, words))


class CountVectors(NamedTuple):
    """The vectors of words, and what turns the PPMI of phrases into vectors of the same space."""

    text: CountedText
    rows: Rows  # of length 1
    mean: Rows
    projection: Rows

    @classmethod
    def of(cls, lines: list[list[str]], dimensions: int = DIMENSIONS) -> "CountVectors":
        text = CountedText(lines)
        ppmi = text.compute_ppmi(text.counts)
        start = np.ones(min(ppmi.shape), np.float32)  # a random one would change the result
        U, S, V = svds(ppmi, min(dimensions, min(ppmi.shape) - 1), v0=start)
        rows = to_unit_length(U * np.sqrt(S))
        return cls(text, rows, rows.mean(axis=0), np.asarray(V.T / np.sqrt(S), np.float32))

    @property
    def normalised(self) -> Vectors:
        """The vectors of all words, centred and of length 1."""
        return self.text.words, to_unit_length(self.rows - self.mean)

    def embed(self, phrases: list[str]) -> Rows:
        """Return the vectors of phrases by the words around them, normalised like the words."""
        counts = self.text.count(self.text.find(phrases), len(phrases))
        rows = to_unit_length(self.text.compute_ppmi(counts) @ self.projection)
        return to_unit_length(rows - self.mean)
