"""The compiled loops of the search: arrays in, arrays out, nothing of ours imported.

Notation: e, f  source and target words;  s, t  source and target phrases;  I, J  their lengths
          ratio  a learned p(f|e) over the floor of f; all scores are over the floors as well
          ragged arrays  values and offsets: item n is values[offsets[n]:offsets[n + 1]]

All kernels release the interpreter lock, and none shares what it writes: threads may run any of
them side by side. Sums go in a fixed order, so that the same input gives the same bits.
"""

from pathlib import Path

import numpy as np

from accord.system.compiled import compiled

# Impacts are whole numbers of a step, and all that is added to them is on a finer grid. So sums
# are exact, and neither their order nor the way a score was found can change a bit of it. An
# impact has 32 bits, which are enough for p(f|e) of 10¹³ times the floor.
STEP_BITS = 26
STEP, GRID = 2.0**-STEP_BITS, 2.0**-32
MOST_STEPS = 2**31 - 1

# Gains above this many nats are taken for it in sums of probabilities: e⁷⁰⁹ is too much for a
# float64. Only phrases of more than some twenty words, all of them known, have such gains.
MOST = 600
# e to the power of whole nats, and of their 1,024ths; a gain has so many bits after these.
PART_BITS, REST_BITS = 10, STEP_BITS - 10
NATS, PARTS = np.exp(np.arange(MOST + 1.0)), np.exp(np.arange(2**PART_BITS) / 2**PART_BITS)

# The best of a block are a set of keys, each a gain and, counted down, a place in the block: the
# greater key has the greater gain, and of equal gains the lower place. A block has fewer than a
# million phrases.
PLACE_BITS = 20
LAST_PLACE = 2**PLACE_BITS - 1
NO_KEY = -1
# Nats by which what is compared may be rounded, at the very most.
CLOSE = 1e-6


@compiled
def impact_postings(
    by_target_offsets,
    by_target_sources,
    by_target_ratios,
    null,
    occurrence_offsets,
    occurrence_places,
    occurrence_counts,
    I,
    size,
    with_growths,
    first,
    last,
):
    """The posting lists of the target words first..last-1 in a block of `size` phrases, all of I
    words: (sizes, places, impacts, growths).

    The impact of f on s is log1p(A(f, s) / (I + 1 + null(f))), in steps, with A(f, s) the sum
    of the ratios of e₁..e_I: what f adds to log P(f|e⁽ˢ⁾) over a phrase of the same length that
    knows nothing of f. The growth is exp(impact) − 1; without need of it there is none.
    """
    most = 0
    for entry in range(by_target_offsets[first], by_target_offsets[last]):
        e = by_target_sources[entry]
        most += occurrence_offsets[e + 1] - occurrence_offsets[e]
    sizes = np.zeros(last - first, np.int64)
    places = np.empty(most, np.int32)
    impacts = np.empty(most, np.int32)
    growths = np.empty(most if with_growths else 0, np.float32)
    mass = np.zeros(size)
    total = 0
    for f in range(first, last):
        begin = total
        for entry in range(by_target_offsets[f], by_target_offsets[f + 1]):
            e = by_target_sources[entry]
            for o in range(occurrence_offsets[e], occurrence_offsets[e + 1]):
                s = occurrence_places[o]
                if mass[s] == 0.0:
                    places[total] = s
                    total += 1
                mass[s] += by_target_ratios[entry] * occurrence_counts[o]
        end, total = total, begin
        for p in range(begin, end):
            s = places[p]
            growth = mass[s] / (I + 1 + null[f])
            mass[s] = 0.0
            steps = min(np.rint(np.log1p(growth) / STEP), MOST_STEPS)
            # What changes nothing is no posting: the list is of those whose gains grow.
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
    """e to the power of a gain, by table but for the last bits, which a parabola takes: good to
    nine digits. The library's is slower by more than half of all else that is done here."""
    gain = min(gain, MOST << STEP_BITS)
    part = (gain >> REST_BITS) & (2**PART_BITS - 1)
    rest = (gain & (2**REST_BITS - 1)) * STEP
    return NATS[gain >> STEP_BITS] * PARTS[part] * (1 + rest + rest * rest / 2)


@compiled
def key_below(nats):
    """A key less than that of any gain of so many nats, rounding errors allowed for."""
    if not nats >= CLOSE:  # as for the empty phrase, which has -inf of everything
        return NO_KEY
    return int((nats - CLOSE) / STEP) << PLACE_BITS


@compiled
def select(keys, size, count):
    """Quickselect: bring the `count` greatest of the first `size` keys to the front, in any order.

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
def best_of_block(
    query_words,
    query_offsets,
    offsets,
    places,
    impacts,
    growths,
    size,
    bounds,
    count,
    sum_all,
    least,
    first,
    last,
):
    """For the queries first..last-1 the keys of the `count` phrases of a block that gain most, as
    far as these may still count, in any order, how many there are, and if `sum_all`, Σ exp(gain)
    over all its phrases.

    Queries come sorted, each with its longest list first, so that neighbours begin alike: the
    sums over the words that a query shares with the one before are still there, a level for each
    word. Leaving a level takes its list off again, which is exact in steps, so nothing is
    ever cleared. Level 0 has no words, and the first phrases.

    Gains only grow. So the best of a level are those of the level before that are not in its
    list, and those in the list that beat the least of the level before. Sums only grow as well:
    what is further below the sum of a level than `least` says can be left out there, as a phrase
    that comes up again does so in a list. And where a level is of one query alone, so can be
    what is not above its bound, which other blocks have set.
    """
    keys = np.empty((last - first, count), np.int64)
    sizes = np.empty(last - first, np.int64)
    sums = np.empty(last - first)
    deepest = np.max(np.diff(query_offsets[first : last + 1]))
    level_keys = np.empty((deepest + 1, count), np.int64)
    level_sizes = np.empty(deepest + 1, np.int64)
    lows = np.full(deepest + 1, NO_KEY)  # the least of the best, where these are enough
    cuts = np.full(deepest + 1, NO_KEY)
    level_sums = np.full(deepest + 1, float(size))
    level_sizes[0] = min(count, size)
    for s in range(level_sizes[0]):
        level_keys[0, s] = lows[0] = LAST_PLACE - s
    if size < count:
        lows[0] = NO_KEY
    gained = np.zeros(size, np.int64)
    # What may be among the best is put here, and cut down whenever there is much of it.
    offers = np.empty(4 * count, np.int64)
    enough = 3 * count
    words = np.empty(deepest, np.int32)
    level = 0
    for q in range(first, last):
        wanted = query_words[query_offsets[q] : query_offsets[q + 1]]
        shared = 0
        while shared < min(level, len(wanted)) and words[shared] == wanted[shared]:
            shared += 1
        while level > shared:
            level -= 1
            for p in range(offsets[words[level]], offsets[words[level] + 1]):
                gained[places[p]] -= impacts[p]
        common = 0
        if q + 1 < last:
            following = query_words[query_offsets[q + 1] : query_offsets[q + 2]]
            while common < min(len(wanted), len(following)) and wanted[common] == following[common]:
                common += 1
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
                        offered, lowest = select(offers, offered, count)
            for key in level_keys[level, : level_sizes[level]]:
                if key >= lowest and gained[LAST_PLACE - (key & LAST_PLACE)] == key >> PLACE_BITS:
                    offers[offered] = key
                    offered += 1
            level += 1
            level_sums[level] = level_sums[level - 1] + grown
            cuts[level] = bound
            if sum_all:
                cuts[level] = max(bound, key_below(np.log(level_sums[level]) + least))
            level_sizes[level], lows[level] = select(offers, offered, count)
            level_keys[level, : level_sizes[level]] = offers[: level_sizes[level]]
        keys[q - first] = level_keys[level]
        sizes[q - first] = level_sizes[level]
        sums[q - first] = level_sums[level]
    return keys, sizes, sums


@compiled
def before(score, s, other_score, other_s):
    """The order of all rankings: the greater score first, and of equal ones the lower number."""
    return score > other_score or (score == other_score and s < other_s)


@compiled
def sift_up(scores, phrases, place, score, s):
    """Put s where it belongs in a ranking, into the gap at `place` or above it."""
    while place > 0 and before(score, s, scores[place - 1], phrases[place - 1]):
        scores[place] = scores[place - 1]
        phrases[place] = phrases[place - 1]
        place -= 1
    scores[place] = score
    phrases[place] = s


@compiled
def best_phrases(
    query_words,
    query_offsets,
    query_lengths,
    posting_offsets,
    posting_places,
    posting_impacts,
    posting_growths,
    log_base,
    log_length,
    log_empty,
    block_offsets,
    block_lengths,
    block_phrases,
    found_offsets,
    found_phrases,
    found_scores,
    found_log_sums,
    count,
    sum_all,
    least,
    first,
    last,
):
    """For the queries first..last-1 the `count` best phrases s by log P(f|e⁽ˢ⁾), exactly, out of
    these blocks and of what was `found` in others, and if `sum_all`, log Σₛ P(f|e⁽ˢ⁾) over all.

    log P(f|e⁽ˢ⁾) = log p(J|I) + Σⱼ log_base[fⱼ, I] + Σⱼ impact(fⱼ, s), where a query holds only
    the words that any phrase knows. The first two terms are the same for all of a block, as its
    phrases are of one length: the best are among the best of each block by impacts alone.

    With sums, phrases are left out whose score is further below the sum, the empty phrase's
    log_empty[J] among it, than `least` says. Sums only grow, so what is left out stays out.

    Returns (sizes, phrases, scores, log sums), the best of each query first.
    """
    scores = np.full((last - first, count), -np.inf)
    phrases = np.zeros((last - first, count), np.int32)
    log_sums = found_log_sums[first:last].copy()
    for q in range(first, last):
        old = slice(found_offsets[q], found_offsets[q + 1])
        size = old.stop - old.start
        scores[q - first, :size] = found_scores[old]
        phrases[q - first, :size] = found_phrases[old]
    bases = np.empty(last - first)
    bounds = np.empty(last - first, np.int64)
    for b in range(len(block_lengths)):
        I = block_lengths[b]
        own = block_phrases[block_offsets[b] : block_offsets[b + 1]]
        for q in range(first, last):
            base = log_length[I, query_lengths[q]]
            for f in query_words[query_offsets[q] : query_offsets[q + 1]]:
                base += log_base[f, I]
            bases[q - first] = base
            bounds[q - first] = key_below(scores[q - first, -1] - base)
        keys, sizes, sums = best_of_block(
            query_words,
            query_offsets,
            posting_offsets[b],
            posting_places,
            posting_impacts,
            posting_growths,
            len(own),
            bounds,
            count,
            sum_all,
            least,
            first,
            last,
        )
        for q in range(last - first):
            for key in keys[q, : sizes[q]]:
                score = bases[q] + (key >> PLACE_BITS) * STEP
                s = own[LAST_PLACE - (key & LAST_PLACE)]
                if before(score, s, scores[q, -1], phrases[q, -1]):
                    sift_up(scores[q], phrases[q], count - 1, score, s)
            if sum_all:
                log_sums[q] = np.logaddexp(log_sums[q], bases[q] + np.log(sums[q]))
    kept = np.zeros(last - first, np.int64)
    for q in range(last - first):
        enough = -np.inf
        if sum_all:
            log_sum = max(log_sums[q], scores[q, 0])
            enough = least + np.logaddexp(log_sum, log_empty[query_lengths[first + q]])
        while kept[q] < count and phrases[q, kept[q]] > 0 and scores[q, kept[q]] >= enough:
            kept[q] += 1
    ends = np.cumsum(kept)
    flat_phrases = np.empty(ends[-1], np.int32)
    flat_scores = np.empty(ends[-1])
    for q in range(last - first):
        flat_phrases[ends[q] - kept[q] : ends[q]] = phrases[q, : kept[q]]
        flat_scores[ends[q] - kept[q] : ends[q]] = scores[q, : kept[q]]
    return kept, flat_phrases, flat_scores, log_sums


def are_compiled() -> bool:
    """Whether an earlier run has left these kernels compiled, on this machine and up to date."""
    source = Path(__file__).stat().st_mtime
    kept = Path(best_phrases.stats.cache_path or ".").glob("search_kernels.best_phrases-*.nbi")
    return any(index.stat().st_mtime >= source for index in kept)
