"""A back-off language model as a trie of arrays.

Notation: node  an n-gram; node 0 is the empty n-gram, and nodes 1..V are the words by their numbers
          suffix(w₁…wₙ)  the node of w₂…wₙ, or of its longest suffix that is in the trie

Nodes are numbered by length, then by prefix, then by last word. The children of a node, which are
the n-grams that extend it by one word, therefore have consecutive numbers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.system.arrays import Floats32, Ids, Offsets, offsets_of, pair_keys
from accord.translate.language_model import trie_kernels as kernels
from accord.translate.language_model.trie_kernels import ROOT, Trie

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """log10 p(word|context), with weights for backing off to a shorter context."""

    order: int
    numbers: Mapping[str, int]  # of the words, from 0; UNKNOWN is 0
    offsets: Offsets  # node n has the children offsets[n]..offsets[n + 1] - 1
    words: Ids  # the last word of each node
    log_prob: Floats32
    backoff: Floats32
    suffix: Ids
    contexts: int  # nodes from this number are n-grams of the highest order, and no contexts

    @property
    def trie(self) -> Trie:
        """The arrays that the kernels take."""
        return Trie(
            self.offsets, self.words, self.log_prob, self.backoff, self.suffix, self.contexts
        )

    @cached_property
    def begin(self) -> int:
        """The context at the beginning of a sentence."""
        node = int(kernels.child_of(self.offsets, self.words, ROOT, self.numbers[BEGIN]))
        return node if node < self.contexts else ROOT

    @property
    def sizes(self) -> list[int]:
        """The number of n-grams of each length."""
        sizes, first = [], ROOT + 1
        for _ in range(self.order):
            # The first child of the first n-gram comes right after all n-grams of its length.
            last = int(self.offsets[first])
            sizes.append(last - first)
            first = last
        return sizes

    def number(self, word: str) -> int:
        """Return the number of a word, or that of UNKNOWN."""
        return self.numbers.get(word, self.numbers[UNKNOWN])

    def score(self, sentence: Iterable[str]) -> float:
        """Return log10 P of a sentence, including its end."""
        numbers = [self.number(word) for word in (*sentence, END)]
        return float(kernels.score_words(self.trie, self.begin, np.array(numbers, np.int32)))


class UnfitRowError(ValueError):
    """An n-gram, given by its row, that has no place in the trie."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row


class TrieBuilder:
    """Builds a model from n-grams in any order, one length after the other.

    The prefix of an n-gram must be in the trie already. Its suffix may be missing, as in models
    that were pruned: the model then backs off to the longest suffix that is there.
    """

    def __init__(
        self, vocabulary: Mapping[str, int], log_prob: Floats32, backoff: Floats32
    ) -> None:
        size = len(vocabulary)
        zero = np.zeros(1, np.int32)
        self._vocabulary = vocabulary
        self._length = 1
        self._first = ROOT + 1  # the first node of the greatest length so far
        self._words = [zero, np.arange(size, dtype=np.int32)]
        self._suffix = [zero, np.zeros(size, np.int32)]
        self._log_prob = [zero.astype(np.float32), log_prob]
        self._backoff = [zero.astype(np.float32), backoff]
        # The number of children of each node: none yet for the longest n-grams.
        self._children = [np.array([size]), np.zeros(size, np.int64)]

    def add(self, grams: Ids, log_prob: Floats32, backoff: Floats32) -> None:
        """Add the n-grams that are one word longer, given as rows of words."""
        words, suffix = np.concatenate(self._words), np.concatenate(self._suffix)
        parents, suffixes = kernels.find_parents(self._offsets, words, suffix, grams)
        order = _order_nodes(parents, grams[:, -1])
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
    def _offsets(self) -> Offsets:
        return offsets_of(np.concatenate(self._children)) + 1


def _order_nodes(parents: Ids, last: Ids) -> Offsets | slice:
    """Return the order of the nodes: by prefix, then by last word."""
    if len(lost := np.flatnonzero(parents < 0)):
        raise UnfitRowError(int(lost[0]), "whose prefix is not in the file as an n-gram")
    keys = pair_keys(parents, last)
    if (keys[1:] > keys[:-1]).all():
        return slice(None)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    if len(again := order[1:][keys[1:] == keys[:-1]]):
        raise UnfitRowError(int(again.min()), "that is in the file twice")
    return order
