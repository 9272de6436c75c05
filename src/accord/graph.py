"""The candidate graph: the pairs of phrases worth a closer look, and their P both ways.

Notation: <s, t>  a pair that is among the best candidates of s or of t
          scores  log P(f|e) over the floors of f; what floors add is the same for every s
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord import kernels
from accord.model import Model
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

    def swapped(self) -> "Pairs":
        """The same pairs in the same order, seen from the other side."""
        return Pairs(self.target, self.source)


def candidate_pairs(
    target: Phrases, forward: Ranking, backward: Ranking, runner: Runner, least: float = -np.inf
) -> Pairs:
    """The candidates of either direction, where the two scores may add up to `least`."""
    s, t = _listed(forward, backward, least, runner, listed_in_both=True)
    t_back, s_back = _listed(backward, forward, least, runner, listed_in_both=False)
    size = np.int64(len(target))
    keys = np.sort(np.concatenate([s * size + t, s_back * size + t_back]))
    s, t = np.divmod(keys, size)
    return Pairs(s.astype(np.int32), t.astype(np.int32))


def _listed(
    ranking: Ranking, other: Ranking, least: float, runner: Runner, *, listed_in_both: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(candidates, phrases they are candidates of)."""
    shared = (
        *(ranking.groups, ranking.offsets, ranking.phrases, ranking.scores),
        *(other.groups, other.offsets, other.phrases, other.scores),
        *(other.most, least, listed_in_both),
    )
    items = len(ranking.groups)
    shards = runner.map(kernels.listed_pairs, shared, items=items, shard=PHRASE_SHARD)
    candidates, phrases = (np.concatenate(part) for part in zip(*shards, strict=True))
    return candidates.astype(np.int64), phrases.astype(np.int64)


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
        *pairs,
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
