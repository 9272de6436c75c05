"""The candidate graph: the pairs of phrases worth a closer look, and their P both ways.

Notation: <s, t>  a pair that is among the best candidates of s or of t
          scores  log P(f|e) over the floors of f; what floors add is the same for every s
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import Judged, PairSet
from accord.learning import word_kernels as word_kernels
from accord.learning.model import Model
from accord.learning.search import pair_kernels as pair_kernels
from accord.learning.search.retrieval import QUERY_SHARD, Ranking, joined
from accord.system.arrays import offsets_of
from accord.system.runners import Runner

PAIR_SHARD = 65_536
PHRASE_SHARD = 8_192

Array = NDArray[Any]
Listing = tuple[Any, ...]


class Pairs(NamedTuple):
    """Candidate pairs <s, t>, sorted by s and then t."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    forward: NDArray[np.bool_]  # whether s is a candidate of t
    backward: NDArray[np.bool_]  # whether t is a candidate of s

    def swapped(self) -> "Pairs":
        """The same pairs in the same order, seen from the other side."""
        return Pairs(self.target, self.source, self.backward, self.forward)

    @classmethod
    def of(cls, pairs: PairSet) -> "Pairs":
        """Pairs that are nobody's candidates."""
        order = np.lexsort((pairs.target, pairs.source))
        neither = np.zeros(pairs.size, np.bool_)
        return cls(pairs.source[order], pairs.target[order], neither, neither)

    def judged(self, judged: Judged) -> "Pairs":
        """The pairs that people have left open, and those that they have accepted."""
        kept = judged.open(self.source, self.target)
        both = zip((part[kept] for part in self), Pairs.of(judged.accepted), strict=True)
        source, target, forward, backward = (np.concatenate(part) for part in both)
        order = np.lexsort((target, source))
        return Pairs(source[order], target[order], forward[order], backward[order])


def candidate_pairs(
    forward: Ranking, backward: Ranking, runner: Runner, least: float = -np.inf
) -> Pairs:
    """The candidates of either direction, where the two scores may add up to `least`."""
    shared = (
        *(backward.offsets, backward.phrases, backward.scores),
        listing(forward, backward.groups, least),
    )
    shards = runner.map(_listed_in_ranking, shared, items=len(backward.lengths), shard=QUERY_SHARD)
    return all_pairs(joined(shards), forward, backward.ends[backward.groups], runner, least)


def _listed_in_ranking(
    offsets: Array, phrases: Array, scores: Array, listing: Listing, first: int, last: int
) -> tuple[Array, ...]:
    return listed(offsets[first : last + 1], phrases, scores, listing, first, last)


def listing(forward: Ranking, groups: Array, least: float) -> Listing:
    """What is needed to list pairs with the candidates of the other direction, whose phrases have
    these rows: which phrases these are, and all of `forward`."""
    return (
        offsets_of(np.bincount(groups)),
        np.argsort(groups, kind="stable"),
        *(forward.groups, forward.offsets, forward.phrases, forward.scores),
        *(forward.most, least),
    )


def listed(
    offsets: Array, phrases: Array, scores: Array, listing: Listing, first: int, last: int
) -> tuple[Array, ...]:
    """The pairs of the rows first..last-1 of the other direction, where the two scores may add up
    to `least`. This can be done before the other rows are known."""
    arguments: tuple[Any, ...] = *listing[:2], offsets, phrases, scores, *listing[2:], first, last
    pairs: tuple[Array, ...] = pair_kernels.listed_pairs(*arguments)
    return pairs


def all_pairs(
    listed: Sequence[Array], forward: Ranking, ends: Array, runner: Runner, least: float
) -> Pairs:
    """The pairs listed, and those that only the forward direction has. What is no candidate of s
    has a score of no more than ends[s]."""
    source, target, in_both = listed
    order = np.lexsort((target, source))
    offsets = offsets_of(np.bincount(source, minlength=len(ends)))
    shared = (
        *(forward.groups, forward.offsets, forward.phrases, forward.scores),
        *(ends, offsets, target[order], least),
    )
    items = len(forward.groups)
    shards = runner.map(pair_kernels.unlisted_pairs, shared, items=items, shard=PHRASE_SHARD)
    more_source, more_target = joined(shards)
    source, target = np.concatenate([source, more_source]), np.concatenate([target, more_target])
    back = np.arange(len(source)) < len(in_both)
    there = np.concatenate([in_both, np.ones(len(more_source), np.bool_)])
    order = np.lexsort((target, source))
    return Pairs(source[order], target[order], there[order], back[order])


def pair_scores(
    source: Phrases,
    target: Phrases,
    model: Model,
    pairs: Pairs,
    runner: Runner,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The score of each pair, and the one that the search has for it, which sees less."""
    shared = (
        model.translation.table,
        tuple(model.order),
        source.words,
        source.offsets,
        target.words,
        target.offsets,
        *(pairs.source, pairs.target),
    )
    shards = runner.map(
        word_kernels.log_probabilities, shared, items=len(pairs.source), shard=PAIR_SHARD
    )
    closer, searched = (
        np.concatenate([np.empty(0), *(shard[side] for shard in shards)]) for side in (0, 1)
    )
    I, J = source.lengths[pairs.source], target.lengths[pairs.target]
    by_lengths = model.length_terms(I, J)
    return closer + by_lengths, searched + by_lengths
