"""Nearest neighbours for cross-domain similarity local scaling (CSLS; Conneau et al. 2018).

Some words, called hubs, are similar to very many words. CSLS keeps them from being the best match
of each: it scores a pair by 2·sim(x, y) − r(x) − r(y), where r is the mean similarity of a word to
its nearest neighbours in the other language.
"""

import numpy as np

from accord.system.arrays import Array


def take_largest(similarity: Array, count: int) -> Array:
    """Return the `count` largest values of each column, or all values if there are fewer."""
    count = min(count, len(similarity))
    return np.partition(similarity, len(similarity) - count, axis=0)[len(similarity) - count :]


def average_largest(similarity: Array, count: int) -> Array:
    """Return the mean of the `count` largest values of each column."""
    # In C order, NumPy adds row by row; in Fortran order, it would add in another order.
    means: Array = np.ascontiguousarray(take_largest(similarity, count)).mean(axis=0)
    return means
