"""Rankings: the best source phrases of every target phrase."""

from typing import Any, NamedTuple

import numpy as np

from accord.corpus.vocabulary import NULL
from accord.evidence.constraints import PairSet
from accord.system.arrays import Array, Floats, Ids, Offsets, offsets_of


class Ranking(NamedTuple):
    """The best source phrases for every target phrase: t has the row of its query, groups[t].

    Row r is phrases[offsets[r]:offsets[r + 1]], the best first. Scores are log P(f|e) relative to
    the floors of f, or log q.
    """

    groups: Offsets
    lengths: Ids  # J of each row
    offsets: Offsets
    phrases: Ids
    scores: Array
    log_sums: Floats  # log Σₛ P(f|e⁽ˢ⁾) over all phrases, if requested
    limit: int  # the greatest number of candidates of a row

    def scores_at(self, place: int) -> Floats:
        """The score at this place of each row, 0 for the best; -inf if the row is shorter."""
        return scores_at(place, np.diff(self.offsets), self.scores)

    @property
    def cutoffs(self) -> Floats:
        """An upper bound, for each row, on the score of every phrase that is not in it."""
        return self.scores_at(self.limit - 1)

    def without(self, rejected: PairSet, limit: int) -> "Ranking":
        """Remove these pairs <s, t>, and shorten every row to `limit` candidates.

        A target phrase that loses a candidate gets a row of its own.
        """
        own = np.unique(rejected.target)
        old = np.concatenate([np.arange(len(self.lengths)), self.groups[own]])
        groups = self.groups.copy()
        groups[own] = len(self.lengths) + np.arange(len(own))
        sizes = np.diff(self.offsets)[old]
        row = np.repeat(np.arange(len(old)), sizes)
        places = np.arange(len(row)) + np.repeat(self.offsets[old] - offsets_of(sizes)[:-1], sizes)
        target = np.concatenate([np.full(len(self.lengths), NULL), own])
        kept = ~rejected.contains(self.phrases[places], target[row])
        # How many are kept before each place, in all rows and in its own.
        before = np.concatenate([[0], np.cumsum(kept)])
        kept &= before[:-1] - before[offsets_of(sizes)[row]] < limit
        return Ranking(
            groups=groups,
            lengths=self.lengths[old],
            offsets=offsets_of(np.bincount(row[kept], minlength=len(old))),
            phrases=self.phrases[places[kept]],
            scores=self.scores[places[kept]],
            log_sums=self.log_sums[old],
            limit=limit,
        )


def scores_at(place: int, sizes: Offsets, scores: Array) -> Floats:
    """The same, given the sizes of the rows and the scores of all rows."""
    at = np.full(len(sizes), -np.inf)
    long_enough = sizes > place
    at[long_enough] = scores[(np.cumsum(sizes) - sizes)[long_enough] + place]
    return at


def join_shards(shards: list[Any]) -> tuple[Array, ...]:
    """Concatenate each part of all shards; their list is emptied, to save memory."""
    parts = [list(part) for part in zip(*shards, strict=True)]
    shards.clear()
    return tuple(np.concatenate(parts.pop(0)) for _ in range(len(parts)))
