"""The compiled loops over running text: arrays in, arrays out.

Notation: a text is the numbers of its words, one after the other; what no phrase can go across,
          as the end of a line, is negative
"""

import numpy as np

from accord.system.compiled import compiled

# Multipliers of a hash of 64 bits (Steele, Lea and Flood's SplitMix64), with a sign.
MIX_FIRST, MIX_SECOND = -4658895280553007687, -7723592293110705685
FREE = -1


@compiled
def mixed(key):
    """A hash of the key, none of whose bits is negative."""
    key = (key ^ (key >> 30)) * np.int64(MIX_FIRST)
    key = (key ^ ((key >> 27) & 0x1FFFFFFFFF)) * np.int64(MIX_SECOND)
    return (key ^ (key >> 31)) & 0x7FFFFFFFFFFFFFFF


@compiled
def slot_of(keys, key, hashed):
    """The slot that has this key, or the free one where it belongs."""
    slot = hashed & (len(keys) - 1)
    while keys[slot] != FREE and keys[slot] != key:
        slot = (slot + 1) & (len(keys) - 1)
    return slot


@compiled
def count_neighbours(numbers):
    """How many places have a number, and the place after them as well."""
    total = 0
    for at in range(len(numbers) - 1):
        total += numbers[at] >= 0 and numbers[at + 1] >= 0
    return total


@compiled
def number_pairs(numbers, least, bits, parts, part, first, longer):
    """Number the pairs of neighbours that stand at least so often, from `first` on, and write
    their numbers to where they stand in `longer`.

    Only those in this part of all hashes: so that the table has room in 2^bits slots. Returns
    (the first of each pair, the second, how often it stands).
    """
    keys = np.full(1 << bits, FREE, np.int64)
    counts = np.zeros(1 << bits, np.int32)
    for at in range(len(numbers) - 1):
        if numbers[at] < 0 or numbers[at + 1] < 0:
            continue
        key = (np.int64(numbers[at]) << 32) | np.int64(numbers[at + 1])
        hashed = mixed(key)
        if parts > 1 and (hashed >> 40) % parts != part:
            continue
        slot = slot_of(keys, key, hashed)
        keys[slot] = key
        counts[slot] += 1
    total = 0
    for slot in range(len(keys)):
        total += counts[slot] >= least
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
        hashed = mixed(key)
        if parts == 1 or (hashed >> 40) % parts == part:
            longer[at] = counts[slot_of(keys, key, hashed)]
    return one, other, often


@compiled
def count_slices(tokens, words, size):
    """In how many slices of so many tokens each word is, and how many slices there are."""
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
def hashed_words(words, begin, end):
    """A hash of these words, in their order."""
    hashed = np.int64(0)
    for at in range(begin, end):
        hashed = mixed(hashed + words[at] + 1)
    return hashed


@compiled
def phrase_table(words, offsets):
    """A table of hashes in which every phrase has a slot: the number of each, or FREE."""
    bits = 4
    while 1 << bits < 2 * len(offsets):
        bits += 1
    table = np.full(1 << bits, FREE, np.int32)
    for phrase in range(len(offsets) - 1):
        slot = hashed_words(words, offsets[phrase], offsets[phrase + 1]) & (len(table) - 1)
        while table[slot] != FREE:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = phrase
    return table


@compiled
def same_words(words, begin, end, tokens, at):
    while begin < end and words[begin] == tokens[at]:
        begin += 1
        at += 1
    return begin == end


@compiled
def find_phrases(words, offsets, table, longest, tokens, line_offsets, most, seen):
    """Where in these lines the phrases stand that were seen fewer than `most` times, once a line
    at most; `seen` counts them. Returns (phrases, their lines, their places in `tokens`)."""
    found = [(np.int64(0), np.int64(0), np.int64(0)) for _ in range(0)]
    last_line = np.full(len(seen), -1, np.int64)
    for line in range(len(line_offsets) - 1):
        for at in range(line_offsets[line], line_offsets[line + 1]):
            hashed = np.int64(0)
            for end in range(at, min(at + longest, line_offsets[line + 1])):
                if tokens[end] < 0:
                    break
                hashed = mixed(hashed + tokens[end] + 1)
                slot = hashed & (len(table) - 1)
                while table[slot] != FREE:
                    phrase = table[slot]
                    first, last = offsets[phrase], offsets[phrase + 1]
                    if last - first == end + 1 - at and same_words(words, first, last, tokens, at):
                        if seen[phrase] < most and last_line[phrase] != line:
                            seen[phrase] += 1
                            last_line[phrase] = line
                            found.append((np.int64(phrase), np.int64(line), np.int64(at)))
                        break
                    slot = (slot + 1) & (len(table) - 1)
    return found
