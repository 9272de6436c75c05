"""One-to-one matchings of phrases: each phrase in one pair at most.

Notation: w  the weight of a pair, its log-probability minus that of leaving both phrases unlinked

If the two directions agree, links form a matching. So the agreed alignment m̂ = argmax P→·P←
(Eq. 17), which the paper calls intractable and replaces by the intersection, is a bipartite
matching of maximum Σ w: the assignment problem, on the sparse graph of the candidates.
"""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from accord.learning.search.pair_kernels import take_while_free
from accord.system.arrays import Floats, Integers, Mask, Offsets

TINY = 1e-9
GOLDEN_RATIO = (5**0.5 - 1) / 2  # the fractional parts of its multiples are all different
# The exact solution of more pairs than this would take minutes: they are matched greedily.
MAX_PAIRS = 2_000_000


def match_exactly(source: Integers, target: Integers, weights: Floats) -> Mask:
    """Which pairs are in the matching with the greatest sum of weights; only w > 0 can be."""
    chosen = np.zeros(len(source), np.bool_)
    positive = np.flatnonzero(weights > 0)
    if not len(positive):
        return chosen
    row = np.unique(source[positive], return_inverse=True)[1]
    column = np.unique(target[positive], return_inverse=True)[1]
    # Tiny differences make one of several matchings with the same sum the best, whichever language
    # is the source.
    product = (1.0 + row) * (1.0 + column)
    distinct = weights[positive] + TINY * np.modf(product * GOLDEN_RATIO)[0]
    certain, left = _take_certain(row, column, distinct)
    chosen[positive[certain]] = True
    if len(left):
        solve = _solve_assignment if len(left) <= MAX_PAIRS else match_greedily
        chosen[positive[left]] = solve(row[left], column[left], distinct[left])
    return chosen


def _take_certain(row: Integers, column: Integers, weights: Floats) -> tuple[Offsets, Offsets]:
    """(pairs that are certainly in the best matching, pairs that share no phrase with them).

    A pair is certain if it weighs more than the next best pairs of its two phrases together, since
    it could replace both. Removing it and all other pairs of its phrases makes more pairs certain.
    """
    certain: list[Offsets] = []
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


def _solve_assignment(source: Integers, target: Integers, weights: Floats) -> Mask:
    """Which pairs are in the best matching: the assignment problem."""
    rows, row = np.unique(source, return_inverse=True)
    columns, column = np.unique(target, return_inverse=True)
    # Each source phrase may also stay unlinked: a column of its own, of weight 0.
    alone = np.arange(len(rows))
    most = weights.max() + 1
    costs = np.concatenate([most - weights, np.full(len(rows), most)])
    places = (np.concatenate([row, alone]), np.concatenate([column, len(columns) + alone]))
    graph = csr_array((costs, places), (len(rows), len(columns) + len(rows)))
    matched_row, matched_column = min_weight_full_bipartite_matching(graph)
    partner = np.full(len(rows), -1)
    partner[matched_row] = matched_column
    assigned: Mask = partner[row] == column
    return assigned


def match_greedily(source: Integers, target: Integers, weights: Floats) -> Mask:
    """Take pairs by descending weight, each if both its phrases are still free.

    The sum of weights is at least half of the greatest: a pair that is taken rules out at most
    two of the best matching, neither of them heavier.
    """
    # Pairs that share a phrase never have the same s + t, so swapping the sides changes nothing.
    order = np.lexsort((source + target.astype(np.int64), -weights))
    order = order[weights[order] > 0]
    chosen: Mask = take_while_free(source, target, order)
    return chosen


MATCHINGS = {"exact": match_exactly, "greedy": match_greedily}
