"""Counting which words occur near each other in the lines of a text."""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Ids, Integers, Offsets
from accord.system.compiled import compiled

# Words up to this distance occur together. The weight of a distance d is 1/d.
WINDOW = 10
# The least common multiple of 1..WINDOW: sums of UNIT / d are whole numbers.
UNIT = 2520


class Occurrences(NamedTuple):
    """Where each compared word occurs: word w at places[offsets[w]:offsets[w + 1]] of the text.

    `tokens` has the numbers of compared words, NO_WORD for other tokens, and LINE_END.
    """

    tokens: Ids
    places: Offsets
    offsets: Offsets


class RightContexts(NamedTuple):
    """The words that occur after each of some words, ascending, and their summed weights."""

    sizes: Offsets  # how many each word has
    words: Ids
    weights: Integers


@compiled
def count_right_contexts(occurrences, line_end, first, last):
    """Return the arrays of `RightContexts` of the words first..last-1, with weights UNIT / d."""
    tokens = occurrences.tokens
    size = len(occurrences.offsets) - 1
    sums = np.zeros(size, np.int64)
    seen = np.empty(size, np.int32)
    sizes = np.zeros(last - first, np.int64)
    capacity = 1 << 16
    words, weights = np.empty(capacity, np.int32), np.empty(capacity, np.int64)
    filled = 0
    for word in range(first, last):
        found = 0
        for n in range(occurrences.offsets[word], occurrences.offsets[word + 1]):
            place = occurrences.places[n]
            for distance in range(1, min(WINDOW, len(tokens) - 1 - place) + 1):
                other = tokens[place + distance]
                if other == line_end:
                    break
                if other < 0:
                    continue
                if sums[other] == 0:
                    seen[found] = other
                    found += 1
                sums[other] += UNIT // distance
        if filled + found > capacity:
            while filled + found > capacity:
                capacity *= 2
            longer, heavier = np.empty(capacity, np.int32), np.empty(capacity, np.int64)
            longer[:filled], heavier[:filled] = words[:filled], weights[:filled]
            words, weights = longer, heavier
        # Sums are cleared while they are read.
        for other in np.sort(seen[:found]):
            words[filled], weights[filled] = other, sums[other]
            sums[other] = 0
            filled += 1
        sizes[word - first] = found
    return sizes, words[:filled].copy(), weights[:filled].copy()
