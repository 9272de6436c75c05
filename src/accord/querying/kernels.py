"""The compiled loops of a question about a phrase or some few: arrays in, arrays out.

Notation: e, f  source and target words, f those of the phrases asked about;  s  a source phrase
          I  its length;  m  the number of an f among those asked about
          ragged arrays  values and offsets: item n is values[offsets[n]:offsets[n + 1]]

The search in accord.kernels is for all phrases at once, and makes posting lists first. For some
few it takes longer to make an index, or to jump about in one, than to read all phrases in a row.
"""

import numpy as np
from numba import njit

# A phrase that is better than others by more than this factor, e⁶⁰⁰, is taken for it: only very
# long ones are, and a closer look tells them apart.
MOST = 3.77e260


@njit(cache=True, nogil=True)
def wanted_entries(offsets, targets, probabilities, floors, number):
    """The entries of a table whose target word is asked about, number[f] ≥ 0: (offsets, m, ratios),
    CSR by e."""
    starts = np.zeros(len(offsets), np.int32)
    size = 0
    for f in targets:
        size += number[f] >= 0
    wanted = np.empty(size, np.int32)
    ratios = np.empty(size)
    size = 0
    for e in range(len(offsets) - 1):
        for entry in range(offsets[e], offsets[e + 1]):
            f = targets[entry]
            if number[f] >= 0:
                wanted[size] = number[f]
                ratios[size] = probabilities[entry] / floors[f]
                size += 1
        starts[e + 1] = size
    return starts, wanted, ratios


@njit(cache=True, nogil=True)
def best_of_all(
    query_words,
    query_offsets,
    entry_offsets,
    entry_words,
    entry_ratios,
    null,
    words,
    offsets,
    base,
    count,
    first,
    last,
):
    """For each query the `count` best of the phrases first..last-1 by base[q, I]·Πⱼ (1 + growth),
    of those that know any of its words, the best first; of equal ones the lower number.

    A query has the numbers m of its words. The growth of f in s is A(f, s) / (I + 1 + null(f)),
    with A(f, s) the sum of the ratios of e₁..e_I.

    Returns (sizes, phrases, products less 1, and the sum of these over the phrases of each length).
    """
    queries = len(query_offsets) - 1
    sizes = np.zeros(queries, np.int64)
    phrases = np.zeros((queries, count), np.int32)
    products = np.zeros((queries, count))
    values = np.zeros((queries, count))
    sums = np.zeros((queries, base.shape[1]))
    growth = np.zeros(len(null))
    for s in range(first, last):
        begin, end = offsets[s], offsets[s + 1]
        touched = False
        for at in range(begin, end):
            e = words[at]
            for entry in range(entry_offsets[e], entry_offsets[e + 1]):
                growth[entry_words[entry]] += entry_ratios[entry]
                touched = True
        if not touched:
            continue
        I = end - begin
        for m in range(len(null)):
            growth[m] /= I + 1 + null[m]
        for q in range(queries):
            grown = 0.0
            for at in range(query_offsets[q], query_offsets[q + 1]):
                more = growth[query_words[at]]
                grown = min(grown + more + grown * more, MOST)
            if grown == 0.0:
                continue
            sums[q, I] += grown
            value = base[q, I] * (1.0 + grown)
            # Phrases come by their numbers: of equal ones, the one that was there stays ahead.
            if sizes[q] == count and value <= values[q, count - 1]:
                continue
            place = min(sizes[q], count - 1)
            while place > 0 and value > values[q, place - 1]:
                values[q, place] = values[q, place - 1]
                phrases[q, place] = phrases[q, place - 1]
                products[q, place] = products[q, place - 1]
                place -= 1
            values[q, place], phrases[q, place], products[q, place] = value, s, grown
            sizes[q] = min(sizes[q] + 1, count)
        growth[:] = 0.0
    return sizes, phrases, products, sums


@njit(cache=True, nogil=True)
def holders(words, offsets, size):
    """In how many phrases each word below `size` is."""
    counts = np.zeros(size, np.int64)
    last = np.zeros(size, np.int32)
    for s in range(1, len(offsets) - 1):
        for at in range(offsets[s], offsets[s + 1]):
            if last[words[at]] != s:
                last[words[at]] = s
                counts[words[at]] += 1
    return counts


@njit(cache=True, nogil=True)
def pairs_with(
    links_source,
    links_target,
    weights,
    source_words,
    source_offsets,
    target_words,
    target_offsets,
    wanted_e,
    wanted_f,
    is_wanted,
    count,
):
    """For each word pair wanted the `count` heaviest links <s, t> that hold both words, the
    heaviest first; of equal ones the first. is_wanted: whether a target word is in any of them.

    Returns (sizes, links).
    """
    sizes = np.zeros(len(wanted_e), np.int64)
    found = np.zeros((len(wanted_e), count), np.int32)
    for link in range(len(links_source)):
        s, t = links_source[link], links_target[link]
        for at in range(target_offsets[t], target_offsets[t + 1]):
            f = target_words[at]
            if not is_wanted[f]:
                continue
            for n in range(len(wanted_e)):
                size = sizes[n]
                if wanted_f[n] != f or (
                    size == count and weights[link] <= weights[found[n, count - 1]]
                ):
                    continue
                if size > 0 and found[n, :size].max() == link:  # the word is there twice
                    continue
                for other in range(source_offsets[s], source_offsets[s + 1]):
                    if source_words[other] == wanted_e[n]:
                        place = min(size, count - 1)
                        while place > 0 and weights[link] > weights[found[n, place - 1]]:
                            found[n, place] = found[n, place - 1]
                            place -= 1
                        found[n, place] = link
                        sizes[n] = min(size + 1, count)
                        break
    return sizes, found
