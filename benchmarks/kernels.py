"""The compiled loops of what Accord's search is measured beside."""

import numpy as np

from accord.system.compiled import compiled


@compiled
def replace_least(heap, value, phrases, phrase):
    """Put a value in the place of the least of a heap, which is its first."""
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
def accumulate(
    query_offsets,
    query_words,
    query_counts,
    offsets,
    phrases,
    impacts,
    size,
    count,
    first,
    last,
):
    """For the queries first..last-1 the `count` phrases of the greatest sums, in any order, and
    these sums; -1 and 0 where there are no more.

    The posting lists are added up in a dense array. What a query has touched is listed, and
    cleared by the list when the best are known.
    """
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
