"""Every compiled loop: arrays in, arrays out, nothing of ours imported.

Notation: e, f  source and target words, e = 0 is NULL;  s, t  source and target phrases
          I, J  their lengths;  i = 0..I, j = 1..J  positions, i = 0 is NULL
          p(f|e)  a table (offsets, targets, probabilities, floor): CSR by e, plus the floor
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


@njit(cache=True, nogil=True)
def learned(table, e, f):
    """The learned part of p(f|e): the entry of row e and column f, 0 where there is none."""
    offsets, targets, probabilities, _ = table
    low, high = offsets[e], offsets[e + 1]
    while low < high:
        middle = (low + high) // 2
        if targets[middle] < f:
            low = middle + 1
        else:
            high = middle
    if low < offsets[e + 1] and targets[low] == f:
        return probabilities[low]
    return 0.0


@njit(cache=True, nogil=True)
def link_posteriors(table, source_words, target_words, posteriors):
    """P(<i, j>|e, f) = p(fⱼ|eᵢ) / Σᵢ'₌₀..I p(fⱼ|eᵢ') into posteriors[i, j - 1].

    Returns Σⱼ log of these sums, the part of log P(f|e) that knows words.
    """
    floor = table[3]
    log_sum = 0.0
    for j in range(len(target_words)):
        f = target_words[j]
        total = posteriors[0, j] = floor + learned(table, 0, f)
        for i in range(len(source_words)):
            posteriors[i + 1, j] = floor + learned(table, source_words[i], f)
            total += posteriors[i + 1, j]
        for i in range(len(source_words) + 1):
            posteriors[i, j] /= total
        log_sum += np.log(total)
    return log_sum


@njit(cache=True, nogil=True)
def posterior_buffers(source_offsets, target_offsets):
    """Room for the link posteriors of the longest phrases, in both directions."""
    source, target = np.max(np.diff(source_offsets)), np.max(np.diff(target_offsets))
    return np.empty((source + 1, target)), np.empty((target + 1, source))


@njit(cache=True, nogil=True)
def impact_postings(
    by_target_offsets,
    by_target_sources,
    by_target_probabilities,
    null,
    floor,
    occurrence_offsets,
    occurrence_phrases,
    occurrence_counts,
    lengths,
    first,
    last,
):
    """The posting lists of the target words first..last-1: (sizes, phrases, impacts).

    The impact of f on s is log1p(A(f, s) / ((I + 1)·floor + p(f|NULL))), rounded to the grid, with
    the learned mass A(f, s) = Σᵢ₌₁..I p(f|eᵢ): what f adds to log P(f|e⁽ˢ⁾) over a phrase of the
    same length that knows nothing of f.
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
                mass[s] += by_target_probabilities[entry] * occurrence_counts[o]
        for p in range(begin, total):
            s = phrases[p]
            nats = np.log1p(mass[s] / ((lengths[s] + 1) * floor + null[f]))
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
def add_postings(phrases, impacts, gained, lengths, gains, ranked):
    """Add a posting list to `gained`, and keep gains and ranked[I], the best of each length, true.

    Gains only grow, so a phrase enters its ranking or rises in it when its posting is read, or
    never. It is in the ranking already if it was no worse than the last place before.
    """
    last = gains.shape[1] - 1
    for p in range(len(phrases)):
        s = phrases[p]
        I = lengths[s]
        old = gained[s]
        gained[s] = new = old + impacts[p]
        if before(gains[I, last], ranked[I, last], new, s):
            continue
        place = last
        if not before(gains[I, last], ranked[I, last], old, s):
            while ranked[I, place] != s:
                place -= 1
        sift_up(gains[I], ranked[I], place, new, s)


@njit(cache=True, nogil=True)
def merge(gains, ranked, base, log_epsilon, scores, phrases):
    """Put the phrases of one length, all with the same base, into the ranking of all lengths."""
    last = len(scores) - 1
    for k in range(len(gains)):
        score = base + gains[k]
        if score <= log_epsilon or before(scores[last], phrases[last], score, ranked[k]):
            break
        sift_up(scores, phrases, last, score, ranked[k])


@njit(cache=True, nogil=True)
def best_phrases(
    query_words,
    query_offsets,
    query_lengths,
    query_unknown,
    posting_offsets,
    posting_phrases,
    posting_impacts,
    log_base,
    log_floor,
    log_length,
    source_lengths,
    by_length_offsets,
    by_length_phrases,
    log_epsilon,
    count,
    first,
    last,
):
    """For the queries first..last-1 the `count` best phrases s by log P(f|e⁽ˢ⁾), exactly.

    log P(f|e⁽ˢ⁾) = log p(J|I) + Σⱼ log_base[fⱼ, I] + Σⱼ impact(fⱼ, s), where a query holds only
    the words that any phrase knows and `query_unknown` the number of the others. The first two
    terms depend on s by its length alone: the best phrases are among the best of each length by
    impacts, which do not depend on the query's length.

    Queries come sorted, each with its longest list first, so that neighbours begin alike: the
    sums over the words that a query shares with the one before are still there, a level for each
    word. Leaving a level takes its list off again, which is exact on the grid, so nothing is
    ever cleared. Level 0 has no words, and the first phrases of each length.

    Only phrases above ε are returned: the empty phrase, number 0, beats the others, ties included.
    Returns (phrases, scores), `count` a row; where a row ends early, the phrase is 0.
    """
    phrases = np.zeros((last - first, count), np.int32)
    scores = np.full((last - first, count), -np.inf)
    max_length = len(by_length_offsets) - 2
    deepest = np.max(np.diff(query_offsets[first : last + 1]))
    gains = np.full((deepest + 1, max_length + 1, count), -np.inf)
    ranked = np.zeros((deepest + 1, max_length + 1, count), np.int32)
    for I in range(1, max_length + 1):
        for k in range(min(count, by_length_offsets[I + 1] - by_length_offsets[I])):
            gains[0, I, k] = 0.0
            ranked[0, I, k] = by_length_phrases[by_length_offsets[I] + k]
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
            level += 1
            add_postings(
                posting_phrases[posting_offsets[f] : posting_offsets[f + 1]],
                posting_impacts[posting_offsets[f] : posting_offsets[f + 1]],
                gained,
                source_lengths,
                gains[level],
                ranked[level],
            )
        for I in range(1, max_length + 1):
            base = log_length[I, query_lengths[q]] + query_unknown[q] * log_floor
            for f in words:
                base += log_base[f, I]
            merge(
                gains[level, I],
                ranked[level, I],
                base,
                log_epsilon,
                scores[q - first],
                phrases[q - first],
            )
    return phrases, scores


@njit(cache=True, nogil=True)
def word_agreement(forward, backward, I, J):
    """Σᵢ₌₁..I Σⱼ₌₁..J of the two directions' posteriors of <i, j>."""
    total = 0.0
    for j in range(J):
        for i in range(I):
            total += forward[i + 1, j] * backward[j + 1, i]
    return total


@njit(cache=True, nogil=True)
def rerank(
    forward_table,
    backward_table,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    groups,
    candidates,
    candidate_scores,
    first,
    last,
):
    """Eq. 31 for the target phrases first..last-1: the candidate s with the greatest
    log P(f|e⁽ˢ⁾) + log Σᵢⱼ →ᵢⱼ·←ᵢⱼ, ties to the lowest number.

    Returns (phrases, log P of each, whether another candidate did as well).
    """
    n = last - first
    phrases = np.zeros(n, np.int32)
    log_prob = np.full(n, -np.inf)
    tied = np.zeros(n, np.bool_)
    forward, backward = posterior_buffers(source_offsets, target_offsets)
    for t in range(first, last):
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        row = groups[t]
        best = -np.inf
        for k in range(candidates.shape[1]):
            s = candidates[row, k]
            if s == 0:
                break
            e = source_words[source_offsets[s] : source_offsets[s + 1]]
            link_posteriors(forward_table, e, f, forward)
            link_posteriors(backward_table, f, e, backward)
            agreement = np.log(word_agreement(forward, backward, len(e), len(f)))
            # On the grid like the rest: equal words in another order must tie.
            score = candidate_scores[row, k] + np.rint(agreement / GRID) * GRID
            if score > best or (score == best and s < phrases[t - first]):
                tied[t - first] = score == best
                best = score
                phrases[t - first] = s
                log_prob[t - first] = candidate_scores[row, k]
            elif score == best:
                tied[t - first] = True
    return phrases, log_prob, tied


@njit(cache=True, nogil=True)
def count_words(
    forward_table,
    backward_table,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    link_sources,
    link_targets,
    agree,
):
    """The word counts of the links without σ, as (words e, words f, counts), not yet summed.

    For each link <s, t>, each j and each i from 0: the pair (eᵢ, fⱼ) and →ᵢⱼ            Eq. 26
    or, where the words must agree, each i from 1: the pair (eᵢ, fⱼ) and →ᵢⱼ·←ᵢⱼ        Eq. 32
    """
    first_i = 1 if agree else 0
    total = 0
    for link in range(len(link_sources)):
        s, t = link_sources[link], link_targets[link]
        I = source_offsets[s + 1] - source_offsets[s]
        total += (I + 1 - first_i) * (target_offsets[t + 1] - target_offsets[t])
    pair_e = np.zeros(total, np.int32)
    pair_f = np.empty(total, np.int32)
    counts = np.empty(total, np.float64)
    forward, backward = posterior_buffers(source_offsets, target_offsets)
    n = 0
    for link in range(len(link_sources)):
        s, t = link_sources[link], link_targets[link]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        link_posteriors(forward_table, e, f, forward)
        if agree:
            link_posteriors(backward_table, f, e, backward)
        for j in range(len(f)):
            for i in range(first_i, len(e) + 1):
                if i > 0:
                    pair_e[n] = e[i - 1]
                pair_f[n] = f[j]
                counts[n] = forward[i, j] * backward[j + 1, i - 1] if agree else forward[i, j]
                n += 1
    return pair_e, pair_f, counts


@njit(cache=True, nogil=True)
def align_words(
    forward_table,
    backward_table,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    link_sources,
    link_targets,
):
    """For each link the words that are each other's best, and Σⱼ log Σᵢ p(fⱼ|eᵢ) both ways.

    A word whose best is NULL, ties included, has no word link. Returns (forward log sums, backward
    log sums, offsets, i, j): link n has the 0-based pairs from offsets[n] to offsets[n + 1].
    """
    n = len(link_sources)
    forward_log = np.empty(n, np.float64)
    backward_log = np.empty(n, np.float64)
    offsets = np.zeros(n + 1, np.int64)
    most = 0
    for link in range(n):
        t = link_targets[link]
        most += target_offsets[t + 1] - target_offsets[t]
    pairs_i = np.empty(most, np.int32)
    pairs_j = np.empty(most, np.int32)
    forward, backward = posterior_buffers(source_offsets, target_offsets)
    total = 0
    for link in range(n):
        s, t = link_sources[link], link_targets[link]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        forward_log[link] = link_posteriors(forward_table, e, f, forward)
        backward_log[link] = link_posteriors(backward_table, f, e, backward)
        for j in range(len(f)):
            i = np.argmax(forward[: len(e) + 1, j])
            if i > 0 and np.argmax(backward[: len(f) + 1, i - 1]) == j + 1:
                pairs_i[total] = i - 1
                pairs_j[total] = j
                total += 1
        offsets[link + 1] = total
    return forward_log, backward_log, offsets, pairs_i[:total].copy(), pairs_j[:total].copy()


def are_compiled() -> bool:
    """Whether an earlier run has left these kernels compiled, on this machine and up to date."""
    source = Path(__file__).stat().st_mtime
    kept = Path(align_words.stats.cache_path or ".").glob("kernels.align_words-*.nbi")
    return any(index.stat().st_mtime >= source for index in kept)
