"""The compiled loops of the decoder: arrays in, arrays out.

Notation: n          the number of source words that a hypothesis covers: its stack
          gap        the first source word that it does not cover
          mask       the words that it covers after the gap: bit k is gap + 1 + k. Because of the
                     distortion limit nothing far behind the gap is covered, in any sentence
          end        the position after its last source phrase
          node       the context in the language model
          score      of the words covered;  total  the score plus the estimate for all others
          spans[i, l]  the first and the last option (exclusive) of the l + 1 words from i

Hypotheses with the same mask, end and node (and therefore gap) have the same future: the better one
is kept, and the others become arcs, which are alternative ways to the same place.
"""

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.system.arrays import Floats, Floats32, Ids, Offsets
from accord.system.compiled import compiled
from accord.system.hashing_kernels import mix_bits
from accord.translate.language_model.trie_kernels import ROOT, child_of

LN_10 = np.log(10.0)
NONE = -1
CACHE_BITS = 16


class DecoderModel(NamedTuple):
    """The language model, and a cache of recent queries that only one thread may use."""

    offsets: Offsets  # these five as in `trie_kernels.Trie`
    words: Ids
    log_prob: Floats32
    backoff: Floats32
    suffix: Ids
    shortest: Ids  # the shortest equivalent context of each node
    cached_keys: Offsets
    cached_nodes: Ids
    cached_prices: Floats


class TrieBounds(NamedTuple):
    """What is known of all n-grams that end with the n-gram of a node."""

    best: Floats32  # the greatest log10 p among them
    lengths: NDArray[np.int8]  # the number of words of the node itself
    is_closed: bool  # whether the trie contains every suffix of every n-gram


class OptionArrays(NamedTuple):
    """The translation options of all source phrases."""

    static: Floats  # the score without language model and distortion
    estimates: Floats  # the score with the language model of the phrase by itself
    ceilings: Floats  # the greatest possible score, whatever precedes the phrase
    offsets: Offsets  # option o has the words offsets[o]..offsets[o + 1] - 1
    words: Ids
    nodes: Ids  # the context after each word, of the phrase by itself
    rest: Floats  # log10 p of the words after each word, of the phrase by itself


class StackLimits(NamedTuple):
    """How much is searched."""

    size: int  # of a stack
    reach: int  # the distortion limit
    beam: float  # log of the least probability, relative to the best of a stack
    with_arcs: bool  # whether arcs are kept, for n-best lists


class SentenceSearch(NamedTuple):
    """One sentence, and everything it is translated with."""

    spans: Offsets
    options: OptionArrays
    model: DecoderModel
    limits: StackLimits
    lm_weight: float  # for logarithms to base 10
    distortion_weight: float
    begin: int  # the context at the beginning of a sentence
    sentence_end: int  # the number of </s>


class Stacks(NamedTuple):
    """A ring of stacks, one more than the longest source phrase has words."""

    whole: Offsets  # a row of (mask, end, node, gap, back, option, start, arcs) per hypothesis
    real: Floats  # a row of (total, score) per hypothesis
    slots: Ids  # a hash table for each stack
    counts: Offsets  # of hypotheses
    bounds: Floats  # the best total of each stack, and the least total that is accepted


class HypothesisGraph(NamedTuple):
    """One edge per place, from the empty hypothesis to the whole sentence, and then the arcs."""

    edges: Offsets  # rows of (back, option, start, next arc)
    scores: Floats
    places: int


class Paths(NamedTuple):
    """Translations: path n has the phrases begins[n]..begins[n + 1] - 1."""

    options: Offsets
    starts: Offsets  # the first source word of each phrase
    begins: Offsets
    scores: Floats


@compiled
def shortest_contexts(trie):
    """Return, for each node, the shortest context that gives the same probabilities.

    An n-gram that is never extended and whose back-off weight is 1 is equivalent to its suffix.
    """
    shortest = np.empty(len(trie.suffix), np.int32)
    shortest[ROOT] = ROOT
    # Shorter n-grams have lower numbers.
    for node in range(1, len(trie.suffix)):
        matters = node < trie.contexts and (
            trie.offsets[node] < trie.offsets[node + 1] or trie.backoff[node] != 0.0
        )
        shortest[node] = node if matters else shortest[trie.suffix[node]]
    return shortest


@compiled
def longest_match(model, node, word):
    """Return (the longest n-gram that a context and a word end with, log10 p(word|context))."""
    offsets, words, log_prob, backoff, suffix = model[:5]
    price = 0.0
    while node != ROOT:
        child = child_of(offsets, words, node, word)
        if child != NONE:
            return child, price + log_prob[child]
        price += backoff[node]
        node = suffix[node]
    # All words are children of the root, in the order of their numbers.
    child = np.int64(word) + 1
    return child, price + log_prob[child]


@compiled
def next_short_context(model, node, word):
    """Return (the shortest context after the word, log10 p(word|context))."""
    child, price = longest_match(model, node, word)
    return model.shortest[child], price


@compiled
def next_cached_context(model, node, word):
    """The same, from the cache if possible."""
    key = (np.int64(node) << 32) | np.int64(word)
    slot = mix_bits(key) >> (63 - CACHE_BITS)
    if model.cached_keys[slot] != key:
        model.cached_keys[slot] = key
        context, price = next_short_context(model, node, word)
        model.cached_nodes[slot], model.cached_prices[slot] = context, price
    return model.cached_nodes[slot], model.cached_prices[slot]


@compiled
def bound_extensions(trie):
    """Return the `TrieBounds` of all nodes."""
    best = trie.log_prob.copy()
    lengths = np.zeros(len(trie.suffix), np.int8)
    for node in range(len(trie.suffix)):
        for child in range(trie.offsets[node], trie.offsets[node + 1]):
            lengths[child] = lengths[node] + 1
    is_closed = True
    for node in range(len(trie.suffix) - 1, 0, -1):
        end = trie.suffix[node]
        best[end] = max(best[end], best[node])
        is_closed &= lengths[end] == lengths[node] - 1
    return TrieBounds(best, lengths, is_closed)


@compiled
def phrase_ceilings(model, bounds, most_backoff, words, offsets):
    """Return the greatest possible log10 p of each phrase, whatever precedes it."""
    ceilings = np.zeros(len(offsets) - 1)
    for phrase in range(len(ceilings)):
        node = np.int64(ROOT)
        for at in range(offsets[phrase], offsets[phrase + 1]):
            node, price = longest_match(model, node, words[at])
            # A phrase that backs off within itself also does so after other words.
            is_exact = bounds.is_closed and bounds.lengths[node] <= at - offsets[phrase]
            ceilings[phrase] += (price if is_exact else bounds.best[node]) + most_backoff
            node = np.int64(model.shortest[node])
    return ceilings


@compiled
def price_phrases(model, words, offsets):
    """Price phrases by themselves, with nothing before them.

    Returns (the context after each word, log10 p of the words after it, log10 p of each phrase).
    """
    nodes = np.empty(len(words), np.int32)
    rest = np.zeros(len(words))
    whole = np.zeros(len(offsets) - 1)
    for phrase in range(len(offsets) - 1):
        node = np.int32(ROOT)
        for at in range(offsets[phrase], offsets[phrase + 1]):
            node, price = next_short_context(model, node, words[at])
            nodes[at] = node
            rest[at] = price
        for at in range(offsets[phrase + 1] - 1, offsets[phrase] - 1, -1):
            price = rest[at]
            rest[at] = whole[phrase]
            whole[phrase] += price
    return nodes, rest, whole


@compiled
def best_estimates(spans, estimates, reach):
    """Return the best estimates for uncovered words, from phrases by themselves.

    The first result is indexed by position and length, up to `reach`, and the second by the
    position from which all words to the end of the sentence are uncovered.
    """
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
def estimate_future(inner, outer, gap, mask):
    """Return the best estimate for all words that are not covered."""
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
def count_ones(mask):
    """Return the number of bits that are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@compiled
def cover_span(gap, mask, start, length):
    """Return (gap, mask) after covering `length` more words from `start`."""
    if start > gap:
        return gap, mask | (((1 << length) - 1) << (start - gap - 1))
    mask |= (1 << (length - 1)) - 1
    while mask & 1:
        mask >>= 1
        gap += 1
    return gap + 1, mask >> 1


@compiled
def allocate_stacks(ring, limit):
    """Return empty stacks; each has room for twice as many hypotheses as are kept."""
    capacity = 2 * limit
    bits = 2
    while (1 << bits) < 2 * capacity:
        bits += 1
    return Stacks(
        np.empty((ring, capacity, 8), np.int64),
        np.empty((ring, capacity, 2)),
        np.full((ring, 1 << bits), NONE, np.int32),
        np.zeros(ring, np.int64),
        np.full((ring, 2), -np.inf),
    )


# Columns of Stacks.whole, Stacks.real and Stacks.bounds.
MASK, END, NODE, GAP, BACK, OPTION, START, ARCS = range(8)
TOTAL, SCORE = 0, 1
BEST, WORST = 0, 1


@compiled
def find_hypothesis(slots, whole, level, mask, end, node):
    """Return the slot of the hypothesis with the same future, or the free one where it belongs."""
    most = slots.shape[1] - 1
    slot = mix_bits(mix_bits(mask) ^ (end << 32) ^ node) & most
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
def prune_stack(stacks, level, limit):
    """Keep the best hypotheses, sorted; of equal ones, those that were added first."""
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
        slots[level, find_hypothesis(slots, whole, level, mask, end, node)] = at


@compiled
def push(stacks, level, arcs, limits, total, score, row):
    """Put a hypothesis, given as the columns before ARCS of its row, on a stack."""
    whole, real, slots, counts, bounds = stacks
    mask, end, node = row[:3]
    slot = find_hypothesis(slots, whole, level, mask, end, node)
    at = np.int64(slots[level, slot])
    last = np.int64(NONE)
    if at != NONE:
        is_worse = total <= real[level, at, TOTAL]
        if limits.with_arcs:
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
        if counts[level] == whole.shape[1]:
            prune_stack(stacks, level, limits.size)
            if total < bounds[level, WORST]:
                return
            slot = find_hypothesis(slots, whole, level, mask, end, node)
        at = counts[level]
        counts[level] += 1
        slots[level, slot] = at
    for n in range(ARCS):
        whole[level, at, n] = row[n]
    whole[level, at, ARCS] = last
    real[level, at, TOTAL] = total
    real[level, at, SCORE] = score
    if total > bounds[level, BEST]:
        bounds[level, BEST] = total
        bounds[level, WORST] = max(bounds[level, WORST], total + limits.beam)


@compiled
def expand(search, estimates, stacks, arcs, hypothesis, origin):
    """Extend a hypothesis by every possible phrase, and put the results on the later stacks.

    `hypothesis` is its row and `origin` is (its place in the graph, its score). This is one long
    function with everything unpacked at its beginning, because a call with tuples of arrays in the
    innermost loop would count references to them, and more than double the time.
    """
    static, _, ceilings, offsets, words, nodes, rest = search.options
    keys, cached_nodes, cached_prices = search.model[6:]
    spans, model, limits = search.spans, search.model, search.limits
    lm_weight, distortion_weight = search.lm_weight, search.distortion_weight
    sentence_end = search.sentence_end
    bounds = stacks.bounds
    ring = len(bounds)
    inner, outer = estimates
    back, score = origin
    reach = limits.reach
    size, longest = spans.shape[:2]
    mask, end, gap = hypothesis[MASK], hypothesis[END], hypothesis[GAP]
    for start in range(max(gap, end - reach), min(size, end + reach + 1)):
        moved = score - distortion_weight * abs(start - end)
        for length in range(1, min(longest, size - start) + 1):
            last_word = start + length - 1
            if last_word > gap and (mask >> (last_word - gap - 1)) & 1:
                break
            # The next phrase must be able to reach the gap from here.
            if start > gap and start + length - gap > reach:
                break
            first, last = spans[start, length - 1, 0], spans[start, length - 1, 1]
            if first == last:
                continue
            new_gap, new_mask = cover_span(gap, mask, start, length)
            after = estimate_future(inner, outer, new_gap, new_mask)
            is_whole = new_gap == size
            level = (new_gap + count_ones(new_mask)) % ring
            for option in range(first, last):
                # Options are sorted by their greatest possible score.
                if moved + ceilings[option] + after < bounds[level, WORST]:
                    break
                node = np.int32(hypothesis[NODE])
                price = 0.0
                for at in range(offsets[option], offsets[option + 1]):
                    key = (np.int64(node) << 32) | np.int64(words[at])
                    slot = mix_bits(key) >> (63 - CACHE_BITS)
                    if keys[slot] != key:
                        keys[slot] = key
                        context, log_prob = next_short_context(model, node, words[at])
                        cached_nodes[slot], cached_prices[slot] = context, log_prob
                    node = cached_nodes[slot]
                    price += cached_prices[slot]
                    # From the context of the phrase by itself, the rest is known. This is usually
                    # reached after one word.
                    if node == nodes[at]:
                        node = nodes[offsets[option + 1] - 1]
                        price += rest[at]
                        break
                if is_whole:
                    price += next_short_context(model, node, sentence_end)[1]
                    node = np.int32(ROOT)
                new_score = moved + static[option] + lm_weight * price
                total = new_score + after
                if total >= bounds[level, WORST]:
                    new_end = size if is_whole else start + length
                    row = (new_mask, new_end, np.int64(node), new_gap, back, option, start)
                    push(stacks, level, arcs, limits, total, new_score, row)


@compiled
def search_sentence(search):
    """Translate one sentence by beam search; return the `HypothesisGraph`."""
    limits = search.limits
    size, longest = search.spans.shape[:2]
    estimates = best_estimates(search.spans, search.options.estimates, min(limits.reach, size))
    ring = longest + 1
    stacks = allocate_stacks(ring, limits.size)
    whole, real, slots, counts, bounds = stacks
    arcs = [(np.int64(0), np.int64(0), np.int64(0), np.int64(0), 0.0)]
    kept = [(np.int64(NONE), np.int64(NONE), np.int64(NONE), np.int64(NONE), 0.0)]
    kept.pop()
    nothing = (np.int64(0), 0, np.int64(search.begin), 0, NONE, NONE, NONE)
    push(stacks, 0, arcs, limits, 0.0, 0.0, nothing)
    for covered in range(size + 1):
        level = covered % ring
        prune_stack(stacks, level, limits.size)
        for at in range(counts[level]):
            row = whole[level, at]
            score = real[level, at, SCORE]
            kept.append((row[BACK], row[OPTION], row[START], row[ARCS], score))
            if covered < size:
                origin = np.int64(len(kept) - 1), score
                expand(search, estimates, stacks, arcs, row, origin)
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
    return HypothesisGraph(edges, scores, places)


@compiled
def best_paths(graph, count):
    """Return the best `Paths` to the whole sentence, the best first.

    Paths are followed backwards. The best score of every place is known, and so is the score of a
    path that leaves the best one through an arc: the best of all remaining paths comes next.
    """
    scores = graph.scores
    edges = graph.edges
    back, option, start, following = edges[:, 0], edges[:, 1], edges[:, 2], edges[:, 3]
    goal = graph.places - 1
    # The part of a path that is fixed already: an edge, and the link to what comes after it.
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
    return Paths(option[chosen], start[chosen], np.array(begins), np.array(totals))


@compiled
def price_sentences(model, begin, sentence_end, words, offsets):
    """Return log10 p of each sentence, including its end."""
    prices = np.zeros(len(offsets) - 1)
    for sentence in range(len(prices)):
        node = np.int32(begin)
        for at in range(offsets[sentence], offsets[sentence + 1]):
            node, price = next_cached_context(model, node, words[at])
            prices[sentence] += price
        prices[sentence] += next_cached_context(model, node, sentence_end)[1]
    return prices
