"""The compiled loops over pairs of phrases: arrays in, arrays out.

Notation: s, t  source and target phrases
          ragged arrays  values and offsets: item n is values[offsets[n]:offsets[n + 1]]
"""

import numpy as np

from accord.system.compiled import compiled


@compiled
def grown(values):
    """The same values with room for as many again."""
    return np.concatenate((values, np.empty_like(values)))


@compiled
def listed_pairs(
    member_offsets,
    members,
    offsets,
    phrases,
    scores,
    other_groups,
    other_offsets,
    other_phrases,
    other_scores,
    count,
    least,
    first,
    last,
):
    """The pairs of s and a candidate t whose two scores may add up to `least`, for all s that are
    members of the rows first..last-1, whose candidates these are: as (all s, all t, whether s is a
    candidate of t too).

    Where s is no candidate of t, its score there is no more than the last of its `count`
    candidates; or than any that counts, if these are not so many.
    """
    found_s = np.empty(1024, np.int32)
    found_t = np.empty(1024, np.int32)
    in_both = np.empty(1024, np.bool_)
    found = 0
    for row in range(first, last):
        for s in members[member_offsets[row] : member_offsets[row + 1]]:
            for place in range(offsets[row - first], offsets[row - first + 1]):
                t, score = phrases[place], np.float64(scores[place])
                begin, end = other_offsets[other_groups[t]], other_offsets[other_groups[t] + 1]
                # The best of t come first: after one that is not enough, none is.
                at = begin
                while at < end and score + other_scores[at] >= least:
                    if other_phrases[at] == s:
                        break
                    at += 1
                # It has stopped at s, at one that is not enough, or not at all.
                stopped, is_full = at < end, end - begin == count
                if score + other_scores[at] >= least if stopped else is_full:
                    if found == len(found_s):
                        found_s, found_t, in_both = grown(found_s), grown(found_t), grown(in_both)
                    found_s[found] = s
                    found_t[found] = t
                    in_both[found] = stopped
                    found += 1
    return found_s[:found].copy(), found_t[:found].copy(), in_both[:found].copy()


@compiled
def unlisted_pairs(
    groups, offsets, phrases, scores, other_ends, pair_offsets, pair_targets, least, first, last
):
    """The pairs of t = first..last-1 and a candidate s that are none of those above, those of s
    sorted by t: as (all s, all t). What is no candidate of s has a score of no more than
    other_ends[s] there; if that is -inf, all that counts are."""
    found_s = np.empty(1024, np.int32)
    found_t = np.empty(1024, np.int32)
    found = 0
    for t in range(first, last):
        for place in range(offsets[groups[t]], offsets[groups[t] + 1]):
            s = phrases[place]
            if other_ends[s] == -np.inf or scores[place] + other_ends[s] < least:
                continue
            paired = pair_targets[pair_offsets[s] : pair_offsets[s + 1]]
            at = np.searchsorted(paired, t)
            if at < len(paired) and paired[at] == t:
                continue
            if found == len(found_s):
                found_s, found_t = grown(found_s), grown(found_t)
            found_s[found] = s
            found_t[found] = t
            found += 1
    return found_s[:found].copy(), found_t[:found].copy()


@compiled
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
