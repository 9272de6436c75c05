"""The compiled loops of the search: arrays in, arrays out, nothing of ours imported.

Notation: e, f  source and target words;  s, t  source and target phrases;  I, J  their lengths
          ratio  a learned p(f|e) over the floor of f; all scores are over the floors as well
          ragged arrays  values and offsets: item n is values[offsets[n]:offsets[n + 1]]

All kernels release the interpreter lock, and none shares what it writes: threads may run any of
them side by side. Sums go in a fixed order, so that the same input gives the same bits.
"""

from pathlib import Path

import numpy as np
from numba import njit

# Impacts and all that is added to them are multiples of this many nats. Sums of them are exact in
# float64, so that neither their order nor the way a score was found can change a bit of it.
GRID = 2.0**-32

# Gains above this many nats are taken for it in sums of probabilities: e⁷⁰⁹ is too much for a
# float64. Only phrases of more than some twenty words, all of them known, have such gains.
MOST = 600.0


@njit(cache=True, nogil=True)
def impact_postings(
    by_target_offsets,
    by_target_sources,
    by_target_ratios,
    null,
    occurrence_offsets,
    occurrence_phrases,
    occurrence_counts,
    lengths,
    first,
    last,
):
    """The posting lists of the target words first..last-1: (sizes, phrases, impacts).

    The impact of f on s is log1p(A(f, s) / (I + 1 + null(f))), rounded to the grid, with A(f, s)
    the sum of the ratios of e₁..e_I: what f adds to log P(f|e⁽ˢ⁾) over a phrase of the same
    length that knows nothing of f.
    """
    most = 0
    for entry in range(by_target_offsets[first], by_target_offsets[last]):
        e = by_target_sources[entry]
        most += occurrence_offsets[e + 1] - occurrence_offsets[e]
    sizes = np.zeros(last - first, np.int64)
    phrases = np.empty(most, np.int32)
    impacts = np.empty(most, np.float64)
    mass = np.zeros(len(lengths), np.float64)
    total = 0
    for f in range(first, last):
        begin = total
        for entry in range(by_target_offsets[f], by_target_offsets[f + 1]):
            e = by_target_sources[entry]
            for o in range(occurrence_offsets[e], occurrence_offsets[e + 1]):
                s = occurrence_phrases[o]
                if mass[s] == 0.0:
                    phrases[total] = s
                    total += 1
                mass[s] += by_target_ratios[entry] * occurrence_counts[o]
        for p in range(begin, total):
            s = phrases[p]
            nats = np.log1p(mass[s] / (lengths[s] + 1 + null[f]))
            impacts[p] = np.rint(nats / GRID) * GRID
            mass[s] = 0.0
        sizes[f - first] = total - begin
    return sizes, phrases[:total].copy(), impacts[:total].copy()


@njit(cache=True, nogil=True)
def before(score, s, other_score, other_s):
    """The order of all rankings: the greater score first, and of equal ones the lower number."""
    return score > other_score or (score == other_score and s < other_s)


@njit(cache=True, nogil=True)
def sift_up(scores, phrases, place, score, s):
    """Put s where it belongs in a ranking, into the gap at `place` or above it."""
    while place > 0 and before(score, s, scores[place - 1], phrases[place - 1]):
        scores[place] = scores[place - 1]
        phrases[place] = phrases[place - 1]
        place -= 1
    scores[place] = score
    phrases[place] = s


@njit(cache=True, nogil=True)
def add_postings(phrases, impacts, gained, lengths, gains, ranked, sums):
    """Add a posting list to `gained`, and keep gains and ranked[I], the best of each length, true,
    and where they are wanted sums[I], the sum of exp(gained) over all phrases of each length.

    Gains only grow, so a phrase enters its ranking or rises in it when its posting is read, or
    never. It is in the ranking already if it was no worse than the last place before.
    """
    last = gains.shape[1] - 1
    for p in range(len(phrases)):
        s = phrases[p]
        I = lengths[s]
        old = gained[s]
        gained[s] = new = old + impacts[p]
        if len(sums) > 0:
            sums[I] += np.exp(min(new, MOST)) - np.exp(min(old, MOST))
        if before(gains[I, last], ranked[I, last], new, s):
            continue
        place = last
        if not before(gains[I, last], ranked[I, last], old, s):
            while ranked[I, place] != s:
                place -= 1
        sift_up(gains[I], ranked[I], place, new, s)


@njit(cache=True, nogil=True)
def merge(gains, ranked, base, scores, phrases):
    """Put the phrases of one length, all with the same base, into the ranking of all lengths."""
    last = len(scores) - 1
    for k in range(len(gains)):
        score = base + gains[k]
        if ranked[k] == 0 or before(scores[last], phrases[last], score, ranked[k]):
            break
        sift_up(scores, phrases, last, score, ranked[k])


@njit(cache=True, nogil=True)
def best_phrases(
    query_words,
    query_offsets,
    query_lengths,
    posting_offsets,
    posting_phrases,
    posting_impacts,
    log_base,
    log_length,
    source_lengths,
    by_length_offsets,
    by_length_phrases,
    count,
    sum_all,
    first,
    last,
):
    """For the queries first..last-1 the `count` best phrases s by log P(f|e⁽ˢ⁾), exactly, and
    if `sum_all`, log Σₛ P(f|e⁽ˢ⁾) over all phrases.

    log P(f|e⁽ˢ⁾) = log p(J|I) + Σⱼ log_base[fⱼ, I] + Σⱼ impact(fⱼ, s), where a query holds only
    the words that any phrase knows. The first two terms depend on s by its length alone: the best
    phrases are among the best of each length by impacts, which do not depend on the query's
    length.

    Queries come sorted, each with its longest list first, so that neighbours begin alike: the
    sums over the words that a query shares with the one before are still there, a level for each
    word. Leaving a level takes its list off again, which is exact on the grid, so nothing is
    ever cleared. Level 0 has no words, and the first phrases of each length.

    Returns (phrases, scores, log sums), the first two `count` a row; where a row ends early, the
    phrase is 0.
    """
    phrases = np.zeros((last - first, count), np.int32)
    scores = np.full((last - first, count), -np.inf)
    log_sums = np.full(last - first, -np.inf)
    max_length = len(by_length_offsets) - 2
    deepest = np.max(np.diff(query_offsets[first : last + 1]))
    gains = np.full((deepest + 1, max_length + 1, count), -np.inf)
    ranked = np.zeros((deepest + 1, max_length + 1, count), np.int32)
    sums = np.zeros((deepest + 1, max_length + 1 if sum_all else 0))
    for I in range(1, max_length + 1):
        with_length = by_length_offsets[I + 1] - by_length_offsets[I]
        for k in range(min(count, with_length)):
            gains[0, I, k] = 0.0
            ranked[0, I, k] = by_length_phrases[by_length_offsets[I] + k]
        if sum_all:
            sums[0, I] = with_length
    gained = np.zeros(len(source_lengths), np.float64)
    summed = np.empty(deepest, np.int32)
    level = 0
    for q in range(first, last):
        words = query_words[query_offsets[q] : query_offsets[q + 1]]
        shared = 0
        while shared < min(level, len(words)) and summed[shared] == words[shared]:
            shared += 1
        while level > shared:
            level -= 1
            for p in range(posting_offsets[summed[level]], posting_offsets[summed[level] + 1]):
                gained[posting_phrases[p]] -= posting_impacts[p]
        while level < len(words):
            f = summed[level] = words[level]
            gains[level + 1] = gains[level]
            ranked[level + 1] = ranked[level]
            sums[level + 1] = sums[level]
            level += 1
            add_postings(
                posting_phrases[posting_offsets[f] : posting_offsets[f + 1]],
                posting_impacts[posting_offsets[f] : posting_offsets[f + 1]],
                gained,
                source_lengths,
                gains[level],
                ranked[level],
                sums[level],
            )
        for I in range(1, max_length + 1):
            base = log_length[I, query_lengths[q]]
            for f in words:
                base += log_base[f, I]
            merge(gains[level, I], ranked[level, I], base, scores[q - first], phrases[q - first])
            if sum_all and sums[level, I] > 0:
                log_sum = base + np.log(sums[level, I])
                log_sums[q - first] = np.logaddexp(log_sums[q - first], log_sum)
    return phrases, scores, log_sums


def are_compiled() -> bool:
    """Whether an earlier run has left these kernels compiled, on this machine and up to date."""
    source = Path(__file__).stat().st_mtime
    kept = Path(best_phrases.stats.cache_path or ".").glob("kernels.best_phrases-*.nbi")
    return any(index.stat().st_mtime >= source for index in kept)
