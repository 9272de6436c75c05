"""The compiled loops over the words of pairs of phrases.

Notation: e, f  source and target words, e = 0 is NULL;  s, t  source and target phrases
          I, J  their lengths;  i = 0..I, j = 1..J  positions, i = 0 is NULL
          p(f|e) = floor(f)·(room(e) + ratio), of which the floors cancel and are left out
          →ᵢⱼ, ←ᵢⱼ  the posterior of the word link <i, j> in either direction
"""

from typing import NamedTuple

import numpy as np

from accord.learning.model.word_order import OrderModel
from accord.learning.search.search_kernels import GRID
from accord.system.arrays import Floats, Ids, Offsets, Ragged
from accord.system.compiled import compiled


class TranslationTable(NamedTuple):
    """The learned p(f|e) relative to the floor of f: e has targets[offsets[e]:offsets[e + 1]]."""

    offsets: Offsets
    targets: Ids  # ascending
    ratios: Floats
    room: Floats  # of every e


class DirectionTables(NamedTuple):
    """One direction of the model."""

    table: TranslationTable
    order: OrderModel


class ModelTables(NamedTuple):
    """Both directions of the model."""

    forward: DirectionTables
    backward: DirectionTables


class PhraseWords(NamedTuple):
    """The words of both corpora."""

    source: Ragged
    target: Ragged


class PhrasePairs(NamedTuple):
    """Pairs <s, t>."""

    source: Ids
    target: Ids


class Reranking(NamedTuple):
    """How candidates are reranked."""

    length_terms: Floats  # [I, J]
    log_epsilons: Floats  # log ε for every t, relative to its floors
    ordered: bool  # whether P(f|e) is that of the order model instead of Model 1
    agree: bool  # whether the score includes link agreement (Eq. 31)


class Counting(NamedTuple):
    """How words are counted."""

    agree: bool  # whether by both directions (Eq. 32) or by one (Eq. 26)
    null: bool  # whether NULL counts
    uncounted: OrderModel  # zeros in the shape of the counts of positions and jumps


@compiled
def find_value(offsets, targets, values, e, f):
    """The value of e and f in a table, 0 if there is none.

    It takes arrays, since a call with a named tuple would count the references to all its arrays.
    """
    low, high = offsets[e], offsets[e + 1]
    while low < high:
        middle = (low + high) // 2
        if targets[middle] < f:
            low = middle + 1
        else:
            high = middle
    if low < offsets[e + 1] and targets[low] == f:
        return values[low]
    return 0.0


@compiled
def fill_emissions(table, e, f, emissions):
    """Write room(eᵢ) + ratio of each fⱼ, which is p(fⱼ|eᵢ) / floor(fⱼ), to emissions[i, j - 1]."""
    offsets, targets, ratios, room = table
    for j in range(len(f)):
        emissions[0, j] = room[0] + find_value(offsets, targets, ratios, 0, f[j])
        for i in range(len(e)):
            emissions[i + 1, j] = room[e[i]] + find_value(offsets, targets, ratios, e[i], f[j])


@compiled
def compute_search_score(room, e, J, emissions):
    """log Σₐ Πⱼ p(fⱼ|e_aⱼ) as the search computes it: by Model 1, and with room 1 for all words."""
    more_room = 1.0 - room[0]
    for i in range(len(e)):
        more_room += 1.0 - room[e[i]]
    log_sum = 0.0
    for j in range(J):
        total = more_room
        for i in range(len(e) + 1):
            total += emissions[i, j]
        log_sum += np.log(total)
    return log_sum


@compiled
def find_link_posteriors(direction, e, f, posteriors, jump_counts, weight):
    """Write →ᵢⱼ to posteriors[i, j - 1], under the word model of this direction; also add `weight`
    times the expected jumps to their counts, unless these are empty.

    Returns log Σₐ Πⱼ (I + 1)·p(aⱼ|…)·p(fⱼ|e_aⱼ), the part of log P(f|e) that depends on words.
    """
    fill_emissions(direction.table, e, f, posteriors)
    return normalise_links(direction.order, len(e), len(f), posteriors, jump_counts, weight)


@compiled
def normalise_links(order, I, J, posteriors, jump_counts, weight):
    """Turn emissions into posteriors, in place; otherwise as `find_link_posteriors`."""
    positions, jumps = order.positions, order.jumps
    if len(jumps) > 0:
        return run_forward_backward(jumps, I, J, posteriors, jump_counts, weight)
    has_positions = positions.shape[0] > I and positions.shape[1] > J
    log_sum = 0.0
    for j in range(J):
        total = 0.0
        for i in range(I + 1):
            if has_positions:
                posteriors[i, j] *= positions[I, J, i, j]
            total += posteriors[i, j]
        for i in range(I + 1):
            posteriors[i, j] /= total
        log_sum += np.log(total)
    return log_sum


@compiled
def fill_transitions(jumps, I):
    """p(i|i') of the HMM for i = 1..I and i' = 0..I, where 0 is the beginning.

    jumps: the probability of NULL, then the weights of the jumps -M..M, the ends for all beyond.
    """
    M = (len(jumps) - 2) // 2
    moves = np.zeros((I + 1, I + 1))
    for before in range(I + 1):
        total = 0.0
        for i in range(1, I + 1):
            moves[before, i] = jumps[1 + M + max(-M, min(M, i - before))]
            total += moves[before, i]
        for i in range(1, I + 1):
            moves[before, i] *= (1.0 - jumps[0]) / total
    return moves


@compiled
def run_forward_backward(jumps, I, J, posteriors, jump_counts, weight):
    """The forward-backward algorithm of the HMM: turn emissions into posteriors, in place.

    A state is (i, whether the word is aligned to NULL): NULL keeps the last position i, so that
    the next jump starts from there. i = 0 is the beginning, and only NULL can stay there.
    """
    moves = fill_transitions(jumps, I)
    here, log_sum = run_forward(jumps[0], moves, J, posteriors)
    there = run_backward(jumps[0], moves, posteriors, here)
    if len(jump_counts) > 0:
        count_jumps(jumps, moves, posteriors, here, there, jump_counts, weight)
    for j in range(J):
        posteriors[0, j] = 0.0
        total = 0.0
        for i in range(I + 1):
            missed = here[j, i, 1] * there[j, i, 1]
            hit = here[j, i, 0] * there[j, i, 0]
            total += missed + hit
            posteriors[0, j] += missed
            if i > 0:
                posteriors[i, j] = hit
        for i in range(I + 1):
            posteriors[i, j] /= total
    return log_sum


@compiled
def run_forward(null, moves, J, emissions):
    """Return (the probability of all words up to j and of the state at j, normalised for each j;
    log of the probability of all words, times I + 1 for each of them)."""
    I = len(moves) - 1
    here = np.zeros((J, I + 1, 2))
    log_sum = 0.0
    for j in range(J):
        total = 0.0
        for i in range(I + 1):
            arrived = stayed = 0.0
            if j == 0:
                arrived = moves[0, i]
                stayed = 1.0 if i == 0 else 0.0
            else:
                for before in range(I + 1):
                    both = here[j - 1, before, 0] + here[j - 1, before, 1]
                    arrived += both * moves[before, i]
                stayed = here[j - 1, i, 0] + here[j - 1, i, 1]
            here[j, i, 0] = arrived * emissions[i, j] if i > 0 else 0.0
            here[j, i, 1] = stayed * null * emissions[0, j]
            total += here[j, i, 0] + here[j, i, 1]
        here[j] /= total
        log_sum += np.log(total * (I + 1))
    return here, log_sum


@compiled
def run_backward(null, moves, emissions, here):
    """Return the probability of all words after j given the state at j, in the scale of `here`."""
    J, I = here.shape[0], here.shape[1] - 1
    there = np.ones((J, I + 1, 2))
    for j in range(J - 2, -1, -1):
        total = 0.0
        for before in range(I + 1):
            value = null * emissions[0, j + 1] * there[j + 1, before, 1]
            for i in range(1, I + 1):
                value += moves[before, i] * emissions[i, j + 1] * there[j + 1, i, 0]
            there[j, before] = value
            total += value * (here[j, before, 0] + here[j, before, 1])
        there[j] /= total
    return there


@compiled
def count_jumps(jumps, moves, emissions, here, there, jump_counts, weight):
    """Add `weight` times the expected jumps, and the expected NULLs, to their counts."""
    J, I = here.shape[0], here.shape[1] - 1
    M = (len(jumps) - 2) // 2
    null = jumps[0]
    expected = np.zeros((I + 1, I + 1))
    for j in range(J):
        missed = total = 0.0
        for before in range(I + 1):
            start = 1.0 if before == 0 else 0.0
            both = here[j - 1, before, 0] + here[j - 1, before, 1] if j > 0 else start
            missed += both * null * emissions[0, j] * there[j, before, 1]
            for i in range(1, I + 1):
                step = both * moves[before, i] * emissions[i, j] * there[j, i, 0]
                expected[before, i] = step
                total += step
        jump_counts[0] += weight * missed / (total + missed)
        for before in range(I + 1):
            for i in range(1, I + 1):
                jump = 1 + M + max(-M, min(M, i - before))
                jump_counts[jump] += weight * expected[before, i] / (total + missed)


@compiled
def make_buffers(words):
    """Arrays for the link posteriors of the longest phrases, in both directions."""
    I, J = np.max(np.diff(words.source.offsets)), np.max(np.diff(words.target.offsets))
    return np.empty((I + 1, J)), np.empty((J + 1, I))


@compiled
def words_of(phrases, number):
    """The words of a phrase."""
    return phrases.values[phrases.offsets[number] : phrases.offsets[number + 1]]


@compiled
def score_pairs(direction, source, target, pairs, first, last):
    """For the pairs first..last-1 return the part of log P(f|e) that depends on words: (by the word
    model, by the search)."""
    logs = np.empty(last - first)
    searched = np.empty(last - first)
    emissions, _ = make_buffers(PhraseWords(source, target))
    uncounted = np.empty(0)
    for n in range(first, last):
        e, f = words_of(source, pairs.source[n]), words_of(target, pairs.target[n])
        fill_emissions(direction.table, e, f, emissions)
        searched[n - first] = compute_search_score(direction.table.room, e, len(f), emissions)
        logs[n - first] = normalise_links(
            direction.order, len(e), len(f), emissions, uncounted, 0.0
        )
    return logs, searched


@compiled
def sum_agreement(forward, backward, I, J):
    """Σᵢ₌₁..I Σⱼ₌₁..J →ᵢⱼ·←ᵢⱼ."""
    total = 0.0
    for j in range(J):
        for i in range(I):
            total += forward[i + 1, j] * backward[j + 1, i]
    return total


@compiled
def rerank(models, words, ranking, how, first, last):
    """For the target phrases first..last-1 find the candidate s with the greatest log P(f|e⁽ˢ⁾) or,
    with link agreement, log P(f|e⁽ˢ⁾) + log Σᵢⱼ →ᵢⱼ·←ᵢⱼ (Eq. 31); ties go to the lowest number.

    The ranking has scores by Model 1; only candidates above ε are considered.

    Returns (phrases, log P of each, whether another candidate has the same score).
    """
    n = last - first
    phrases = np.zeros(n, np.int32)
    log_prob = np.full(n, -np.inf)
    tied = np.zeros(n, np.bool_)
    forward, backward = make_buffers(words)
    uncounted = np.empty(0)
    # Taken out of their tuples before the loop, which would count references to them every time.
    source_words, source_offsets = words.source
    candidates, scores = ranking.phrases, ranking.scores
    forward_direction, backward_direction = models
    length_terms, log_epsilons, ordered, agree = how
    for t in range(first, last):
        f = words_of(words.target, t)
        row = ranking.groups[t]
        best = -np.inf
        for k in range(ranking.offsets[row], ranking.offsets[row + 1]):
            if scores[k] <= log_epsilons[t]:
                break
            s = candidates[k]
            e = source_words[source_offsets[s] : source_offsets[s + 1]]
            log_words = find_link_posteriors(forward_direction, e, f, forward, uncounted, 0.0)
            log_p = scores[k]
            # On the grid of the search, so that equal words in another order tie.
            if ordered:
                log_p = length_terms[len(e), len(f)] + np.rint(log_words / GRID) * GRID
            score = log_p
            if agree:
                find_link_posteriors(backward_direction, f, e, backward, uncounted, 0.0)
                agreement = np.log(sum_agreement(forward, backward, len(e), len(f)))
                score += np.rint(agreement / GRID) * GRID
            if score > best or (score == best and s < phrases[t - first]):
                tied[t - first] = score == best
                best = score
                phrases[t - first] = s
                log_prob[t - first] = log_p
            elif score == best:
                tied[t - first] = True
    return phrases, log_prob, tied


@compiled
def count_words(models, words, links, how, first, last):
    """Return the counts of the links first..last-1, without σ: (words e, words f, their counts, the
    counts of positions [I, J, i, j - 1], those of jumps).

    Word counts are not summed yet. For each link <s, t>, each j and each i from 1 (from 0 if NULL
    counts), the pair (eᵢ, fⱼ) has the weight of the link times
    →ᵢⱼ                                                       Eq. 26
    or, if the words must agree, →ᵢⱼ·←ᵢⱼ                      Eq. 32
    For NULL, which only posterior agreement counts, it is →₀ⱼ.
    """
    position_counts = np.zeros_like(how.uncounted.positions)
    jump_counts = np.zeros_like(how.uncounted.jumps)
    first_i = 0 if how.null else 1
    total = 0
    for link in range(first, last):
        e = words_of(words.source, links.source[link])
        total += (len(e) + 1 - first_i) * len(words_of(words.target, links.target[link]))
    pair_e = np.zeros(total, np.int32)
    pair_f = np.empty(total, np.int32)
    counts = np.empty(total, np.float64)
    forward, backward = make_buffers(words)
    uncounted = np.empty(0)
    n = 0
    for link in range(first, last):
        weight = links.weights[link]
        e = words_of(words.source, links.source[link])
        f = words_of(words.target, links.target[link])
        I, J = len(e), len(f)
        find_link_posteriors(models.forward, e, f, forward, jump_counts, weight)
        if how.agree:
            find_link_posteriors(models.backward, f, e, backward, uncounted, 0.0)
        has_positions = position_counts.shape[0] > I and position_counts.shape[1] > J
        for j in range(J):
            for i in range(first_i, I + 1):
                count = weight * forward[i, j]
                if i > 0:
                    pair_e[n] = e[i - 1]
                    if how.agree:
                        count *= backward[j + 1, i - 1]
                pair_f[n] = f[j]
                counts[n] = count
                if has_positions:
                    position_counts[I, J, i, j] += count
                n += 1
    return pair_e, pair_f, counts, position_counts, jump_counts


@compiled
def align_words(models, words, pairs):
    """For each pair <s, t> find the words that are each other's most probable translation.

    A word is not linked if NULL is at least as probable. Returns (the parts of log P(f|e) and of
    log P(e|f) that depend on words, offsets, i, j): pair n has the 0-based links from offsets[n] to
    offsets[n + 1].
    """
    n = len(pairs.source)
    forward_log = np.empty(n, np.float64)
    backward_log = np.empty(n, np.float64)
    offsets = np.zeros(n + 1, np.int64)
    most = 0
    for pair in range(n):
        most += len(words_of(words.target, pairs.target[pair]))
    links_i = np.empty(most, np.int32)
    links_j = np.empty(most, np.int32)
    forward, backward = make_buffers(words)
    uncounted = np.empty(0)
    total = 0
    for pair in range(n):
        e = words_of(words.source, pairs.source[pair])
        f = words_of(words.target, pairs.target[pair])
        forward_log[pair] = find_link_posteriors(models.forward, e, f, forward, uncounted, 0.0)
        backward_log[pair] = find_link_posteriors(models.backward, f, e, backward, uncounted, 0.0)
        for j in range(len(f)):
            i = np.argmax(forward[: len(e) + 1, j])
            if i > 0 and np.argmax(backward[: len(f) + 1, i - 1]) == j + 1:
                links_i[total] = i - 1
                links_j[total] = j
                total += 1
        offsets[pair + 1] = total
    return forward_log, backward_log, offsets, links_i[:total].copy(), links_j[:total].copy()
