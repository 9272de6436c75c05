"""The phrase pairs that a run has found, and the words that they hold."""

from collections.abc import Sequence
from itertools import chain, zip_longest

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.agreement import Links
from accord.runs.query import query_kernels as kernels
from accord.system.runners import Runner

Numbers = NDArray[np.int32]
WordPair = tuple[int, int]
NONE = -1
LINK_SHARD = 131_072


class FoundPairs:
    """The pairs of a run, each phrase in one at most, unless people have accepted more."""

    def __init__(self, source: Phrases, target: Phrases, links: Links, runner: Runner) -> None:
        self.source, self.target, self.links, self.runner = source, target, links, runner

    def between(self, s: Numbers, t: Numbers) -> Numbers:
        """The pair <s, t> for each of these, or NONE."""
        # The links are sorted by t and then s.
        size = len(self.source)
        keys = self.links.target.astype(np.int64) * size + self.links.source
        wanted = t.astype(np.int64) * size + s
        at = np.searchsorted(keys, wanted).astype(np.int32)
        at[at == len(keys)] = NONE
        if not len(keys):
            return at
        return np.where(keys[at] == wanted, at, np.int32(NONE))

    def with_words(
        self, wanted: Sequence[Sequence[WordPair]], own: Sequence[int], count: int
    ) -> list[list[int]]:
        """For each list of word pairs some pairs, other than one's own, that hold one of them: the
        surest of each in turn."""
        distinct = list(dict.fromkeys(chain.from_iterable(wanted)))
        held = dict(zip(distinct, self._holding(distinct, count + 1), strict=True))
        chosen = []
        for words, pair in zip(wanted, own, strict=True):
            turns = chain.from_iterable(zip_longest(*(held[one] for one in words), fillvalue=pair))
            chosen.append([n for n in dict.fromkeys(turns) if n != pair][:count])
        return chosen

    def _holding(self, wanted: list[WordPair], count: int) -> list[list[int]]:
        """The surest pairs that hold both words of each."""
        if not wanted:
            return []
        e, f = np.array(wanted, np.int32).T.copy()
        is_wanted = np.zeros(len(self.target.vocabulary) + 1, np.bool_)
        is_wanted[f] = True
        source, target = self.source, self.target
        shared = (
            *(*self.links, source.words, source.offsets, target.words, target.offsets),
            *(e, f, is_wanted, count),
        )
        items = len(self.links)
        shards = self.runner.map(kernels.pairs_with, shared, items=items, shard=LINK_SHARD)
        found = (
            [n for sizes, links in shards for n in links[w, : sizes[w]]] for w in range(len(e))
        )
        # A sort keeps the order of equal ones.
        weights = self.links.weights
        return [sorted(map(int, some), key=lambda n: -weights[n])[:count] for some in found]
