"""Baselines for the search: three ways to find the best of each row of a sparse product.

The product is that of the queries (target phrases by word counts) with the impacts (words by what
they add to the score of a source phrase). All of them use the same number of threads.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sparse_dot_topn import sp_matmul_topn

from accord.system.runners.threads import Threads
from benchmarks.accumulation_kernels import SparseRows, accumulate

# Rows at a time. The whole product would take gigabytes; a few hundred rows take a few hundred MB.
SCIPY_ROWS = 256
NUMBA_ROWS = 2048

Matrices = tuple[scipy.sparse.csr_matrix, scipy.sparse.csr_matrix]
# The greatest sums of each row in any order, 0 if there are fewer.
BestSums = NDArray[np.float64]
BestPhrases = tuple[NDArray[np.int32], BestSums]


def with_sparse_dot_topn(product: Matrices, count: int, threads: int) -> scipy.sparse.csr_matrix:
    return sp_matmul_topn(*product, top_n=count, n_threads=threads, sort=True)


def with_scipy(product: Matrices, count: int, threads: int) -> BestPhrases:
    rows = product[0].shape[0]
    parts = Threads(threads).map(multiply_rows, (*product, count), items=rows, shard=SCIPY_ROWS)
    phrases, sums = (np.concatenate(part) for part in zip(*parts, strict=True))
    return phrases, sums


def multiply_rows(
    queries: scipy.sparse.csr_matrix,
    impacts: scipy.sparse.csr_matrix,
    count: int,
    first: int,
    last: int,
) -> BestPhrases:
    """Return the best of these rows. SciPy releases the interpreter lock while it multiplies."""
    product = queries[first:last] @ impacts
    phrases = np.full((last - first, count), -1, np.int32)
    sums = np.zeros((last - first, count))
    bounds = product.indptr.tolist()
    for row in range(last - first):
        own = slice(bounds[row], bounds[row + 1])
        values, places = product.data[own], product.indices[own]
        if len(values) > count:
            # Twice as fast as from the other end: most sums are small, and many are equal.
            best = np.argpartition(-values, count - 1)[:count]
            values, places = values[best], places[best]
        sums[row, : len(values)] = values
        phrases[row, : len(values)] = places
    return phrases, sums


def with_numba(product: Matrices, count: int, threads: int) -> BestPhrases:
    queries, impacts = product
    rows_of = (SparseRows(m.indptr, m.indices, m.data) for m in (queries, impacts))
    shared = (*rows_of, impacts.shape[1], count)
    rows = queries.shape[0]
    parts = Threads(threads).map(accumulate, shared, items=rows, shard=NUMBA_ROWS)
    phrases, sums = (np.concatenate(part) for part in zip(*parts, strict=True))
    return phrases, sums


BASELINES: dict[str, Callable[[Matrices, int, int], Any]] = {
    "sparse_dot_topn": with_sparse_dot_topn,
    "scipy": with_scipy,
    "numba_accumulation": with_numba,
}


def best_sums(found: Any, count: int) -> BestSums:
    """Return the sums that a baseline has found, in descending order."""
    if scipy.sparse.issparse(found):
        lengths = np.diff(found.indptr)
        places = np.arange(count) < lengths[:, None]
        sums = np.zeros(places.shape)
        sums[places] = found.data
    else:
        _, sums = found
    return np.asarray(-np.sort(-sums, axis=1))
