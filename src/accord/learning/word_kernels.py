"""The compiled loops over the words of pairs of phrases: arrays in, arrays out.

Notation: e, f  source and target words, e = 0 is NULL;  s, t  source and target phrases
          I, J  their lengths;  i = 0..I, j = 1..J  positions, i = 0 is NULL
          table  the ratios of the learned p(f|e) to the floor of f, and the room of e: (offsets,
                 targets, ratios, room), CSR by e; p(f|e) = floor(f)·(room(e) + ratio), and the
                 floors, which cancel, are left out
          order  (positions, jumps): how likely a position i is, over what it is in Model 1
          →ᵢⱼ, ←ᵢⱼ  the posterior of the word link <i, j> in either direction
"""

import numpy as np

from accord.system.compiled import compiled

# Reranking compares on the grid of the search, so that equal words in another order tie.
GRID = 2.0**-32


@compiled
def learned(table, e, f):
    """The ratio of row e and column f, 0 where there is none."""
    offsets, targets, ratios, _ = table
    low, high = offsets[e], offsets[e + 1]
    while low < high:
        middle = (low + high) // 2
        if targets[middle] < f:
            low = middle + 1
        else:
            high = middle
    if low < offsets[e + 1] and targets[low] == f:
        return ratios[low]
    return 0.0


@compiled
def emit(table, e, f, emissions):
    """room(eᵢ) + ratio of each fⱼ, which is p(fⱼ|eᵢ) over the floor, into emissions[i, j - 1]."""
    room = table[3]
    for j in range(len(f)):
        emissions[0, j] = room[0] + learned(table, 0, f[j])
        for i in range(len(e)):
            emissions[i + 1, j] = room[e[i]] + learned(table, e[i], f[j])


@compiled
def log_as_searched(room, e, J, emissions):
    """log Σₐ Πⱼ p(fⱼ|e_aⱼ) as the search has it: by Model 1, all words with the same room."""
    roomier = 1.0 - room[0]
    for i in range(len(e)):
        roomier += 1.0 - room[e[i]]
    log_sum = 0.0
    for j in range(J):
        total = roomier
        for i in range(len(e) + 1):
            total += emissions[i, j]
        log_sum += np.log(total)
    return log_sum


@compiled
def link_posteriors(table, order, e, f, posteriors, jump_counts, weight):
    """→ᵢⱼ into posteriors[i, j - 1], under the word model that `order` is of.

    Returns log Σₐ Πⱼ (I + 1)·p(aⱼ|…)·p(fⱼ|e_aⱼ), the part of log P(f|e) that knows words. Where
    jumps are learned (their counts have a length), `weight` times the expected ones are added.
    """
    emit(table, e, f, posteriors)
    return place(order, len(e), len(f), posteriors, jump_counts, weight)


@compiled
def place(order, I, J, posteriors, jump_counts, weight):
    """Emissions in, posteriors out; the rest as for link_posteriors."""
    positions, jumps = order
    if len(jumps) > 0:
        return pass_both_ways(jumps, I, J, posteriors, jump_counts, weight)
    placed = positions.shape[0] > I and positions.shape[1] > J
    log_sum = 0.0
    for j in range(J):
        total = 0.0
        for i in range(I + 1):
            if placed:
                posteriors[i, j] *= positions[I, J, i, j]
            total += posteriors[i, j]
        for i in range(I + 1):
            posteriors[i, j] /= total
        log_sum += np.log(total)
    return log_sum


@compiled
def transitions(jumps, I):
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
def pass_both_ways(jumps, I, J, posteriors, jump_counts, weight):
    """The forward-backward algorithm of the HMM: emissions in, posteriors out.

    A state is (i, whether the word is NULL's): NULL keeps the last position i, so that the next
    jump starts from there. i = 0 is the beginning, and only NULL can stay there.
    """
    M = (len(jumps) - 2) // 2
    null = jumps[0]
    moves = transitions(jumps, I)
    here = np.zeros((J, I + 1, 2))  # probability of all words up to j, and of the state at j
    there = np.zeros((J, I + 1, 2))  # of all words after j, given the state at j
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
            here[j, i, 0] = arrived * posteriors[i, j] if i > 0 else 0.0
            here[j, i, 1] = stayed * null * posteriors[0, j]
            total += here[j, i, 0] + here[j, i, 1]
        here[j] /= total
        log_sum += np.log(total * (I + 1))
    there[J - 1] = 1.0
    for j in range(J - 2, -1, -1):
        total = 0.0
        for before in range(I + 1):
            value = null * posteriors[0, j + 1] * there[j + 1, before, 1]
            for i in range(1, I + 1):
                value += moves[before, i] * posteriors[i, j + 1] * there[j + 1, i, 0]
            there[j, before] = value
            total += value * (here[j, before, 0] + here[j, before, 1])
        there[j] /= total
    if len(jump_counts) > 0:
        for j in range(J):
            expected = np.zeros((I + 1, I + 1))
            missed = total = 0.0
            for before in range(I + 1):
                start = 1.0 if before == 0 else 0.0
                both = here[j - 1, before, 0] + here[j - 1, before, 1] if j > 0 else start
                missed += both * null * posteriors[0, j] * there[j, before, 1]
                for i in range(1, I + 1):
                    step = both * moves[before, i] * posteriors[i, j] * there[j, i, 0]
                    expected[before, i] = step
                    total += step
            jump_counts[0] += weight * missed / (total + missed)
            for before in range(I + 1):
                for i in range(1, I + 1):
                    jump = 1 + M + max(-M, min(M, i - before))
                    jump_counts[jump] += weight * expected[before, i] / (total + missed)
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
def posterior_buffers(source_offsets, target_offsets):
    """Room for the link posteriors of the longest phrases, in both directions."""
    source, target = np.max(np.diff(source_offsets)), np.max(np.diff(target_offsets))
    return np.empty((source + 1, target)), np.empty((target + 1, source))


@compiled
def log_probabilities(
    table,
    order,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    pair_sources,
    pair_targets,
    first,
    last,
):
    """What words add to log P(f|e), and what they add to it in the search, for the pairs
    first..last-1."""
    logs = np.empty(last - first)
    searched = np.empty(last - first)
    emissions, _ = posterior_buffers(source_offsets, target_offsets)
    uncounted = np.empty(0)
    for n in range(first, last):
        s, t = pair_sources[n], pair_targets[n]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        emit(table, e, f, emissions)
        searched[n - first] = log_as_searched(table[3], e, len(f), emissions)
        logs[n - first] = place(order, len(e), len(f), emissions, uncounted, 0.0)
    return logs, searched


@compiled
def word_agreement(forward, backward, I, J):
    """Σᵢ₌₁..I Σⱼ₌₁..J of the two directions' posteriors of <i, j>."""
    total = 0.0
    for j in range(J):
        for i in range(I):
            total += forward[i + 1, j] * backward[j + 1, i]
    return total


@compiled
def rerank(
    forward_table,
    backward_table,
    forward_order,
    backward_order,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    length_terms,
    groups,
    candidate_offsets,
    candidates,
    candidate_scores,
    log_epsilons,
    ordered,
    agree,
    first,
    last,
):
    """For the target phrases first..last-1 the candidate s with the greatest log P(f|e⁽ˢ⁾) or, if
    words must `agree`, log P(f|e⁽ˢ⁾) + log Σᵢⱼ →ᵢⱼ·←ᵢⱼ (Eq. 31); ties to the lowest number.

    Candidates come with their scores by Model 1, and only those above ε are looked at. If words
    are `ordered`, P(f|e⁽ˢ⁾) is that of the order model.

    Returns (phrases, log P of each, whether another candidate did as well).
    """
    n = last - first
    phrases = np.zeros(n, np.int32)
    log_prob = np.full(n, -np.inf)
    tied = np.zeros(n, np.bool_)
    forward, backward = posterior_buffers(source_offsets, target_offsets)
    uncounted = np.empty(0)
    for t in range(first, last):
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        row = groups[t]
        best = -np.inf
        for k in range(candidate_offsets[row], candidate_offsets[row + 1]):
            if candidate_scores[k] <= log_epsilons[t]:
                break
            s = candidates[k]
            e = source_words[source_offsets[s] : source_offsets[s + 1]]
            words = link_posteriors(forward_table, forward_order, e, f, forward, uncounted, 0.0)
            log_p = candidate_scores[k]
            if ordered:
                log_p = length_terms[len(e), len(f)] + np.rint(words / GRID) * GRID
            score = log_p
            if agree:
                link_posteriors(backward_table, backward_order, f, e, backward, uncounted, 0.0)
                agreement = np.log(word_agreement(forward, backward, len(e), len(f)))
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
def count_words(
    forward_table,
    backward_table,
    forward_order,
    backward_order,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    link_sources,
    link_targets,
    weights,
    agree,
    null,
    uncounted_positions,
    uncounted_jumps,
    first,
    last,
):
    """The word counts of the links first..last-1 without σ, as (words e, words f, counts), not yet
    summed, and those of positions, [I, J, i, j - 1], and of jumps, where these have room.

    For each link <s, t>, its weight times, each j and each i from 1 (from 0 where NULL counts):
    the pair (eᵢ, fⱼ) and →ᵢⱼ                                                            Eq. 26
    or, where the words must agree, the pair and →ᵢⱼ·←ᵢⱼ, but →₀ⱼ for NULL               Eq. 32
    """
    position_counts = np.zeros_like(uncounted_positions)
    jump_counts = np.zeros_like(uncounted_jumps)
    first_i = 0 if null else 1
    total = 0
    for link in range(first, last):
        s, t = link_sources[link], link_targets[link]
        I = source_offsets[s + 1] - source_offsets[s]
        total += (I + 1 - first_i) * (target_offsets[t + 1] - target_offsets[t])
    pair_e = np.zeros(total, np.int32)
    pair_f = np.empty(total, np.int32)
    counts = np.empty(total, np.float64)
    forward, backward = posterior_buffers(source_offsets, target_offsets)
    uncounted = np.empty(0)
    n = 0
    for link in range(first, last):
        s, t, weight = link_sources[link], link_targets[link], weights[link]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        I, J = len(e), len(f)
        link_posteriors(forward_table, forward_order, e, f, forward, jump_counts, weight)
        if agree:
            link_posteriors(backward_table, backward_order, f, e, backward, uncounted, 0.0)
        placed = position_counts.shape[0] > I and position_counts.shape[1] > J
        for j in range(J):
            for i in range(first_i, I + 1):
                count = weight * forward[i, j]
                if i > 0:
                    pair_e[n] = e[i - 1]
                    if agree:
                        count *= backward[j + 1, i - 1]
                pair_f[n] = f[j]
                counts[n] = count
                if placed:
                    position_counts[I, J, i, j] += count
                n += 1
    return pair_e, pair_f, counts, position_counts, jump_counts


@compiled
def align_words(
    forward_table,
    backward_table,
    forward_order,
    backward_order,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    link_sources,
    link_targets,
):
    """For each link the words that are each other's best, and what words add to log P both ways.

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
    uncounted = np.empty(0)
    total = 0
    for link in range(n):
        s, t = link_sources[link], link_targets[link]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        forward_log[link] = link_posteriors(
            forward_table, forward_order, e, f, forward, uncounted, 0.0
        )
        backward_log[link] = link_posteriors(
            backward_table, backward_order, f, e, backward, uncounted, 0.0
        )
        for j in range(len(f)):
            i = np.argmax(forward[: len(e) + 1, j])
            if i > 0 and np.argmax(backward[: len(f) + 1, i - 1]) == j + 1:
                pairs_i[total] = i - 1
                pairs_j[total] = j
                total += 1
        offsets[link + 1] = total
    return forward_log, backward_log, offsets, pairs_i[:total].copy(), pairs_j[:total].copy()


@compiled
def mean_log_strengths(
    forward_table,
    backward_table,
    source_floors,
    target_floors,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    pair_sources,
    pair_targets,
    least,
):
    """For each pair <s, t> the mean, over the words of both, of the log of their best strength.

    The strength of a word link is √(p(f|e)·p(e|f)), of the learned parts; `least` is added to it.
    """
    means = np.empty(len(pair_sources))
    for pair in range(len(pair_sources)):
        s, t = pair_sources[pair], pair_targets[pair]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        best = np.zeros(len(e) + len(f))  # of the words of e, then of the words of f
        for i in range(len(e)):
            for j in range(len(f)):
                there = learned(forward_table, e[i], f[j]) * target_floors[f[j]]
                back = learned(backward_table, f[j], e[i]) * source_floors[e[i]]
                strength = np.sqrt(there * back)
                best[i] = max(best[i], strength)
                best[len(e) + j] = max(best[len(e) + j], strength)
        means[pair] = np.log(best + least).mean()
    return means
