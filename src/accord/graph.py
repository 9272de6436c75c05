"""The candidate graph: the pairs of phrases worth a closer look, and their P both ways.

Notation: <s, t>  a pair that is among the best candidates of s or of t
          scores  log P(f|e) over the floors of f; what floors add is the same for every s
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.model import Model
from accord.pairs import kernels as pair_kernels
from accord.phrases import Phrases
from accord.runners import Runner
from accord.search import Ranking
from accord.words import kernels as word_kernels

PAIR_SHARD = 65_536
PHRASE_SHARD = 8_192


class Pairs(NamedTuple):
    """Candidate pairs <s, t>, sorted by s and then t."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    forward: NDArray[np.bool_]  # whether s is a candidate of t
    backward: NDArray[np.bool_]  # whether t is a candidate of s

    def swapped(self) -> "Pairs":
        """The same pairs in the same order, seen from the other side."""
        return Pairs(self.target, self.source, self.backward, self.forward)


def candidate_pairs(
    target: Phrases, forward: Ranking, backward: Ranking, runner: Runner, least: float = -np.inf
) -> Pairs:
    """The candidates of either direction, where the two scores may add up to `least`."""
    s, t, in_both = _listed(forward, backward, least, runner, listed_in_both=True)
    t_back, s_back, _ = _listed(backward, forward, least, runner, listed_in_both=False)
    source, targets = np.concatenate([s, s_back]), np.concatenate([t, t_back])
    there = np.arange(len(source)) < len(s)
    back = np.concatenate([in_both, np.ones(len(s_back), np.bool_)])
    order = np.argsort(source * np.int64(len(target)) + targets)
    return Pairs(source[order], targets[order], there[order], back[order])


def _listed(
    ranking: Ranking, other: Ranking, least: float, runner: Runner, *, listed_in_both: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
    """(candidates, phrases they are candidates of, whether the other way round as well)."""
    shared = (
        *(ranking.groups, ranking.offsets, ranking.phrases, ranking.scores),
        *(other.groups, other.offsets, other.phrases, other.scores),
        *(other.most, least, listed_in_both),
    )
    items = len(ranking.groups)
    shards = runner.map(pair_kernels.listed_pairs, shared, items=items, shard=PHRASE_SHARD)
    candidates, phrases, in_both = (np.concatenate(part) for part in zip(*shards, strict=True))
    return candidates, phrases, in_both


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
