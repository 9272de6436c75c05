"""Compiled loops of phrase extraction: arrays in, arrays out.

Notation: a sentence pair has source words 0..I-1 and target words 0..J-1; a link <i, j> joins two
          ragged arrays  values and offsets: sentence n is values[offsets[n]:offsets[n + 1]]
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.system.arrays import Floats, Ids, Mask, Offsets
from accord.system.compiled import compiled

# Takes the place of the number of an n-gram that is left out.
LEFT_OUT = -1


class SentenceLinks(NamedTuple):
    """The links <i, j> of every sentence pair, 0-based; ragged."""

    i: NDArray[np.int16]
    j: NDArray[np.int16]
    offsets: Offsets


class NgramSide(NamedTuple):
    """One side: numbers[n, p] is the n-gram of n + 1 words at position p, or LEFT_OUT."""

    numbers: Ids
    offsets: Offsets  # of the sentences


class WordWeights(NamedTuple):
    """w(f|e) and w(e|f) of every link, and of every word under NULL, by relative frequency."""

    forward: Floats
    backward: Floats
    forward_null: Floats  # for every target word of the text
    backward_null: Floats  # for every source word of the text


class WeighedLinks(NamedTuple):
    """The links of one sentence pair in one direction: from given words to weighed words."""

    given: NDArray[np.int16]
    weighed: NDArray[np.int16]
    weights: Floats  # of the links
    null_weights: Floats  # of the weighed words of the sentence


class LinkGrid(NamedTuple):
    """The links of a sentence pair while they are symmetrised."""

    union: Mask  # [i, j], the links of either direction
    chosen: Mask  # [i, j]
    source_linked: Mask  # which source words have a chosen link
    target_linked: Mask


@compiled
def choose_link(grid, i, j):
    """Add a link to those chosen."""
    grid.chosen[i, j] = True
    grid.source_linked[i] = True
    grid.target_linked[j] = True


@compiled
def grow_diagonally(grid):
    """Choose neighbours from the union that link a word without links, until there are none."""
    union, chosen, source_linked, target_linked = grid
    I, J = union.shape
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
                            choose_link(grid, a, b)
                            grown = True


@compiled
def choose_unlinked(grid, links_i, links_j):
    """Choose the links between two words of which neither has a link yet."""
    for k in range(len(links_i)):
        i, j = links_i[k], links_j[k]
        if not grid.source_linked[i] and not grid.target_linked[j]:
            choose_link(grid, i, j)


@compiled
def combine_links(forward_i, forward_j, backward_i, backward_j, I, J):
    """Return which words of a sentence pair are linked after symmetrising, as [i, j]."""
    grid = LinkGrid(
        np.zeros((I, J), np.bool_),
        np.zeros((I, J), np.bool_),
        np.zeros(I, np.bool_),
        np.zeros(J, np.bool_),
    )
    for k in range(len(forward_i)):
        grid.union[forward_i[k], forward_j[k]] = True
    for k in range(len(backward_i)):
        if grid.union[backward_i[k], backward_j[k]]:
            choose_link(grid, backward_i[k], backward_j[k])
    for k in range(len(backward_i)):
        grid.union[backward_i[k], backward_j[k]] = True
    grow_diagonally(grid)
    choose_unlinked(grid, forward_i, forward_j)
    choose_unlinked(grid, backward_i, backward_j)
    return grid.chosen


@compiled
def grow_diag_final_and(source_offsets, target_offsets, forward, backward, first, last):
    """Return the symmetrised links of the sentences first..last-1 as (sizes, i, j), sorted.

    Koehn's heuristic: the intersection, grown along the diagonal inside the union, and then links
    of either direction between two words that have none.
    """
    most = backward.offsets[last] - backward.offsets[first]
    most += forward.offsets[last] - forward.offsets[first]
    sizes = np.zeros(last - first, np.int64)
    links_i = np.empty(most, np.int16)
    links_j = np.empty(most, np.int16)
    total = 0
    for n in range(first, last):
        I = source_offsets[n + 1] - source_offsets[n]
        J = target_offsets[n + 1] - target_offsets[n]
        there = slice(forward.offsets[n], forward.offsets[n + 1])
        back = slice(backward.offsets[n], backward.offsets[n + 1])
        chosen = combine_links(
            forward.i[there], forward.j[there], backward.i[back], backward.j[back], I, J
        )
        i, j = np.nonzero(chosen)
        sizes[n - first] = len(i)
        links_i[total : total + len(i)] = i
        links_j[total : total + len(i)] = j
        total += len(i)
    return sizes, links_i[:total].copy(), links_j[:total].copy()


@compiled
def consistent_spans(links_i, links_j, I, J, longest, spans):
    """Find all consistent pairs of spans of up to `longest` words, as rows (i1, i2, j1, j2).

    No word inside is linked to one outside, and at least one link is inside; unaligned words at
    the edges may be included or not. Returns how many there are.
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
def allocate_spans(source_offsets, longest):
    """Return an array for the pairs of spans of the longest sentence."""
    return np.empty((np.max(np.diff(source_offsets)) * longest * longest * longest, 4), np.int64)


@compiled
def find_consistent_pairs(source, target, links, first, last):
    """Return all consistent pairs of n-grams in the sentences first..last-1, as (keys, sentences).

    A key (see `pair_keys`) occurs as often as its pair is extracted, each time with the number of
    the sentence.
    """
    source_grams, source_offsets = source
    target_grams, target_offsets = target
    links_i, links_j, link_offsets = links
    longest = source_grams.shape[0]
    spans = allocate_spans(source_offsets, longest)
    room = np.int64(1024)
    pairs = np.empty(room, np.int64)
    sentences = np.empty(room, np.int32)
    total = 0
    for n in range(first, last):
        own = slice(link_offsets[n], link_offsets[n + 1])
        I = source_offsets[n + 1] - source_offsets[n]
        J = target_offsets[n + 1] - target_offsets[n]
        found = consistent_spans(links_i[own], links_j[own], I, J, longest, spans)
        if total + found > room:
            room = 2 * (total + found)
            larger = np.empty(room, np.int64)
            larger[:total] = pairs[:total]
            pairs = larger
            more = np.empty(room, np.int32)
            more[:total] = sentences[:total]
            sentences = more
        for k in range(found):
            i1, i2, j1, j2 = spans[k]
            source_gram = source_grams[i2 - i1, source_offsets[n] + i1]
            target_gram = target_grams[j2 - j1, target_offsets[n] + j1]
            if source_gram != LEFT_OUT and target_gram != LEFT_OUT:
                pairs[total] = (np.int64(source_gram) << 32) | np.int64(target_gram)
                sentences[total] = n
                total += 1
    return pairs[:total].copy(), sentences[:total].copy()


@compiled
def lexical_weight(links, given_span, weighed_span):
    """Return Π over the weighed words of the mean weight of their links, or of NULL's weight."""
    given, weighed, weights, null_weights = links
    product = 1.0
    for word in range(weighed_span[0], weighed_span[1] + 1):
        total, count = 0.0, 0
        for k in range(len(given)):
            if weighed[k] == word and given_span[0] <= given[k] <= given_span[1]:
                total += weights[k]
                count += 1
        product *= total / count if count else null_weights[word]
    return product


@compiled
def greatest_lexical_weights(source, target, links, weights, kept, first, last):
    """Return the greatest lexical weights of each kept pair (sorted), forward and backward."""
    source_grams, source_offsets = source
    target_grams, target_offsets = target
    links_i, links_j, link_offsets = links
    longest = source_grams.shape[0]
    spans = allocate_spans(source_offsets, longest)
    forward = np.zeros(len(kept))
    backward = np.zeros(len(kept))
    for n in range(first, last):
        own = slice(link_offsets[n], link_offsets[n + 1])
        i, j = links_i[own], links_j[own]
        source_begin, target_begin = source_offsets[n], target_offsets[n]
        forward_links = WeighedLinks(
            i, j, weights.forward[own], weights.forward_null[target_begin:]
        )
        backward_links = WeighedLinks(
            j, i, weights.backward[own], weights.backward_null[source_begin:]
        )
        I, J = source_offsets[n + 1] - source_begin, target_offsets[n + 1] - target_begin
        found = consistent_spans(i, j, I, J, longest, spans)
        for k in range(found):
            i1, i2, j1, j2 = spans[k]
            source_gram = source_grams[i2 - i1, source_begin + i1]
            target_gram = target_grams[j2 - j1, target_begin + j1]
            if source_gram == LEFT_OUT or target_gram == LEFT_OUT:
                continue
            pair = (np.int64(source_gram) << 32) | np.int64(target_gram)
            place = np.searchsorted(kept, pair)
            if place == len(kept) or kept[place] != pair:
                continue
            weight = lexical_weight(forward_links, (i1, i2), (j1, j2))
            forward[place] = max(forward[place], weight)
            weight = lexical_weight(backward_links, (j1, j2), (i1, i2))
            backward[place] = max(backward[place], weight)
    return forward, backward
