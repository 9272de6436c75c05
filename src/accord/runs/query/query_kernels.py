"""The compiled loops of a question about a phrase or some few: arrays in, arrays out.

Notation: e, f  source and target words, f those of the phrases asked about;  s  a source phrase
          I  its length;  m  the number of an f among those asked about
          ragged arrays  values and offsets: item n is values[offsets[n]:offsets[n + 1]]

The search in `search_kernels` is for all phrases at once, and makes posting lists first. For some
few it takes longer to make an index, or to jump about in one, than to read all phrases in a row.
"""

import numpy as np

from accord.system.compiled import compiled

# A phrase that is better than others by more than this factor, e⁶⁰⁰, is taken for it: only very
# long ones are, and a closer look tells them apart.
MOST = 3.77e260


@compiled
def wanted_entries(offsets, targets, probabilities, floors, is_wanted, number, first, last):
    """The entries of the source words first..last-1 whose target word is asked about: (how many
    each word has, numbers m, ratios). number[f] is m for the f that are wanted."""
    begin, end = offsets[first], offsets[last]
    entries = np.empty(end - begin + 1, np.int64)
    size = 0
    for entry in range(begin, end):
        entries[size] = entry
        size += is_wanted[targets[entry]]
    sizes = np.zeros(last - first, np.int32)
    words = np.empty(size, np.int32)
    ratios = np.empty(size)
    e = first
    for n in range(size):
        entry = entries[n]
        while entry >= offsets[e + 1]:
            e += 1
        sizes[e - first] += 1
        f = targets[entry]
        words[n] = number[f]
        ratios[n] = probabilities[entry] / floors[f]
    return sizes, words, ratios


@compiled
def best_of_all(
    asker_offsets,
    askers,
    is_known,
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

    The word m is asked for by some queries, its askers, as often as they have it; is_known[e] says
    whether e translates any. The growth of f in s is A(f, s) / (I + 1 + null(f)), with A(f, s) the
    sum of the ratios of e₁..e_I.

    Returns (sizes, phrases, products, and the sum of these less 1 over the phrases of each length).
    """
    queries, longest = base.shape
    sizes = np.zeros(queries, np.int64)
    phrases = np.zeros((queries, count), np.int32)
    products = np.zeros((queries, count))
    values = np.zeros((queries, count))
    lowest = np.zeros(queries)  # of those that are among the best, once these are enough
    sums = np.zeros((queries, longest))
    # Most words of most phrases are of no interest. Those that are come out first, in one go, and
    # without a branch, which no processor could foresee.
    begin, end = offsets[first], offsets[last]
    places = np.empty(end - begin + 1, np.int64)
    known = 0
    for at in range(begin, end):
        places[known] = at
        known += is_known[words[at]]
    places[known] = end
    mass = np.zeros(len(null))
    grown = np.empty(len(null), np.int32)  # the words that have any
    product = np.ones(queries)
    asking = np.empty(queries, np.int32)  # the queries that have any
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
        some = 0
        while places[n] < stop and n < known:
            e = words[places[n]]
            for entry in range(entry_offsets[e], entry_offsets[e + 1]):
                m = entry_words[entry]
                if mass[m] == 0.0:
                    grown[some] = m
                    some += 1
                mass[m] += entry_ratios[entry]
            n += 1
        I = stop - offsets[s]
        heard = 0
        for k in range(some):
            m = grown[k]
            factor = 1.0 + mass[m] * shares[I, m]
            mass[m] = 0.0
            if factor == 1.0:
                continue
            for asker in range(asker_offsets[m], asker_offsets[m + 1]):
                q = askers[asker]
                if product[q] == 1.0:
                    asking[heard] = q
                    heard += 1
                product[q] *= factor
        for k in range(heard):
            q = asking[k]
            better = min(product[q], MOST)
            product[q] = 1.0
            sums[q, I] += better - 1.0
            value = base[q, I] * better
            # Phrases come by their numbers: of equal ones, the one that was there stays ahead.
            if value > lowest[q]:
                place = min(sizes[q], count - 1)
                while place > 0 and value > values[q, place - 1]:
                    values[q, place] = values[q, place - 1]
                    phrases[q, place] = phrases[q, place - 1]
                    products[q, place] = products[q, place - 1]
                    place -= 1
                values[q, place], phrases[q, place], products[q, place] = value, s, better
                sizes[q] = min(sizes[q] + 1, count)
                if sizes[q] == count:
                    lowest[q] = values[q, count - 1]
    return sizes, phrases, products, sums


@compiled
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
    first,
    last,
):
    """For each word pair wanted the `count` heaviest of the links first..last-1 that hold both
    words, the heaviest first; of equal ones the first. is_wanted: whether a target word is in any
    of the pairs.

    Returns (sizes, links).
    """
    sizes = np.zeros(len(wanted_e), np.int64)
    found = np.zeros((len(wanted_e), count), np.int32)
    for link in range(first, last):
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
