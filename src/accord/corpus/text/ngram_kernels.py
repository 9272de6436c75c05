"""Compiled loops over running text.

A text is an array of word numbers. Negative numbers are boundaries that no phrase may cross, such
as the end of a line.
"""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Ids, Offsets
from accord.system.compiled import compiled
from accord.system.hashing_kernels import FREE, find_free_slot, find_slot, mix_bits


class PhraseIndex(NamedTuple):
    """Phrases to find in a text: phrase n is words[offsets[n]:offsets[n + 1]]."""

    words: Ids
    offsets: Offsets
    table: Ids  # a hash table of the numbers of the phrases
    longest: int  # the number of words in the longest phrase


@compiled
def count_neighbours(numbers):
    """Return the number of positions that have a number and are followed by another."""
    total = 0
    for at in range(len(numbers) - 1):
        if numbers[at] >= 0 and numbers[at + 1] >= 0:
            total += 1
    return total


@compiled
def number_pairs(numbers, least, bits, parts, part, first, longer):
    """Number the pairs of neighbours that occur at least `least` times, beginning with `first`,
    and write the numbers to their positions in `longer`.

    Only pairs whose hash belongs to this part are counted, so that a table of 2^bits slots
    suffices. Return (the first of each pair, the second, the count).
    """
    keys = np.full(1 << bits, FREE, np.int64)
    counts = np.zeros(1 << bits, np.int32)
    for at in range(len(numbers) - 1):
        if numbers[at] < 0 or numbers[at + 1] < 0:
            continue
        key = (np.int64(numbers[at]) << 32) | np.int64(numbers[at + 1])
        hashed = mix_bits(key)
        if parts > 1 and (hashed >> 40) % parts != part:
            continue
        slot = find_slot(keys, key, hashed)
        keys[slot] = key
        counts[slot] += 1
    total = 0
    for slot in range(len(keys)):
        if counts[slot] >= least:
            total += 1
    one, other, often = np.empty((3, total), np.int32)
    total = 0
    for slot in range(len(keys)):
        number = FREE
        if counts[slot] >= least:
            one[total] = keys[slot] >> 32
            other[total] = keys[slot] & 0xFFFFFFFF
            often[total] = counts[slot]
            number = first + total
            total += 1
        counts[slot] = number
    for at in range(len(numbers) - 1):
        if numbers[at] < 0 or numbers[at + 1] < 0:
            continue
        key = (np.int64(numbers[at]) << 32) | np.int64(numbers[at + 1])
        hashed = mix_bits(key)
        if parts == 1 or (hashed >> 40) % parts == part:
            longer[at] = counts[find_slot(keys, key, hashed)]
    return one, other, often


@compiled
def count_slices(tokens, words, size):
    """Return how many slices of `size` tokens contain each word, and the number of slices."""
    counts = np.zeros(words, np.int32)
    last = np.full(words, -1, np.int32)
    taken = 0
    for token in tokens:
        if token < 0:
            continue
        if last[token] != taken // size:
            last[token] = taken // size
            counts[token] += 1
        taken += 1
    return counts, -(-taken // size)


@compiled
def hash_words(words, begin, end):
    """Return a hash of these words in this order."""
    hashed = np.int64(0)
    for at in range(begin, end):
        hashed = mix_bits(hashed + words[at] + 1)
    return hashed


@compiled
def hash_phrases(words, offsets):
    """Return a hash table with a slot for the number of each phrase; other slots are FREE."""
    bits = 4
    while 1 << bits < 2 * len(offsets):
        bits += 1
    table = np.full(1 << bits, FREE, np.int32)
    for phrase in range(len(offsets) - 1):
        hashed = hash_words(words, offsets[phrase], offsets[phrase + 1])
        table[find_free_slot(table, hashed, FREE)] = phrase
    return table


@compiled
def are_same_words(words, begin, end, tokens, at):
    """Return whether words[begin:end] are the tokens at this position."""
    while begin < end and words[begin] == tokens[at]:
        begin += 1
        at += 1
    return begin == end


@compiled
def find_phrases(index, tokens, line_offsets, most, seen):
    """Find each phrase at most once per line, until `seen` counts `most` occurrences of it.

    Return a list of (phrase, line, position in `tokens`).
    """
    table, offsets = index.table, index.offsets
    found = [(np.int64(0), np.int64(0), np.int64(0)) for _ in range(0)]
    last_line = np.full(len(seen), -1, np.int64)
    for line in range(len(line_offsets) - 1):
        for at in range(line_offsets[line], line_offsets[line + 1]):
            hashed = np.int64(0)
            for end in range(at, min(at + index.longest, line_offsets[line + 1])):
                if tokens[end] < 0:
                    break
                hashed = mix_bits(hashed + tokens[end] + 1)
                slot = hashed & (len(table) - 1)
                while table[slot] != FREE:
                    phrase = table[slot]
                    first, last = offsets[phrase], offsets[phrase + 1]
                    if last - first == end + 1 - at and are_same_words(
                        index.words, first, last, tokens, at
                    ):
                        if seen[phrase] < most and last_line[phrase] != line:
                            seen[phrase] += 1
                            last_line[phrase] = line
                            found.append((np.int64(phrase), np.int64(line), np.int64(at)))
                        break
                    slot = (slot + 1) & (len(table) - 1)
    return found
