"""Compiled loops of phrase extraction: arrays in, arrays out.

Notation: a sentence pair has source words 0..I-1 and target words 0..J-1; a link <i, j> joins two
          ragged arrays  values and offsets: sentence n is values[offsets[n]:offsets[n + 1]]
"""

import numpy as np

from accord.system.compiled import compiled


@compiled
def add_point(i, j, chosen, source_linked, target_linked):
    chosen[i, j] = True
    source_linked[i] = True
    target_linked[j] = True


@compiled
def grow_diagonally(union, chosen, source_linked, target_linked, I, J):
    """Add neighbours out of the union that link a word not linked yet, until there are none."""
    grown = True
    while grown:
        grown = False
        for i in range(I):
            for j in range(J):
                if not chosen[i, j]:
                    continue
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        a, b = i + di, j + dj
                        if a < 0 or b < 0 or a >= I or b >= J or chosen[a, b] or not union[a, b]:
                            continue
                        if not source_linked[a] or not target_linked[b]:
                            add_point(a, b, chosen, source_linked, target_linked)
                            grown = True


@compiled
def grow_diag_final_and(
    source_offsets,
    target_offsets,
    forward_i,
    forward_j,
    forward_offsets,
    backward_i,
    backward_j,
    backward_offsets,
    first,
    last,
):
    """The symmetrised links of the sentences first..last-1, as (sizes, i, j), sorted.

    Koehn's heuristic: the intersection, grown along the diagonal inside the union, and then links
    of either direction between two words that have none.
    """
    most = backward_offsets[last] - backward_offsets[first]
    most += forward_offsets[last] - forward_offsets[first]
    sizes = np.zeros(last - first, np.int64)
    links_i = np.empty(most, np.int16)
    links_j = np.empty(most, np.int16)
    longest_source = np.max(np.diff(source_offsets))
    longest_target = np.max(np.diff(target_offsets))
    union = np.zeros((longest_source, longest_target), np.bool_)
    chosen = np.zeros((longest_source, longest_target), np.bool_)
    source_linked = np.zeros(longest_source, np.bool_)
    target_linked = np.zeros(longest_target, np.bool_)
    total = 0
    for n in range(first, last):
        I = source_offsets[n + 1] - source_offsets[n]
        J = target_offsets[n + 1] - target_offsets[n]
        union[:I, :J] = False
        chosen[:I, :J] = False
        source_linked[:I] = False
        target_linked[:J] = False
        for k in range(forward_offsets[n], forward_offsets[n + 1]):
            union[forward_i[k], forward_j[k]] = True
        for k in range(backward_offsets[n], backward_offsets[n + 1]):
            i, j = backward_i[k], backward_j[k]
            if union[i, j]:
                add_point(i, j, chosen, source_linked, target_linked)
        for k in range(backward_offsets[n], backward_offsets[n + 1]):
            union[backward_i[k], backward_j[k]] = True
        grow_diagonally(union, chosen, source_linked, target_linked, I, J)
        for k in range(forward_offsets[n], forward_offsets[n + 1]):
            i, j = forward_i[k], forward_j[k]
            if not source_linked[i] and not target_linked[j]:
                add_point(i, j, chosen, source_linked, target_linked)
        for k in range(backward_offsets[n], backward_offsets[n + 1]):
            i, j = backward_i[k], backward_j[k]
            if not source_linked[i] and not target_linked[j]:
                add_point(i, j, chosen, source_linked, target_linked)
        begin = total
        for i in range(I):
            for j in range(J):
                if chosen[i, j]:
                    links_i[total] = i
                    links_j[total] = j
                    total += 1
        sizes[n - first] = total - begin
    return sizes, links_i[:total].copy(), links_j[:total].copy()


@compiled
def consistent_spans(links_i, links_j, I, J, longest, spans):
    """All consistent pairs of spans of up to `longest` words, into spans as (i1, i2, j1, j2).

    No word inside is linked to one outside, and at least one link is inside; unaligned words at
    the edges may belong or not. Returns how many there are.
    """
    low_i = np.full(J, I, np.int64)
    high_i = np.full(J, -1, np.int64)
    low_j = np.full(I, J, np.int64)
    high_j = np.full(I, -1, np.int64)
    for k in range(len(links_i)):
        i, j = links_i[k], links_j[k]
        low_i[j] = min(low_i[j], i)
        high_i[j] = max(high_i[j], i)
        low_j[i] = min(low_j[i], j)
        high_j[i] = max(high_j[i], j)
    n = 0
    for i1 in range(I):
        low, high = J, -1
        for i2 in range(i1, min(i1 + longest, I)):
            low = min(low, low_j[i2])
            high = max(high, high_j[i2])
            if high < 0 or high - low >= longest:
                continue
            inside = True
            for j in range(low, high + 1):
                if high_i[j] >= 0 and (low_i[j] < i1 or high_i[j] > i2):
                    inside = False
                    break
            if not inside:
                continue
            j1 = low
            while True:
                j2 = high
                while j2 - j1 < longest:
                    spans[n, 0] = i1
                    spans[n, 1] = i2
                    spans[n, 2] = j1
                    spans[n, 3] = j2
                    n += 1
                    j2 += 1
                    if j2 >= J or high_i[j2] >= 0:
                        break
                j1 -= 1
                if j1 < 0 or high_i[j1] >= 0 or high - j1 >= longest:
                    break
    return n


@compiled
def most_spans(source_offsets, longest):
    """Room for the spans of the longest sentence: each has at most `longest`² partners."""
    return np.empty((np.max(np.diff(source_offsets)) * longest * longest * longest, 4), np.int64)


@compiled
def extract_pairs(
    source_grams,
    target_grams,
    source_offsets,
    target_offsets,
    links_i,
    links_j,
    link_offsets,
    first,
    last,
):
    """Every consistent pair of n-grams in the sentences first..last-1, as source << 32 | target.

    grams[n, p] is the number of the n-gram of n + 1 words at position p, -1 for one to be left out.
    """
    longest = source_grams.shape[0]
    spans = most_spans(source_offsets, longest)
    room = np.int64(1024)
    pairs = np.empty(room, np.int64)
    total = 0
    for n in range(first, last):
        links = slice(link_offsets[n], link_offsets[n + 1])
        I = source_offsets[n + 1] - source_offsets[n]
        J = target_offsets[n + 1] - target_offsets[n]
        found = consistent_spans(links_i[links], links_j[links], I, J, longest, spans)
        if total + found > room:
            room = 2 * (total + found)
            larger = np.empty(room, np.int64)
            larger[:total] = pairs[:total]
            pairs = larger
        for k in range(found):
            i1, i2, j1, j2 = spans[k]
            source = source_grams[i2 - i1, source_offsets[n] + i1]
            target = target_grams[j2 - j1, target_offsets[n] + j1]
            if source >= 0 and target >= 0:
                pairs[total] = (np.int64(source) << 32) | np.int64(target)
                total += 1
    return pairs[:total].copy()


@compiled
def lexical_weight(links_a, links_b, weights, null_weights, a1, a2, b1, b2):
    """Π over the words b of the mean weight of their links, NULL's for a word without any."""
    product = 1.0
    for b in range(b1, b2 + 1):
        total, links = 0.0, 0
        for k in range(len(links_a)):
            if links_b[k] == b and a1 <= links_a[k] <= a2:
                total += weights[k]
                links += 1
        product *= total / links if links else null_weights[b]
    return product


@compiled
def lexical_weights(
    source_grams,
    target_grams,
    source_offsets,
    target_offsets,
    links_i,
    links_j,
    link_offsets,
    forward_weights,
    backward_weights,
    forward_null,
    backward_null,
    kept,
    first,
    last,
):
    """For each kept pair (sorted) its greatest lexical weights, target given source and back."""
    longest = source_grams.shape[0]
    spans = most_spans(source_offsets, longest)
    forward = np.zeros(len(kept))
    backward = np.zeros(len(kept))
    for n in range(first, last):
        links = slice(link_offsets[n], link_offsets[n + 1])
        i, j = links_i[links], links_j[links]
        source_begin, target_begin = source_offsets[n], target_offsets[n]
        I, J = source_offsets[n + 1] - source_begin, target_offsets[n + 1] - target_begin
        found = consistent_spans(i, j, I, J, longest, spans)
        for k in range(found):
            i1, i2, j1, j2 = spans[k]
            source = source_grams[i2 - i1, source_begin + i1]
            target = target_grams[j2 - j1, target_begin + j1]
            if source < 0 or target < 0:
                continue
            pair = (np.int64(source) << 32) | np.int64(target)
            place = np.searchsorted(kept, pair)
            if place == len(kept) or kept[place] != pair:
                continue
            weight = lexical_weight(
                i, j, forward_weights[links], forward_null[target_begin:], i1, i2, j1, j2
            )
            forward[place] = max(forward[place], weight)
            weight = lexical_weight(
                j, i, backward_weights[links], backward_null[source_begin:], j1, j2, i1, i2
            )
            backward[place] = max(backward[place], weight)
    return forward, backward
