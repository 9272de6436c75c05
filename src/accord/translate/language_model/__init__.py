"""A back-off language model as a trie of arrays.

Notation: node  an n-gram; node 0 is the empty one, and nodes 1..V are the words by their numbers
          suffix(w₁…wₙ)  the node of w₂…wₙ, or of the longest end of it that was seen

Nodes are numbered by their length, then by their beginning, then by their last word: so the
children of a node, the n-grams that go on from it, are numbered one after the other.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.translate.language_model import lm_kernels as kernels

UNKNOWN, BEGIN, END = "<unk>", "<s>", "</s>"
ROOT = 0

Trie = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """log10 p(word|context), with weights for backing off to a shorter context."""

    order: int
    numbers: Mapping[str, int]  # of the words, from 0; UNKNOWN is 0
    offsets: NDArray[np.int64]  # node n has the children offsets[n]..offsets[n + 1] - 1
    words: NDArray[np.int32]  # the last word of each node
    log_prob: NDArray[np.float32]
    backoff: NDArray[np.float32]
    suffix: NDArray[np.int32]
    contexts: int  # nodes from here on are the longest n-grams, and no context

    @property
    def trie(self) -> Trie:
        """As the kernels take it."""
        return (
            *(self.offsets, self.words, self.log_prob, self.backoff, self.suffix, self.contexts),
        )

    @cached_property
    def begin(self) -> int:
        """The context at the beginning of a sentence."""
        node = int(kernels.child_of(self.offsets, self.words, ROOT, self.numbers[BEGIN]))
        return node if node < self.contexts else ROOT

    @property
    def sizes(self) -> list[int]:
        """How many n-grams there are of each length."""
        sizes, first = [], ROOT + 1
        for _ in range(self.order):
            # The children of the first of them are those that come after all of them.
            last = int(self.offsets[first])
            sizes.append(last - first)
            first = last
        return sizes

    def number(self, word: str) -> int:
        return self.numbers.get(word, self.numbers[UNKNOWN])

    def score(self, sentence: Iterable[str]) -> float:
        """log10 P of a sentence with its end."""
        numbers = [self.number(word) for word in (*sentence, END)]
        return float(kernels.score(self.trie, self.begin, np.array(numbers, np.int32)))
