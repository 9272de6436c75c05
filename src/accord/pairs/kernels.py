"""The compiled loops over pairs of phrases: arrays in, arrays out.

Notation: s, t  source and target phrases
          ragged arrays  values and offsets: item n is values[offsets[n]:offsets[n + 1]]
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def listed_pairs(
    groups,
    offsets,
    phrases,
    scores,
    other_groups,
    other_offsets,
    other_phrases,
    other_scores,
    count,
    least,
    listed_in_both,
    first,
    last,
):
    """The pairs of t = first..last-1 and a candidate s whose two scores may add up to `least`, as
    (all s, all t, whether t is a candidate of s too); these last only if they are asked for.

    Where t is no candidate of s, its score there is no more than the last of its `count`
    candidates; or than any that counts, if these are not so many.
    """
    most = 0
    for t in range(first, last):
        most += offsets[groups[t] + 1] - offsets[groups[t]]
    found_s = np.empty(most, np.int32)
    found_t = np.empty(most, np.int32)
    in_both = np.empty(most, np.bool_)
    found = 0
    for t in range(first, last):
        for place in range(offsets[groups[t]], offsets[groups[t] + 1]):
            s = phrases[place]
            begin, end = other_offsets[other_groups[s]], other_offsets[other_groups[s] + 1]
            if begin == end or scores[place] + other_scores[begin] < least:
                continue
            other = begin
            while other < end and other_phrases[other] != t:
                other += 1
            if other < end:
                wanted = listed_in_both and scores[place] + other_scores[other] >= least
            else:
                wanted = end - begin == count and scores[place] + other_scores[end - 1] >= least
            if wanted:
                found_s[found] = s
                found_t[found] = t
                in_both[found] = other < end
                found += 1
    return found_s[:found].copy(), found_t[:found].copy(), in_both[:found].copy()


@njit(cache=True, nogil=True)
def while_free(source, target, order):
    """Which of the pairs <s, t> are taken, in this order, when each needs s and t to be free."""
    chosen = np.zeros(len(source), np.bool_)
    if len(order) == 0:
        return chosen
    source_free = np.ones(np.max(source) + 1, np.bool_)
    target_free = np.ones(np.max(target) + 1, np.bool_)
    for pair in order:
        s, t = source[pair], target[pair]
        if source_free[s] and target_free[t]:
            source_free[s] = target_free[t] = False
            chosen[pair] = True
    return chosen
