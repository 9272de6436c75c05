"""The candidate graph: the pairs of phrases worth a closer look, and their P both ways.

Notation: <s, t>  a pair that is among the best candidates of s or of t
          scores  log P(f|e) over the floors of f; what floors add is the same for every s
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.model import Model
from accord.phrases import Phrases
from accord.runners import Runner
from accord.search import Ranking
from accord.words import kernels

PAIR_SHARD = 65_536


class Pairs(NamedTuple):
    """Candidate pairs <s, t>, sorted by s and then t."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]

    def swapped(self) -> "Pairs":
        """The same pairs in the same order, seen from the other side."""
        return Pairs(self.target, self.source)


def candidate_pairs(
    target: Phrases, forward: Ranking, backward: Ranking, least: float = -np.inf
) -> Pairs:
    """The candidates of either direction, where the two scores may add up to `least`.

    Only one of the scores is known of a pair; the other is at most the best of its phrase.
    """
    s, t = _listed(forward, backward, least)
    t_back, s_back = _listed(backward, forward, least)
    size = np.int64(len(target))
    keys = np.sort(np.concatenate([s * size + t, s_back * size + t_back]))
    s, t = np.divmod(keys[np.diff(keys, prepend=-1) > 0], size)
    return Pairs(s.astype(np.int32), t.astype(np.int32))


def _listed(
    ranking: Ranking, other: Ranking, least: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(candidates, phrases they are candidates of)."""
    best = other.scores_at(0)[other.groups]
    kept = ranking.scores + best[ranking.phrases] >= least
    ends = np.concatenate([[0], np.cumsum(kept)])[ranking.offsets]
    flat = ranking.phrases[kept].astype(np.int64)
    # Each target phrase takes the row of its group.
    own = np.diff(ends)[ranking.groups]
    places = np.repeat(ends[ranking.groups] - (np.cumsum(own) - own), own) + np.arange(own.sum())
    return flat[places], np.repeat(np.arange(len(own)), own)


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
        kernels.log_probabilities, shared, items=len(pairs.source), shard=PAIR_SHARD
    )
    closer, searched = (
        np.concatenate([np.empty(0), *(shard[side] for shard in shards)]) for side in (0, 1)
    )
    I, J = source.lengths[pairs.source], target.lengths[pairs.target]
    by_lengths = model.length_terms(I, J)
    return closer + by_lengths, searched + by_lengths
