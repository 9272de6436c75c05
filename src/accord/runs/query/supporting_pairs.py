"""The phrase pairs of a run that support a translation: those that contain its word links."""

from collections.abc import Sequence
from itertools import chain, zip_longest

import numpy as np

from accord.corpus.phrases import Phrases
from accord.learning.agreement import Links
from accord.learning.word_kernels import PhraseWords
from accord.runs.query.query_kernels import WantedPairs, WeightedLinks, find_supporting_links
from accord.system.arrays import Ids, find_keys, pair_keys
from accord.system.runners import Runner

WordPair = tuple[int, int]
NONE = -1
LINK_SHARD = 131_072


class FoundPairs:
    """The phrase pairs of a run."""

    def __init__(self, source: Phrases, target: Phrases, links: Links, runner: Runner) -> None:
        self.source, self.target, self.links, self.runner = source, target, links, runner

    def find(self, s: Ids, t: Ids) -> Ids:
        """Return the place of each pair <s, t> among the pairs of the run, or NONE."""
        # The links are sorted by t and then s.
        keys = pair_keys(self.links.target, self.links.source)
        places, found = find_keys(keys, pair_keys(t, s))
        return np.where(found, places, NONE).astype(np.int32)

    def find_support(
        self, wanted: Sequence[Sequence[WordPair]], own: Sequence[int], count: int
    ) -> list[list[int]]:
        """Return up to `count` pairs of the run that contain one of the word pairs of each list,
        except its own pair: the most confident one of each word pair in turn."""
        distinct = list(dict.fromkeys(chain.from_iterable(wanted)))
        found = dict(zip(distinct, self._find_containing(distinct, count + 1), strict=True))
        chosen = []
        for words, pair in zip(wanted, own, strict=True):
            lists = (found[word_pair] for word_pair in words)
            turns = chain.from_iterable(zip_longest(*lists, fillvalue=pair))
            chosen.append([n for n in dict.fromkeys(turns) if n != pair][:count])
        return chosen

    def _find_containing(self, wanted: list[WordPair], count: int) -> list[list[int]]:
        """Return the most confident pairs of the run that contain both words of each word pair."""
        if not wanted:
            return []
        e, f = np.array(wanted, np.int32).T.copy()
        is_wanted = np.zeros(len(self.target.vocabulary) + 1, np.bool_)
        is_wanted[f] = True
        words = PhraseWords(self.source.ragged, self.target.ragged)
        shared = (WeightedLinks(*self.links), words, WantedPairs(e, f, is_wanted), count)
        items = len(self.links)
        shards = self.runner.map(find_supporting_links, shared, items=items, shard=LINK_SHARD)
        found = (
            [n for sizes, links in shards for n in links[w, : sizes[w]]] for w in range(len(e))
        )
        # The sort is stable.
        weights = self.links.weights
        return [sorted(map(int, some), key=lambda n: -weights[n])[:count] for some in found]
