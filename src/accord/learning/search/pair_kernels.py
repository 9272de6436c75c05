"""The compiled loops over candidate pairs.

Notation: s, t  source and target phrases
          ranking  the candidates s of every t: t has the row groups[t], and row r has
                   phrases[offsets[r]:offsets[r + 1]] and their scores, the best first
"""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Array, Ids, Offsets
from accord.system.compiled import compiled


class FoundRows(NamedTuple):
    """Rows of candidates of the other direction: row r has phrases[offsets[r]:offsets[r + 1]]."""

    offsets: Offsets
    phrases: Ids
    scores: Array


@compiled
def double_capacity(values):
    """The same values, with room for as many again."""
    return np.concatenate((values, np.empty_like(values)))


@compiled
def pair_rows(members, rows, ranking, least, first, last):
    """Return the pairs of s and a candidate t whose two scores may add up to `least`, for all s
    that are members of the rows first..last-1: (all s, all t, whether s is also a candidate of t).

    `rows` holds only the rows first..last-1. If s is not a candidate of t, its score there is at
    most that of the last of `ranking.limit` candidates; if t has fewer, it is too low to count.
    """
    found_s = np.empty(1024, np.int32)
    found_t = np.empty(1024, np.int32)
    in_both = np.empty(1024, np.bool_)
    found = 0
    for row in range(first, last):
        for s in members.values[members.offsets[row] : members.offsets[row + 1]]:
            for place in range(rows.offsets[row - first], rows.offsets[row - first + 1]):
                t, score = rows.phrases[place], np.float64(rows.scores[place])
                begin = ranking.offsets[ranking.groups[t]]
                end = ranking.offsets[ranking.groups[t] + 1]
                # The candidates of t are sorted: after the first that is too low, all are.
                at = begin
                while at < end and score + ranking.scores[at] >= least:
                    if ranking.phrases[at] == s:
                        break
                    at += 1
                # The loop has stopped at s, at one that is too low, or at the end of the row.
                stopped, is_full = at < end, end - begin == ranking.limit
                if score + ranking.scores[at] >= least if stopped else is_full:
                    if found == len(found_s):
                        found_s, found_t = double_capacity(found_s), double_capacity(found_t)
                        in_both = double_capacity(in_both)
                    found_s[found] = s
                    found_t[found] = t
                    in_both[found] = stopped
                    found += 1
    return found_s[:found].copy(), found_t[:found].copy(), in_both[:found].copy()


@compiled
def pair_remaining(ranking, cutoffs, paired, least, first, last):
    """Return the pairs of t = first..last-1 and a candidate s that `pair_rows` has not found, as
    (all s, all t).

    paired: for every s the targets t that it is paired with already, ascending. A target that is
    not a candidate of s has a score of at most cutoffs[s] there; if that is -inf, it is too low to
    count.
    """
    found_s = np.empty(1024, np.int32)
    found_t = np.empty(1024, np.int32)
    found = 0
    for t in range(first, last):
        row = ranking.groups[t]
        for place in range(ranking.offsets[row], ranking.offsets[row + 1]):
            s = ranking.phrases[place]
            if cutoffs[s] == -np.inf or ranking.scores[place] + cutoffs[s] < least:
                continue
            known = paired.values[paired.offsets[s] : paired.offsets[s + 1]]
            at = np.searchsorted(known, t)
            if at < len(known) and known[at] == t:
                continue
            if found == len(found_s):
                found_s, found_t = double_capacity(found_s), double_capacity(found_t)
            found_s[found] = s
            found_t[found] = t
            found += 1
    return found_s[:found].copy(), found_t[:found].copy()


@compiled
def take_while_free(source, target, order):
    """Which of the pairs <s, t> are taken, in this order, if each needs s and t to be free."""
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
