"""A trie out of n-grams in any order, one length after the other.

An n-gram goes under its beginning, which must be there. Of its end less may be: models that were
pruned have lost some, and then its longest end that is there serves for backing off.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from accord.system.arrays import offsets_of
from accord.translate.language_model import ROOT, LanguageModel
from accord.translate.language_model import lm_kernels as kernels

Floats = NDArray[np.float32]


class UnfitRowError(ValueError):
    """An n-gram, by its row, that has no place in the trie."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row


class GrowingTrie:
    """At first it has the words, by their numbers."""

    def __init__(self, vocabulary: Mapping[str, int], log_prob: Floats, backoff: Floats) -> None:
        size = len(vocabulary)
        zero = np.zeros(1, np.int32)
        self._vocabulary = vocabulary
        self._length = 1
        self._first = ROOT + 1  # of the longest there are
        self._words = [zero, np.arange(size, dtype=np.int32)]
        self._suffix = [zero, np.zeros(size, np.int32)]
        self._log_prob = [zero.astype(np.float32), log_prob]
        self._backoff = [zero.astype(np.float32), backoff]
        # How many each node has; none for the longest.
        self._children = [np.array([size]), np.zeros(size, np.int64)]

    def add(self, grams: NDArray[np.int32], log_prob: Floats, backoff: Floats) -> None:
        """The n-grams that are one word longer, as rows of words."""
        parents, suffixes = np.zeros(len(grams), np.int32), np.zeros(len(grams), np.int32)
        trie = self._offsets, np.concatenate(self._words), np.concatenate(self._suffix)
        kernels.find_ends(*trie, grams, parents, suffixes)
        order = _order(parents, grams[:, -1])
        size = len(self._children[-1])
        self._children[-1] = np.bincount(parents - np.int32(self._first), minlength=size)
        self._children.append(np.zeros(len(grams), np.int64))
        self._length += 1
        self._first += size
        self._words.append(grams[order, -1])
        self._suffix.append(suffixes[order])
        self._log_prob.append(log_prob[order])
        self._backoff.append(backoff[order])

    @property
    def model(self) -> LanguageModel:
        return LanguageModel(
            order=self._length,
            numbers=self._vocabulary,
            offsets=self._offsets,
            words=np.concatenate(self._words),
            log_prob=np.concatenate(self._log_prob),
            backoff=np.concatenate(self._backoff),
            suffix=np.concatenate(self._suffix),
            contexts=self._first,
        )

    @property
    def _offsets(self) -> NDArray[np.int64]:
        return offsets_of(np.concatenate(self._children)) + 1


def _order(parents: NDArray[np.int32], last: NDArray[np.int32]) -> NDArray[np.int64] | slice:
    """By their beginnings, then by their last words: the order of the nodes."""
    if len(lost := np.flatnonzero(parents < 0)):
        raise UnfitRowError(int(lost[0]), "whose beginning is not there as an n-gram of its own")
    keys = parents.astype(np.int64) << 32 | last
    if (keys[1:] > keys[:-1]).all():
        return slice(None)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    if len(again := order[1:][keys[1:] == keys[:-1]]):
        raise UnfitRowError(int(again.min()), "that was there before")
    return order
