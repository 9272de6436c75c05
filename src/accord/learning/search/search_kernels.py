"""The compiled loops of the search.

Notation: e, f  source and target words;  s, t  source and target phrases;  I, J  their lengths
          ratio  a learned p(f|e) divided by the floor of f; all scores are relative to the floors

Kernels release the interpreter lock and never share what they write, so threads may run any of
them side by side. Sums have a fixed order: the same input gives the same bits.
"""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Floats, Floats32, Ids, Offsets
from accord.system.compiled import compiled

# Impacts are whole numbers of a step, and everything that is added to them lies on a finer grid.
# Sums are therefore exact: neither their order nor the way a score was found can change a bit.
# An impact has 32 bits, enough for p(f|e) of 10¹³ times the floor.
STEP_BITS = 26
STEP, GRID = 2.0**-STEP_BITS, 2.0**-32
MAX_STEPS = 2**31 - 1

# Larger gains, in nats, count as this much in sums of probabilities, since e⁷⁰⁹ overflows float64.
# Only phrases of more than about twenty words, all of them known, reach it.
MAX_GAIN = 600
# Tables of e to the power of whole nats, and of their 1,024ths; the remaining bits of a gain.
PART_BITS, REST_BITS = 10, STEP_BITS - 10
NATS, PARTS = np.exp(np.arange(MAX_GAIN + 1.0)), np.exp(np.arange(2**PART_BITS) / 2**PART_BITS)

# The best phrases of a block are a set of keys. A key holds a gain and, counted down, a place in
# the block: the greater key has the greater gain and, among equal gains, the lower place.
PLACE_BITS = 20
LAST_PLACE = 2**PLACE_BITS - 1
NO_KEY = -1
# An upper bound, in nats, on the rounding error of what is compared.
CLOSE = 1e-6


class TargetEntries(NamedTuple):
    """The translation table by target word, without NULL.

    Target word f has sources[offsets[f]:offsets[f + 1]].
    """

    offsets: Offsets
    sources: Ids
    ratios: Floats
    null: Floats  # the ratio of NULL, for every f


class Postings(NamedTuple):
    """For each block and target word f, the phrases whose score f increases, and by how much.

    List n is [offsets[n]:offsets[n + 1]], with n = b·F + f for word f in block b, of F words.
    """

    offsets: Offsets
    places: Ids  # in the block
    impacts: Ids  # in steps
    growths: Floats32  # exp(impact) − 1; empty unless sums are wanted


class BlockPhrases(NamedTuple):
    """The phrases of each indexed block: block b has phrases[offsets[b]:offsets[b + 1]]."""

    offsets: Offsets
    lengths: Offsets  # I of all phrases of the block
    phrases: Ids


class Index(NamedTuple):
    """What is searched: some blocks of source phrases."""

    postings: Postings
    blocks: BlockPhrases


class Queries(NamedTuple):
    """Distinct target phrases, without the words that no source phrase translates.

    Query q has words[offsets[q]:offsets[q + 1]], the word with the longest posting list first.
    Queries are sorted, so that neighbours share prefixes.
    """

    words: Ids
    offsets: Offsets
    lengths: Ids  # J of the target phrase, including the words left out


class LengthScores(NamedTuple):
    """The parts of log P(f|e) that depend on e only by its length."""

    log_base: Floats  # [f, I]: log(1 + null(f) / (I + 1))
    log_length: Floats  # [I, J]: log p(J|I)
    log_empty: Floats  # [J]: the score of the empty phrase, -inf where it does not compete


class SearchResult(NamedTuple):
    """The best source phrases of some queries, flat, the best of each query first."""

    sizes: Offsets  # how many each query has
    phrases: Ids
    scores: Floats
    log_sums: Floats  # log Σₛ P(f|e⁽ˢ⁾) over all phrases, if requested


class EarlierResults(NamedTuple):
    """The results of earlier blocks: query q has phrases[offsets[q]:offsets[q + 1]]."""

    offsets: Offsets
    phrases: Ids
    scores: Floats
    log_sums: Floats


class SearchLimits(NamedTuple):
    """Which phrases are returned."""

    candidates: int  # per query, at most
    sum_all: bool = False  # whether the sum over all phrases is computed as well
    # With sums, phrases are left out whose score minus the log of the sum is less than this.
    least: float = -np.inf


class SearchedBlock(NamedTuple):
    """The postings of one block of `size` phrases: f has [offsets[f]:offsets[f + 1]]."""

    size: int
    offsets: Offsets
    places: Ids
    impacts: Ids
    growths: Floats32


@compiled
def make_postings(entries, block, with_growths, first, last):
    """Return the posting lists of the target words first..last-1 in a block of phrases, all of I
    words: (sizes, places, impacts, growths).

    The impact of f on s is log1p(A(f, s) / (I + 1 + null(f))), in steps, with A(f, s) the sum
    of the ratios of e₁..e_I. It is what f adds to log P(f|e⁽ˢ⁾), compared with a phrase of the same
    length that does not translate f.
    """
    most = 0
    for entry in range(entries.offsets[first], entries.offsets[last]):
        e = entries.sources[entry]
        most += block.offsets[e + 1] - block.offsets[e]
    sizes = np.zeros(last - first, np.int64)
    places = np.empty(most, np.int32)
    impacts = np.empty(most, np.int32)
    growths = np.empty(most if with_growths else 0, np.float32)
    mass = np.zeros(len(block.phrases))
    total = 0
    for f in range(first, last):
        begin = total
        for entry in range(entries.offsets[f], entries.offsets[f + 1]):
            e = entries.sources[entry]
            for o in range(block.offsets[e], block.offsets[e + 1]):
                s = block.places[o]
                if mass[s] == 0.0:
                    places[total] = s
                    total += 1
                mass[s] += entries.ratios[entry] * block.counts[o]
        end, total = total, begin
        for p in range(begin, end):
            s = places[p]
            growth = mass[s] / (block.length + 1 + entries.null[f])
            mass[s] = 0.0
            steps = min(np.rint(np.log1p(growth) / STEP), MAX_STEPS)
            # An impact of zero changes nothing, so it needs no posting.
            if steps > 0:
                places[total] = s
                impacts[total] = steps
                if with_growths:
                    growths[total] = growth
                total += 1
        sizes[f - first] = total - begin
    return sizes, places[:total].copy(), impacts[:total].copy(), growths[:total].copy()


@compiled
def exponential(gain):
    """e to the power of a gain, to nine digits: tables, and a parabola for the last bits.

    The library function would take more than half as long as all other work done here.
    """
    gain = min(gain, MAX_GAIN << STEP_BITS)
    part = (gain >> REST_BITS) & (2**PART_BITS - 1)
    rest = (gain & (2**REST_BITS - 1)) * STEP
    return NATS[gain >> STEP_BITS] * PARTS[part] * (1 + rest + rest * rest / 2)


@compiled
def key_below(nats):
    """A key less than that of any gain of at least `nats`, allowing for rounding errors."""
    if not nats >= CLOSE:  # also where the score is -inf
        return NO_KEY
    return int((nats - CLOSE) / STEP) << PLACE_BITS


@compiled
def select_greatest(keys, size, count):
    """Quickselect: move the `count` greatest of the first `size` keys to the front, in any order.

    Returns how many there are, and the least of them, or NO_KEY if there is room for more.
    """
    if size < count:
        return size, NO_KEY
    first, last = 0, size - 1
    while first < last:
        pivot = keys[(first + last) // 2]
        i, j = first, last
        while i <= j:
            while keys[i] > pivot:
                i += 1
            while keys[j] < pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                i += 1
                j -= 1
        if count - 1 <= j:
            last = j
        elif count - 1 >= i:
            first = i
        else:
            break
    return count, keys[:count].min()


@compiled
def count_shared(one, other, most):
    """The length of the common prefix of two queries, at most `most`."""
    shared = 0
    while shared < most and one[shared] == other[shared]:
        shared += 1
    return shared


@compiled
def search_block(queries, block, bounds, limits, first, last):
    """For the queries first..last-1 return the keys of the phrases of a block that gain most, in
    any order, how many there are, and Σ exp(gain) over all phrases of the block, if requested.

    Neighbouring queries share prefixes. The sums over the words that a query shares with the one
    before are kept, one level per word; leaving a level subtracts its list again, which is exact
    in steps, so nothing is ever cleared. Level 0 has no words, and the first phrases.

    Gains only grow. So the best of a level are those of the level before that are not in its
    list, and those in the list that beat the least of the level before. Sums only grow as well.
    So phrases that are further below the sum of a level than `limits.least` can be dropped there:
    if one of them gains more, it is in the list of a later level. At a level that belongs to one
    query alone, phrases that are not above its bound, which earlier blocks have set, can be
    dropped, too.

    This is the inner loop of the whole program, and one function for two reasons: all its steps
    share the stack of levels, and its arrays stay in registers.
    """
    size, count, sum_all, least = block.size, limits.candidates, limits.sum_all, limits.least
    query_words, query_offsets = queries.words, queries.offsets
    offsets, places = block.offsets, block.places
    impacts, growths = block.impacts, block.growths
    keys = np.empty((last - first, count), np.int64)
    sizes = np.empty(last - first, np.int64)
    sums = np.empty(last - first)
    deepest = np.max(np.diff(query_offsets[first : last + 1]))
    level_keys = np.empty((deepest + 1, count), np.int64)
    level_sizes = np.empty(deepest + 1, np.int64)
    lows = np.full(deepest + 1, NO_KEY)  # the least of the best, if there are enough of them
    cuts = np.full(deepest + 1, NO_KEY)
    level_sums = np.full(deepest + 1, float(size))
    level_sizes[0] = min(count, size)
    for s in range(level_sizes[0]):
        level_keys[0, s] = lows[0] = LAST_PLACE - s
    if size < count:
        lows[0] = NO_KEY
    gained = np.zeros(size, np.int64)
    # Candidates for the best are collected here, and cut down whenever there are many.
    offers = np.empty(4 * count, np.int64)
    enough = 3 * count
    words = np.empty(deepest, np.int32)
    level = 0
    for q in range(first, last):
        wanted = query_words[query_offsets[q] : query_offsets[q + 1]]
        shared = count_shared(words, wanted, min(level, len(wanted)))
        while level > shared:
            level -= 1
            for p in range(offsets[words[level]], offsets[words[level] + 1]):
                gained[places[p]] -= impacts[p]
        common = 0
        if q + 1 < last:
            following = query_words[query_offsets[q + 1] : query_offsets[q + 2]]
            common = count_shared(wanted, following, min(len(wanted), len(following)))
        while level < len(wanted):
            f = words[level] = wanted[level]
            offered = 0
            bound = bounds[q - first] if level >= common else NO_KEY
            lowest = max(lows[level], cuts[level], bound)
            grown = 0.0
            for p in range(offsets[f], offsets[f + 1]):
                s = places[p]
                if sum_all:
                    grown += exponential(gained[s]) * growths[p]
                gained[s] += impacts[p]
                key = (gained[s] << PLACE_BITS) + (LAST_PLACE - s)
                if key > lowest:
                    offers[offered] = key
                    offered += 1
                    if offered == enough:
                        offered, lowest = select_greatest(offers, offered, count)
            for key in level_keys[level, : level_sizes[level]]:
                if key >= lowest and gained[LAST_PLACE - (key & LAST_PLACE)] == key >> PLACE_BITS:
                    offers[offered] = key
                    offered += 1
            level += 1
            level_sums[level] = level_sums[level - 1] + grown
            cuts[level] = bound
            if sum_all:
                cuts[level] = max(bound, key_below(np.log(level_sums[level]) + least))
            level_sizes[level], lows[level] = select_greatest(offers, offered, count)
            level_keys[level, : level_sizes[level]] = offers[: level_sizes[level]]
        keys[q - first] = level_keys[level]
        sizes[q - first] = level_sizes[level]
        sums[q - first] = level_sums[level]
    return keys, sizes, sums


@compiled
def precedes(score, s, other_score, other_s):
    """The order of all rankings: by descending score, equal scores by ascending phrase number."""
    return score > other_score or (score == other_score and s < other_s)


@compiled
def insert_ranked(scores, phrases, score, s):
    """Insert s into a full ranking, in place of its last phrase."""
    place = len(scores) - 1
    while place > 0 and precedes(score, s, scores[place - 1], phrases[place - 1]):
        scores[place] = scores[place - 1]
        phrases[place] = phrases[place - 1]
        place -= 1
    scores[place] = score
    phrases[place] = s


@compiled
def search_index(queries, index, length_scores, earlier, limits, first, last):
    """For the queries first..last-1 return the best phrases s by log P(f|e⁽ˢ⁾), exactly, among the
    indexed blocks and what was found `earlier` in others, as (sizes, phrases, scores, log sums).

    log P(f|e⁽ˢ⁾) = log p(J|I) + Σⱼ log_base[fⱼ, I] + Σⱼ impact(fⱼ, s), where a query holds only
    the words that some phrase translates. The first two terms are the same for all phrases of a
    block, which have one length: the best phrases are the best of each block by impacts alone.
    """
    count, sum_all = limits.candidates, limits.sum_all
    postings, blocks = index.postings, index.blocks
    words = len(length_scores.log_base)
    scores = np.full((last - first, count), -np.inf)
    phrases = np.zeros((last - first, count), np.int32)
    log_sums = earlier.log_sums[first:last].copy()
    for q in range(first, last):
        old = slice(earlier.offsets[q], earlier.offsets[q + 1])
        size = old.stop - old.start
        scores[q - first, :size] = earlier.scores[old]
        phrases[q - first, :size] = earlier.phrases[old]
    bases = np.empty(last - first)
    bounds = np.empty(last - first, np.int64)
    for b in range(len(blocks.lengths)):
        I = blocks.lengths[b]
        own = blocks.phrases[blocks.offsets[b] : blocks.offsets[b + 1]]
        for q in range(first, last):
            base = length_scores.log_length[I, queries.lengths[q]]
            for f in queries.words[queries.offsets[q] : queries.offsets[q + 1]]:
                base += length_scores.log_base[f, I]
            bases[q - first] = base
            bounds[q - first] = key_below(scores[q - first, -1] - base)
        offsets = postings.offsets[b * words : (b + 1) * words + 1]
        block = SearchedBlock(
            len(own), offsets, postings.places, postings.impacts, postings.growths
        )
        keys, sizes, sums = search_block(queries, block, bounds, limits, first, last)
        for q in range(last - first):
            for key in keys[q, : sizes[q]]:
                score = bases[q] + (key >> PLACE_BITS) * STEP
                s = own[LAST_PLACE - (key & LAST_PLACE)]
                if precedes(score, s, scores[q, -1], phrases[q, -1]):
                    insert_ranked(scores[q], phrases[q], score, s)
            if sum_all:
                log_sums[q] = np.logaddexp(log_sums[q], bases[q] + np.log(sums[q]))
    log_empty = length_scores.log_empty[queries.lengths[first:last]]
    kept = count_kept(scores, phrases, log_sums, log_empty, limits)
    flat_phrases, flat_scores = flatten_rows(kept, phrases, scores)
    return kept, flat_phrases, flat_scores, log_sums


@compiled
def count_kept(scores, phrases, log_sums, log_empty, limits):
    """How many phrases of each ranking are close enough to its sum, including the empty phrase.

    Sums only grow as further blocks are searched, so phrases that are dropped stay dropped.
    """
    kept = np.zeros(len(scores), np.int64)
    for q in range(len(scores)):
        enough = -np.inf
        if limits.sum_all:
            log_sum = max(log_sums[q], scores[q, 0])
            enough = limits.least + np.logaddexp(log_sum, log_empty[q])
        row = phrases[q]
        while kept[q] < len(row) and row[kept[q]] > 0 and scores[q, kept[q]] >= enough:
            kept[q] += 1
    return kept


@compiled
def flatten_rows(sizes, phrases, scores):
    """The first sizes[q] entries of every row q, one row after the other."""
    ends = np.cumsum(sizes)
    flat_phrases = np.empty(ends[-1], np.int32)
    flat_scores = np.empty(ends[-1])
    for q in range(len(sizes)):
        flat_phrases[ends[q] - sizes[q] : ends[q]] = phrases[q, : sizes[q]]
        flat_scores[ends[q] - sizes[q] : ends[q]] = scores[q, : sizes[q]]
    return flat_phrases, flat_scores
