"""The compiled loops of a baseline for the search: accumulation of posting lists."""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Array
from accord.system.compiled import compiled


class SparseRows(NamedTuple):
    """The arrays of a matrix in CSR format."""

    offsets: Array
    columns: Array
    values: Array


@compiled
def replace_least(heap, value, phrases, phrase):
    """Replace the least value of a heap, which is its first."""
    place = 0
    while True:
        child = 2 * place + 1
        if child >= len(heap):
            break
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= value:
            break
        heap[place], phrases[place] = heap[child], phrases[child]
        place = child
    heap[place], phrases[place] = value, phrase


@compiled
def accumulate(queries, postings, size, count, first, last):
    """Return the `count` phrases with the greatest sums for each query first..last-1.

    The result is (phrases, sums), in any order; -1 and 0 if there are fewer. The posting lists are
    added up in a dense array. The entries that a query touches are listed, and cleared by the list
    when the best are known.
    """
    query_offsets, query_words, query_counts = queries
    offsets, phrases, impacts = postings
    best = np.zeros((last - first, count))
    best_phrases = np.full((last - first, count), -1, np.int32)
    sums = np.zeros(size)
    touched = np.empty(size, np.int32)
    for q in range(first, last):
        reached = 0
        for w in range(query_offsets[q], query_offsets[q + 1]):
            word, times = query_words[w], query_counts[w]
            for p in range(offsets[word], offsets[word + 1]):
                s = phrases[p]
                if sums[s] == 0.0:
                    touched[reached] = s
                    reached += 1
                sums[s] += times * impacts[p]
        heap, own = best[q - first], best_phrases[q - first]
        for n in range(reached):
            s = touched[n]
            if sums[s] > heap[0]:
                replace_least(heap, sums[s], own, s)
            sums[s] = 0.0
    return best_phrases, best
