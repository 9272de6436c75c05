"""One-to-one matchings of phrases: each phrase in one pair at most.

Notation: w  the weight of a pair, its log-probability over that of leaving both phrases alone

Where the two directions agree, links form a matching. So the agreed alignment m̂ = argmax P→·P←
(Eq. 17), which the paper calls intractable and takes the intersection for, is a bipartite
matching of the greatest Σ w: the assignment problem, on the sparse graph of the candidates.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from accord.learning.search import pair_kernels as kernels

Chosen = NDArray[np.bool_]
Numbers = NDArray[np.integer[Any]]
TINY = 1e-9
GOLDEN_RATIO = (5**0.5 - 1) / 2  # whose multiples, less their whole parts, are all different
# If more pairs than this are left when all is taken that is certain, it would take minutes; they
# are matched greedily.
MOST_PAIRS = 2_000_000


def exact_matching(source: Numbers, target: Numbers, weights: NDArray[np.float64]) -> Chosen:
    """Which pairs are in the matching of the greatest sum of weights; only w > 0 can be."""
    chosen = np.zeros(len(source), np.bool_)
    worth = np.flatnonzero(weights > 0)
    if not len(worth):
        return chosen
    row = np.unique(source[worth], return_inverse=True)[1]
    column = np.unique(target[worth], return_inverse=True)[1]
    # Of matchings with the same sum, a tiny extra weight prefers one, whichever side is which.
    product = (1.0 + row) * (1.0 + column)
    extra = weights[worth] + TINY * np.modf(product * GOLDEN_RATIO)[0]
    certain, left = _certain(row, column, extra)
    chosen[worth[certain]] = True
    if len(left):
        solve = _assigned if len(left) <= MOST_PAIRS else greedy_matching
        chosen[worth[left]] = solve(row[left], column[left], extra[left])
    return chosen


def _certain(
    row: Numbers, column: Numbers, weights: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(pairs that are in the best matching for certain, pairs that have no phrase of these).

    A pair of more weight than the next best of its two phrases have together is: it could take
    their place. When it is taken out, with all other pairs of its phrases, more become certain.
    """
    certain: list[NDArray[np.int64]] = []
    left = np.arange(len(row))
    while True:
        is_best, seconds = np.ones(len(left), np.bool_), np.zeros(len(left))
        for side in (row[left], column[left]):
            best = np.zeros(side.max(initial=-1) + 1)
            np.maximum.at(best, side, weights[left])
            first = weights[left] == best[side]
            tied = np.bincount(side[first], minlength=len(best)) > 1
            second = np.where(tied, best, 0)
            np.maximum.at(second, side[~first], weights[left][~first])
            is_best &= first
            seconds += second[side]
        new = left[is_best & (weights[left] > seconds)]
        if not len(new):
            return np.concatenate([np.empty(0, np.int64), *certain]), left
        certain.append(new)
        left = left[~(np.isin(row[left], row[new]) | np.isin(column[left], column[new]))]


def _assigned(source: Numbers, target: Numbers, weights: NDArray[np.float64]) -> Chosen:
    """Which pairs are in the best matching, by the assignment problem."""
    rows, row = np.unique(source, return_inverse=True)
    columns, column = np.unique(target, return_inverse=True)
    # Each source phrase may also be left alone: a column of its own, of weight 0.
    alone = np.arange(len(rows))
    most = weights.max() + 1
    costs = np.concatenate([most - weights, np.full(len(rows), most)])
    places = (np.concatenate([row, alone]), np.concatenate([column, len(columns) + alone]))
    graph = csr_array((costs, places), (len(rows), len(columns) + len(rows)))
    matched_row, matched_column = min_weight_full_bipartite_matching(graph)
    partner = np.full(len(rows), -1)
    partner[matched_row] = matched_column
    assigned: Chosen = partner[row] == column
    return assigned


def greedy_matching(source: Numbers, target: Numbers, weights: NDArray[np.float64]) -> Chosen:
    """Pairs by falling weight, each if both its phrases are still free.

    Its sum of weights is at least half of the greatest: a pair that is taken rules out at most
    two of the best matching, neither of a greater weight.
    """
    # Pairs that share a phrase never have the same s + t: swapping the sides changes nothing.
    order = np.lexsort((source + target.astype(np.int64), -weights))
    order = order[weights[order] > 0]
    chosen: Chosen = kernels.while_free(source, target, order)
    return chosen


MATCHINGS = {"exact": exact_matching, "greedy": greedy_matching}
