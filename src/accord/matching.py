"""One-to-one matchings of phrases: each phrase in one pair at most.

Notation: w  the weight of a pair, its log-probability over that of leaving both phrases alone

Where the two directions agree, links form a matching. So the agreed alignment m̂ = argmax P→·P←
(Eq. 17), which the paper calls intractable and takes the intersection for, is a bipartite
matching of the greatest Σ w: the assignment problem, on the sparse graph of the candidates.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from accord.pairs import kernels

Chosen = NDArray[np.bool_]
TINY = 1e-9
GOLDEN_RATIO = (5**0.5 - 1) / 2  # whose multiples, less their whole parts, are all different
# More pairs than this would take minutes; they are matched greedily.
MOST_PAIRS = 2_000_000


def exact_matching(
    source: NDArray[np.int32], target: NDArray[np.int32], weights: NDArray[np.float64]
) -> Chosen:
    """Which pairs are in the matching of the greatest sum of weights; only w > 0 can be."""
    chosen = np.zeros(len(source), np.bool_)
    worth = np.flatnonzero(weights > 0)
    if not len(worth):
        return chosen
    if len(worth) > MOST_PAIRS:
        return greedy_matching(source, target, weights)
    rows, row = np.unique(source[worth], return_inverse=True)
    columns, column = np.unique(target[worth], return_inverse=True)
    # Each source phrase may also be left alone: a column of its own, of weight 0.
    alone = np.arange(len(rows))
    # Of matchings with the same sum, a tiny extra weight prefers one, whichever side is which.
    product = (1.0 + row) * (1.0 + column)
    extra = weights[worth] + TINY * np.modf(product * GOLDEN_RATIO)[0]
    most = extra.max() + 1
    costs = np.concatenate([most - extra, np.full(len(rows), most)])
    places = (np.concatenate([row, alone]), np.concatenate([column, len(columns) + alone]))
    graph = csr_array((costs, places), (len(rows), len(columns) + len(rows)))
    matched_row, matched_column = min_weight_full_bipartite_matching(graph)
    partner = np.full(len(rows), -1)
    partner[matched_row] = matched_column
    chosen[worth] = partner[row] == column
    return chosen


def greedy_matching(
    source: NDArray[np.int32], target: NDArray[np.int32], weights: NDArray[np.float64]
) -> Chosen:
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
