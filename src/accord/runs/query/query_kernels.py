"""The compiled loops of a query about one phrase or a few.

Notation: e, f  source words, and target words of the queried phrases;  s  a source phrase
          I  the length of s;  m  the number of an f among the queried words

The search in `search_kernels` is for all phrases of a corpus, and builds posting lists first. For a
few phrases, reading all phrases sequentially is faster than building or reading an index.
"""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Floats, Ids, Mask, Offsets
from accord.system.compiled import compiled

# Products above e⁶⁰⁰ are cut off here. Only very long phrases reach it; the word model, which
# scores the candidates again, distinguishes them.
MAX_PRODUCT = 3.77e260


class TableEntries(NamedTuple):
    """The translation table: e has targets[offsets[e]:offsets[e + 1]]."""

    offsets: Offsets
    targets: Ids
    probabilities: Floats
    floors: Floats


class QueriedEntries(NamedTuple):
    """The entries of the table whose target word is queried: e has [offsets[e]:offsets[e + 1]]."""

    is_known: Mask  # which source words have such an entry
    offsets: Offsets
    words: Ids  # m
    ratios: Floats


class QueriedWords(NamedTuple):
    """The queried words: m is in the queries[offsets[m]:offsets[m + 1]], as often as it occurs."""

    offsets: Offsets
    queries: Ids
    null: Floats  # the ratio of NULL for every m


class WeightedLinks(NamedTuple):
    """Links <s, t> and their weights."""

    source: Ids
    target: Ids
    weights: Floats


class WantedPairs(NamedTuple):
    """Word pairs <e, f>, and which target words are in any of them."""

    e: Ids
    f: Ids
    is_wanted: Mask


@compiled
def select_entries(table, is_queried, numbers, first, last):
    """Return the entries of the source words first..last-1 whose target word is queried: (how many
    each word has, numbers m, ratios). numbers[f] is m for the queried f."""
    begin, end = table.offsets[first], table.offsets[last]
    entries = np.empty(end - begin + 1, np.int64)
    size = 0
    for entry in range(begin, end):
        entries[size] = entry
        size += is_queried[table.targets[entry]]
    sizes = np.zeros(last - first, np.int32)
    words = np.empty(size, np.int32)
    ratios = np.empty(size)
    e = first
    for n in range(size):
        entry = entries[n]
        while entry >= table.offsets[e + 1]:
            e += 1
        sizes[e - first] += 1
        f = table.targets[entry]
        words[n] = numbers[f]
        ratios[n] = table.probabilities[entry] / table.floors[f]
    return sizes, words, ratios


@compiled
def find_known_places(words, is_known, begin, end):
    """Return the places of known words from begin to end, then `end`; and how many there are.

    Most words of most phrases are not known. Collecting the others first takes no branch, which a
    processor could not predict.
    """
    places = np.empty(end - begin + 1, np.int64)
    known = 0
    for at in range(begin, end):
        places[known] = at
        known += is_known[words[at]]
    places[known] = end
    return places, known


@compiled
def search_phrases(queried, entries, phrases, base, count, first, last):
    """Find the `count` best of the phrases first..last-1 for each query, the best first.

    Only phrases that contain a known word are ranked: by base[q, I]·Πⱼ (1 + growth), equal ones by
    ascending number. The growth of f in s is A(f, s) / (I + 1 + null(f)), with A(f, s) the sum of
    the ratios of e₁..e_I.

    The result is (sizes, phrases, products, and the sum of the products minus 1 over the phrases of
    each length). This is one long function because its steps share nearly all of their buffers.
    """
    words, offsets, null = phrases.values, phrases.offsets, queried.null
    entry_offsets, entry_words, entry_ratios = entries.offsets, entries.words, entries.ratios
    queries, longest = base.shape
    sizes = np.zeros(queries, np.int64)
    best = np.zeros((queries, count), np.int32)
    products = np.zeros((queries, count))
    values = np.zeros((queries, count))
    lowest = np.zeros(queries)  # the lowest value among the best, once there are `count`
    sums = np.zeros((queries, longest))
    places, known = find_known_places(words, entries.is_known, offsets[first], offsets[last])
    mass = np.zeros(len(null))
    grown = np.empty(len(null), np.int32)  # the words m that have mass
    product = np.ones(queries)
    touched = np.empty(queries, np.int32)  # the queries that contain such a word
    shares = np.empty((longest, len(null)))
    for I in range(longest):
        for m in range(len(null)):
            shares[I, m] = 1.0 / (I + 1 + null[m])
    s = first
    n = 0
    while n < known:
        while places[n] >= offsets[s + 1]:
            s += 1
        stop = offsets[s + 1]
        grown_words = 0
        while places[n] < stop and n < known:
            e = words[places[n]]
            for entry in range(entry_offsets[e], entry_offsets[e + 1]):
                m = entry_words[entry]
                if mass[m] == 0.0:
                    grown[grown_words] = m
                    grown_words += 1
                mass[m] += entry_ratios[entry]
            n += 1
        I = stop - offsets[s]
        touched_queries = 0
        for k in range(grown_words):
            m = grown[k]
            factor = 1.0 + mass[m] * shares[I, m]
            mass[m] = 0.0
            if factor == 1.0:
                continue
            for place in range(queried.offsets[m], queried.offsets[m + 1]):
                q = queried.queries[place]
                if product[q] == 1.0:
                    touched[touched_queries] = q
                    touched_queries += 1
                product[q] *= factor
        for k in range(touched_queries):
            q = touched[k]
            growth = min(product[q], MAX_PRODUCT)
            product[q] = 1.0
            sums[q, I] += growth - 1.0
            value = base[q, I] * growth
            # Phrases come by ascending number: of equal ones, the earlier stays ahead.
            if value > lowest[q]:
                place = min(sizes[q], count - 1)
                while place > 0 and value > values[q, place - 1]:
                    values[q, place] = values[q, place - 1]
                    best[q, place] = best[q, place - 1]
                    products[q, place] = products[q, place - 1]
                    place -= 1
                values[q, place], best[q, place], products[q, place] = value, s, growth
                sizes[q] = min(sizes[q] + 1, count)
                if sizes[q] == count:
                    lowest[q] = values[q, count - 1]
    return sizes, best, products, sums


@compiled
def find_supporting_links(links, words, wanted, count, first, last):
    """Find the `count` heaviest of the links first..last-1 that contain both words of each word
    pair, the heaviest first; equal ones in their order. The result is (sizes, links)."""
    source, target, weights = words.source, words.target, links.weights
    sizes = np.zeros(len(wanted.e), np.int64)
    found = np.zeros((len(wanted.e), count), np.int32)
    for link in range(first, last):
        s, t = links.source[link], links.target[link]
        for at in range(target.offsets[t], target.offsets[t + 1]):
            f = target.values[at]
            if not wanted.is_wanted[f]:
                continue
            for n in range(len(wanted.e)):
                size = sizes[n]
                if wanted.f[n] != f or (
                    size == count and weights[link] <= weights[found[n, count - 1]]
                ):
                    continue
                if size > 0 and found[n, :size].max() == link:  # the word occurs twice
                    continue
                for other in range(source.offsets[s], source.offsets[s + 1]):
                    if source.values[other] == wanted.e[n]:
                        place = min(size, count - 1)
                        while place > 0 and weights[link] > weights[found[n, place - 1]]:
                            found[n, place] = found[n, place - 1]
                            place -= 1
                        found[n, place] = link
                        sizes[n] = min(size + 1, count)
                        break
    return sizes, found
