"""Which words occur near each other in the sentences of a text.

Notation: n(w, c)  how often c occurs after w in a line, at distances d = 1..10, each weighted 1/d
          PPMI  positive pointwise mutual information, max(0, log p(w, c) / (p(w)·p_α(c))), times
          n(w, c) / (n(w, c) + DISCOUNT)
          p_α(c)  the share of n(c)^α, with α = 0.75, which makes rare contexts weigh less (Levy,
          Goldberg and Dagan 2015)

PPMI is largest for pairs of rare words that happen to occur together once. The discount makes such
single occurrences count less (Pantel and Lin 2002).

Phrases show only the next few words of a word. Whole sentences say more about it, and about words
that are in few phrases. Contexts to the left and to the right are different features.
"""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from scipy.sparse import csr_array

from accord.corpus.text.tokens import LINE_END
from accord.evidence.cooccurrence_kernels import (
    UNIT,
    Occurrences,
    RightContexts,
    count_right_contexts,
)
from accord.system.arrays import Ids, Integers, Offsets, offsets_of
from accord.system.runners import Runner

# Rarer words have too few contexts to compare. Of the others, only the most frequent are compared.
MIN_FREQUENCY, MAX_WORDS = 3, 20_000
SMOOTHING = 0.75
# Chosen among 0.1, 0.25, 0.5, 1 and 2 on three development sets of real text.
DISCOUNT = 0.5
# Words counted at a time.
SHARD = 256
NO_CONTEXTS = RightContexts(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class Cooccurrences:
    """The most frequent words of a text, ascending, and how often each occurs after each other."""

    words: Offsets
    frequency: Offsets  # in the sentences
    counts: csr_array  # n, in units of 1 / UNIT

    @property
    def signature(self) -> str:
        """A hash of the counts, which does not depend on the order of the lines."""
        parts = self.words, self.frequency, self.counts.indptr, self.counts.indices
        hashed = sha256(b"".join(part.astype(np.int64).tobytes() for part in parts))
        hashed.update(self.counts.data.tobytes())
        return hashed.hexdigest()

    @cached_property
    def associations(self) -> tuple[csr_array, csr_array]:
        """PPMI with the words to the right, and with those to the left."""
        return _weigh_by_information(self.counts), _weigh_by_information(self.counts.T.tocsr())


def count_cooccurrences(tokens: Ids, runner: Runner) -> Cooccurrences:
    """Count the words of a text: word ids, negative for other tokens and LINE_END."""
    frequency = np.bincount(tokens[tokens > 0], minlength=1)
    words = np.argsort(-frequency, kind="stable")[:MAX_WORDS]
    words = np.sort(words[frequency[words] >= MIN_FREQUENCY])
    number = np.full(len(frequency), -1, np.int32)
    number[words] = np.arange(len(words))
    compared = np.where(tokens > 0, number[np.maximum(tokens, 0)], np.minimum(tokens, -1))
    occurrences = _locate_words(compared.astype(np.int32), len(words))
    shards = runner.map(_count_shard, (occurrences,), items=len(words), shard=SHARD)
    # The first is empty, for a text without words that are frequent enough.
    parts = zip(NO_CONTEXTS, *shards, strict=True)
    sizes, columns, weights = (np.concatenate(part) for part in parts)
    shape = len(words), len(words)
    counts = csr_array((weights, columns, _offsets_of_rows(sizes)), shape)
    return Cooccurrences(words, frequency[words], counts)


def _count_shard(occurrences: Occurrences, first: int, last: int) -> RightContexts:
    return RightContexts(*count_right_contexts(occurrences, LINE_END, first, last))


def _locate_words(tokens: Ids, size: int) -> Occurrences:
    places = np.flatnonzero(tokens >= 0)
    order = np.argsort(tokens[places], kind="stable")
    offsets = offsets_of(np.bincount(tokens[places], minlength=size))
    return Occurrences(tokens, places[order], offsets)


def _weigh_by_information(counts: csr_array) -> csr_array:
    """Return discounted PPMI, without its zeros."""
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    data = counts.data.astype(np.float64)
    # Sums of whole numbers do not depend on their order.
    rows, columns = counts.sum(axis=1), _smooth(counts.sum(axis=0))
    information = np.log(data / rows[row] * (columns.sum() / columns[counts.indices]))
    information *= data / (data + DISCOUNT * UNIT)
    positive = information > 0
    offsets = _offsets_of_rows(np.bincount(row[positive], minlength=counts.shape[0]))
    kept = information[positive].astype(np.float32), counts.indices[positive], offsets
    return csr_array(kept, counts.shape)


def _offsets_of_rows(sizes: Offsets) -> Ids:
    """In int32, which is enough for MAX_WORDS²: SciPy gives indices the type of the offsets."""
    return offsets_of(sizes).astype(np.int32)


def _smooth(sums: Integers) -> np.ndarray:
    return np.maximum(sums, 1).astype(np.float64) ** SMOOTHING
