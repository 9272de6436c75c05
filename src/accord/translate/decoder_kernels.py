"""The compiled loops of the decoder: arrays in, arrays out.

Notation: n          source words that a hypothesis has covered; its stack
          gap        the first source word that it has not
          mask       what it has covered after the gap: bit k is the word gap + 1 + k. With a limit
                     on distortion nothing far behind the gap is covered, whatever the length
          end        where its last source phrase ended: the next word
          node       the context of the language model
          score      of what is covered; total: with the estimate of what is not
          spans[i, l]  the first and the last option (exclusive) of the l + 1 words from i on

Hypotheses of the same mask, end and node (and so gap) have the same future: the better stays, and
the others become arcs, other ways to the same place.
"""

from heapq import heappop, heappush
from pathlib import Path

import numpy as np

from accord.system.compiled import compiled
from accord.translate.language_model.lm_kernels import child_of

ROOT = 0
LN_10 = np.log(10.0)
NONE = -1
CACHE_BITS = 16
# Multipliers of a hash of 64 bits (Steele, Lea and Flood's SplitMix64), with a sign.
MIX_FIRST, MIX_SECOND = -4658895280553007687, -7723592293110705685


@compiled
def mixed(key):
    """A hash of the key, none of whose bits is negative."""
    key = (key ^ (key >> 30)) * np.int64(MIX_FIRST)
    key = (key ^ ((key >> 27) & 0x1FFFFFFFFF)) * np.int64(MIX_SECOND)
    return (key ^ (key >> 31)) & 0x7FFFFFFFFFFFFFFF


@compiled
def shortest_contexts(trie):
    """Of each node the shortest context that tells as much: an n-gram that nothing goes on from,
    and that backs off for nothing, tells no more than one word less."""
    offsets, _, _, backoff, suffix, contexts = trie
    shortest = np.empty(len(suffix), np.int32)
    shortest[ROOT] = ROOT
    # Shorter n-grams have lower numbers.
    for node in range(1, len(suffix)):
        tells = node < contexts and (offsets[node] < offsets[node + 1] or backoff[node] != 0.0)
        shortest[node] = node if tells else shortest[suffix[node]]
    return shortest


@compiled
def longest_match(model, node, word):
    """(the longest n-gram that a context and a word end with, log10 p(word|context))."""
    offsets, words, log_prob, backoff, suffix = model[:5]
    price = 0.0
    while node != ROOT:
        child = child_of(offsets, words, node, word)
        if child != NONE:
            return child, price + log_prob[child]
        price += backoff[node]
        node = suffix[node]
    # All words are children of the root, by their numbers.
    child = np.int64(word) + 1
    return child, price + log_prob[child]


@compiled
def advance(model, node, word):
    """(the context after the word, log10 p(word|context)), the contexts as short as can be."""
    child, price = longest_match(model, node, word)
    return model[5][child], price


@compiled
def advance_cached(model, node, word):
    """The same, out of a table of what was asked last."""
    keys, nodes, prices = model[6:]
    key = (np.int64(node) << 32) | np.int64(word)
    slot = mixed(key) >> (63 - CACHE_BITS)
    if keys[slot] != key:
        keys[slot] = key
        nodes[slot], prices[slot] = advance(model, node, word)
    return nodes[slot], prices[slot]


@compiled
def best_after_more(trie):
    """Of each node the best log10 p of all n-grams that end with it, those that are longer too; the
    length of each; and whether all ends of n-grams are there."""
    offsets, _, log_prob, _, suffix, _ = trie
    best = log_prob.copy()
    lengths = np.zeros(len(suffix), np.int8)
    for node in range(len(suffix)):
        for child in range(offsets[node], offsets[node + 1]):
            lengths[child] = lengths[node] + 1
    is_closed = True
    for node in range(len(suffix) - 1, 0, -1):
        end = suffix[node]
        best[end] = max(best[end], best[node])
        is_closed &= lengths[end] == lengths[node] - 1
    return best, lengths, is_closed


@compiled
def phrase_ceilings(model, known, most_backoff, words, offsets):
    """The most that log10 p of each phrase can be, whatever is before it."""
    best, lengths, is_closed = known
    ceilings = np.zeros(len(offsets) - 1)
    for phrase in range(len(ceilings)):
        node = np.int64(ROOT)
        for at in range(offsets[phrase], offsets[phrase + 1]):
            node, price = longest_match(model, node, words[at])
            # A phrase that backs off within itself does so after other words as well.
            is_sure = is_closed and lengths[node] <= at - offsets[phrase]
            ceilings[phrase] += (price if is_sure else best[node]) + most_backoff
            node = np.int64(model[5][node])
    return ceilings


@compiled
def phrases_alone(model, words, offsets):
    """(the context after each word, log10 p of the words after it, log10 p of each phrase) of
    phrases by themselves, with nothing before them."""
    nodes = np.empty(len(words), np.int32)
    rest = np.zeros(len(words))
    whole = np.zeros(len(offsets) - 1)
    for phrase in range(len(offsets) - 1):
        node = np.int32(ROOT)
        for at in range(offsets[phrase], offsets[phrase + 1]):
            node, price = advance(model, node, words[at])
            nodes[at] = node
            rest[at] = price
        for at in range(offsets[phrase + 1] - 1, offsets[phrase] - 1, -1):
            price = rest[at]
            rest[at] = whole[phrase]
            whole[phrase] += price
    return nodes, rest, whole


@compiled
def best_estimates(spans, estimates, reach):
    """(best of each span of up to `reach` words, best of each end of the sentence): what the words
    may score at best, phrases by themselves; the first is indexed by place and length."""
    size, longest = spans.shape[:2]
    alone = np.full((size, longest + 1), -np.inf)
    for start in range(size):
        for length in range(1, min(longest, size - start) + 1):
            for option in range(spans[start, length - 1, 0], spans[start, length - 1, 1]):
                alone[start, length] = max(alone[start, length], estimates[option])
    inner = np.full((size, reach + 1), -np.inf)
    for length in range(1, reach + 1):
        for start in range(size - length + 1):
            best = alone[start, length] if length <= longest else -np.inf
            for part in range(1, length):
                best = max(best, inner[start, part] + inner[start + part, length - part])
            inner[start, length] = best
    outer = np.full(size + 1, -np.inf)
    outer[size] = 0.0
    for start in range(size - 1, -1, -1):
        for length in range(1, min(longest, size - start) + 1):
            outer[start] = max(outer[start], alone[start, length] + outer[start + length])
    return inner, outer


@compiled
def future(inner, outer, gap, mask):
    """The best estimate of all that is not covered."""
    total = 0.0
    begin = gap
    at = gap + 1
    while mask:
        if mask & 1:
            if begin < at:
                total += inner[begin, at - begin]
            begin = at + 1
        mask >>= 1
        at += 1
    return total + outer[begin]


@compiled
def ones(mask):
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def extended(gap, mask, start, length):
    """(gap, mask) with `length` more words from `start` on."""
    if start > gap:
        return gap, mask | (((1 << length) - 1) << (start - gap - 1))
    mask |= (1 << (length - 1)) - 1
    while mask & 1:
        mask >>= 1
        gap += 1
    return gap + 1, mask >> 1


@compiled
def new_stacks(ring, limit):
    """Stacks that are filled, as many as a phrase is long: `whole` has a row of (mask, end, node,
    gap, back, option, start, arcs) for each hypothesis, `real` one of (total, score)."""
    capacity = 2 * limit
    bits = 2
    while (1 << bits) < 2 * capacity:
        bits += 1
    return (
        np.empty((ring, capacity, 8), np.int64),
        np.empty((ring, capacity, 2)),
        np.full((ring, 1 << bits), NONE, np.int32),
        np.zeros(ring, np.int64),
        np.full((ring, 2), -np.inf),
    )


MASK, END, NODE, GAP, BACK, OPTION, START, ARCS = range(8)
TOTAL, SCORE = 0, 1
BEST, WORST = 0, 1


@compiled
def slot_of(slots, whole, level, mask, end, node):
    """The slot of the hypothesis that has the same future, or the free one where it belongs."""
    most = slots.shape[1] - 1
    slot = mixed(mixed(mask) ^ (end << 32) ^ node) & most
    at = slots[level, slot]
    while at != NONE and not (
        whole[level, at, MASK] == mask
        and whole[level, at, END] == end
        and whole[level, at, NODE] == node
    ):
        slot = (slot + 1) & most
        at = slots[level, slot]
    return slot


@compiled
def prune(stacks, level, limit):
    """Keep the best, sorted; of equals those that came first."""
    whole, real, slots, counts, bounds = stacks
    count = counts[level]
    order = np.argsort(-real[level, :count, TOTAL], kind="mergesort")[: min(limit, count)]
    while len(order) and real[level, order[-1], TOTAL] < bounds[level, WORST]:
        order = order[:-1]
    whole[level, : len(order)] = whole[level][order]
    real[level, : len(order)] = real[level][order]
    counts[level] = len(order)
    if len(order) == limit:
        bounds[level, WORST] = max(bounds[level, WORST], real[level, limit - 1, TOTAL])
    slots[level] = NONE
    for at in range(len(order)):
        mask, end, node = whole[level, at, MASK], whole[level, at, END], whole[level, at, NODE]
        slots[level, slot_of(slots, whole, level, mask, end, node)] = at


@compiled
def add(stacks, whole, real, slots, level, arcs, limits, total, score, row):
    """Put a hypothesis, given as its row, on a stack."""
    limit, _, beam, with_arcs = limits
    mask, end, node = row[:3]
    slot = slot_of(slots, whole, level, mask, end, node)
    at = np.int64(slots[level, slot])
    last = np.int64(NONE)
    if at != NONE:
        is_worse = total <= real[level, at, TOTAL]
        if with_arcs:
            last = whole[level, at, ARCS]
            if is_worse:
                arcs.append((row[BACK], row[OPTION], row[START], last, score))
            else:
                old = whole[level, at]
                arcs.append((old[BACK], old[OPTION], old[START], last, real[level, at, SCORE]))
            last = np.int64(len(arcs) - 1)
            whole[level, at, ARCS] = last
        if is_worse:
            return
    else:
        counts, bounds = stacks[3:]
        if counts[level] == whole.shape[1]:
            prune(stacks, level, limit)
            if total < bounds[level, WORST]:
                return
            slot = slot_of(slots, whole, level, mask, end, node)
        at = counts[level]
        counts[level] += 1
        slots[level, slot] = at
    for n in range(ARCS):
        whole[level, at, n] = row[n]
    whole[level, at, ARCS] = last
    real[level, at, TOTAL] = total
    real[level, at, SCORE] = score
    bounds = stacks[4]
    if total > bounds[level, BEST]:
        bounds[level, BEST] = total
        bounds[level, WORST] = max(bounds[level, WORST], total + beam)


@compiled
def expand(hypothesis, origin, spans, options, model, weights, estimates, limits, stacks, arcs):
    """Put all that a hypothesis becomes with one more phrase on the stacks after its own; its
    origin is (its place, its score)."""
    # Taken apart here, as the innermost loop would count references to arrays otherwise.
    static, _, ceilings, offsets, words, nodes, rest = options
    keys, cached_nodes, cached_prices = model[6:]
    whole, real, slots, _, bounds = stacks
    back, score = origin
    lm_weight, distortion_weight, sentence_end = weights
    inner, outer = estimates
    reach = limits[1]
    size, longest = spans.shape[:2]
    ring = len(bounds)
    mask, end, gap = hypothesis[MASK], hypothesis[END], hypothesis[GAP]
    for start in range(max(gap, end - reach), min(size, end + reach + 1)):
        moved = score - distortion_weight * abs(start - end)
        for length in range(1, min(longest, size - start) + 1):
            last_word = start + length - 1
            if last_word > gap and (mask >> (last_word - gap - 1)) & 1:
                break
            # From elsewhere, the gap must be within reach of the next phrase.
            if start > gap and start + length - gap > reach:
                break
            first, last = spans[start, length - 1, 0], spans[start, length - 1, 1]
            if first == last:
                continue
            new_gap, new_mask = extended(gap, mask, start, length)
            after = future(inner, outer, new_gap, new_mask)
            is_whole = new_gap == size
            level = (new_gap + ones(new_mask)) % ring
            for option in range(first, last):
                # Options are sorted by what they can be at best.
                if moved + ceilings[option] + after < bounds[level, WORST]:
                    break
                node = np.int32(hypothesis[NODE])
                price = 0.0
                for at in range(offsets[option], offsets[option + 1]):
                    key = (np.int64(node) << 32) | np.int64(words[at])
                    slot = mixed(key) >> (63 - CACHE_BITS)
                    if keys[slot] != key:
                        keys[slot] = key
                        cached_nodes[slot], cached_prices[slot] = advance(model, node, words[at])
                    node = cached_nodes[slot]
                    price += cached_prices[slot]
                    # In the context of the phrase by itself, the rest is so too: mostly after
                    # one word.
                    if node == nodes[at]:
                        node = nodes[offsets[option + 1] - 1]
                        price += rest[at]
                        break
                if is_whole:
                    price += advance(model, node, sentence_end)[1]
                    node = np.int32(ROOT)
                new_score = moved + static[option] + lm_weight * price
                total = new_score + after
                if total >= bounds[level, WORST]:
                    new_end = size if is_whole else start + length
                    row = (new_mask, new_end, np.int64(node), new_gap, back, option, start)
                    add(stacks, whole, real, slots, level, arcs, limits, total, new_score, row)


@compiled
def search(spans, options, model, begin, weights, limits):
    """Beam search. Returns the edges of the graph of hypotheses, the first one at 0 and the whole
    sentence last of those that are places, with (back, option, start, arcs) and the score; arcs
    follow the places."""
    limit, reach, _, _ = limits
    size, longest = spans.shape[:2]
    estimates = best_estimates(spans, options[1], min(reach, size))
    ring = longest + 1
    stacks = new_stacks(ring, limit)
    whole, real, slots, counts, bounds = stacks
    arcs = [(np.int64(0), np.int64(0), np.int64(0), np.int64(0), 0.0)]
    kept = [(np.int64(NONE), np.int64(NONE), np.int64(NONE), np.int64(NONE), 0.0)]
    kept.pop()
    nothing = (np.int64(0), 0, np.int64(begin), 0, NONE, NONE, NONE)
    add(stacks, whole, real, slots, 0, arcs, limits, 0.0, 0.0, nothing)
    for covered in range(size + 1):
        level = covered % ring
        prune(stacks, level, limit)
        for at in range(counts[level]):
            row = whole[level, at]
            score = real[level, at, SCORE]
            kept.append((row[BACK], row[OPTION], row[START], row[ARCS], score))
            if covered < size:
                origin = np.int64(len(kept) - 1), score
                expand(
                    *(row, origin, spans, options, model, weights, estimates, limits),
                    *(stacks, arcs),
                )
        counts[level] = 0
        bounds[level] = -np.inf
        slots[level] = NONE
    places = len(kept)
    edges = np.empty((places + len(arcs), 4), np.int64)
    scores = np.empty(len(edges))
    for at in range(len(edges)):
        back, option, start, following, score = kept[at] if at < places else arcs[at - places]
        edges[at] = back, option, start, following + places if following != NONE else NONE
        scores[at] = score
    return edges, scores, places


@compiled
def best_paths(edges, scores, places, count):
    """The best ways to the whole sentence, best first: (the options and the starts of their
    phrases, one path after the other, where each begins, their scores).

    A way is followed backwards. How well a place can be reached is known, and so is how well a way
    does that leaves the best one for an arc there: the best of all that are left is next.
    """
    back, option, start, following = edges[:, 0], edges[:, 1], edges[:, 2], edges[:, 3]
    goal = places - 1
    # What a way has taken already: an edge, and what comes after it.
    links = [(np.int64(goal), np.int64(NONE))]
    heap = [(-scores[goal], np.int64(goal), np.int64(NONE))]
    arc = following[goal]
    while arc != NONE:
        heappush(heap, (-scores[arc], arc, np.int64(NONE)))
        arc = following[arc]
    taken = [np.int64(0)]
    taken.pop()
    begins = [0]
    totals = [0.0]
    totals.pop()
    while len(heap) and len(totals) < count:
        cost, edge, link = heappop(heap)
        while True:
            links.append((edge, link))
            link = np.int64(len(links) - 1)
            place = back[edge]
            if place == 0:
                break
            rest = -cost - scores[place]
            arc = following[place]
            while arc != NONE:
                heappush(heap, (-(rest + scores[arc]), arc, link))
                arc = following[arc]
            edge = place
        while link != NONE:
            edge, link = links[link]
            taken.append(edge)
        begins.append(len(taken))
        totals.append(-cost)
    chosen = np.array(taken)
    return option[chosen], start[chosen], np.array(begins), np.array(totals)


@compiled
def sentence_prices(model, begin, sentence_end, words, offsets):
    """log10 p of each of these sentences, with their ends."""
    prices = np.zeros(len(offsets) - 1)
    for sentence in range(len(prices)):
        node = np.int32(begin)
        for at in range(offsets[sentence], offsets[sentence + 1]):
            node, price = advance_cached(model, node, words[at])
            prices[sentence] += price
        prices[sentence] += advance_cached(model, node, sentence_end)[1]
    return prices


def are_compiled() -> bool:
    """Whether an earlier run has left these kernels compiled, on this machine and up to date."""
    source = Path(__file__).stat().st_mtime
    kept = Path(search.stats.cache_path or ".").glob("decoder_kernels.search-*.nbi")
    return any(index.stat().st_mtime >= source for index in kept)
