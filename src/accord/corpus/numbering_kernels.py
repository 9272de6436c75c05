"""Compiled loops that turn text into numbers.

Item n of a ragged array is values[offsets[n]:offsets[n + 1]].
"""

import numpy as np

from accord.system.compiled import compiled
from accord.system.hashing_kernels import find_free_slot

SPACE, LINE_FEED = 0x20, 0x0A
# The initial size of the table of distinct words, which doubles when it is full.
ROOM = 4096
# FNV-1a with 64 bits (Fowler, Noll and Vo), and the golden ratio, which brings what its low bits
# know into the high ones (Knuth); 64 bits with a sign.
FNV_START, FNV_PRIME, GOLDEN = -3750763034362895579, 1099511628211, -7046029254386353131
# A slot of the hash table is 0, or half a hash and a number, counted from 1.
HALF_HASH, NUMBER = -(2**32), 2**32 - 1


@compiled
def scan_words(text, most_words, lines):
    """Number the words of UTF-8 text from 0, by their first occurrence.

    Spaces separate words, and each line ends with a line feed. Return the number of each word, how
    many words each line has, and where each distinct word first begins and ends. Words with the
    same hash are compared by their bytes.
    """
    words = np.empty(most_words, np.int32)
    lengths = np.zeros(lines, np.int32)
    spans = np.empty((ROOM, 2), np.int64)
    slots = np.zeros(2 * ROOM, np.int64)
    total = line = count = begin = 0
    hashed = np.int64(FNV_START)
    for end in range(len(text)):
        byte = text[end]
        if byte != SPACE and byte != LINE_FEED:
            hashed = (hashed ^ np.int64(byte)) * np.int64(FNV_PRIME)
            continue
        if begin < end:
            half = (hashed * np.int64(GOLDEN)) & HALF_HASH
            slot = find_word(text, begin, end, half, spans, slots)
            if slots[slot] == 0:
                spans[count, 0] = begin
                spans[count, 1] = end
                words[total] = count
                count += 1
                slots[slot] = half | count
                if count == len(spans):
                    spans, slots = with_more_room(spans, slots)
            else:
                words[total] = (slots[slot] & NUMBER) - 1
            total += 1
            lengths[line] += 1
        begin = end + 1
        hashed = np.int64(FNV_START)
        if byte == LINE_FEED:
            line += 1
    return words[:total], lengths, spans[:count]


@compiled
def find_word(text, begin, end, half, spans, slots):
    """Return the slot that has this word, or the free one where it belongs."""
    slot = (half >> 32) & (len(slots) - 1)
    while slots[slot] != 0:
        if slots[slot] & HALF_HASH == half:
            number = (slots[slot] & NUMBER) - 1
            at, other, other_end = begin, spans[number, 0], spans[number, 1]
            while at < end and other < other_end and text[at] == text[other]:
                at += 1
                other += 1
            if at == end and other == other_end:
                break
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@compiled
def with_more_room(spans, slots):
    """Both again, for twice as many words."""
    more_spans = np.empty((2 * len(spans), 2), np.int64)
    more_spans[: len(spans)] = spans
    more_slots = np.zeros(2 * len(slots), np.int64)
    for taken in slots:
        if taken != 0:
            more_slots[find_free_slot(more_slots, taken >> 32, 0)] = taken
    return more_spans, more_slots


@compiled
def sort_by_number(numbers, size):
    """Return (offsets, order): number n is at the places order[offsets[n]:offsets[n + 1]].

    This is a counting sort:

    order = np.argsort(numbers, kind="stable")
    offsets = np.searchsorted(numbers[order], np.arange(size + 1))
    """
    offsets = np.zeros(size + 1, np.int64)
    for number in numbers:
        offsets[number + 1] += 1
    for number in range(size):
        offsets[number + 1] += offsets[number]
    order = np.empty(len(numbers), np.int32)
    free = offsets.copy()
    for place in range(len(numbers)):
        number = numbers[place]
        order[free[number]] = place
        free[number] += 1
    return offsets, order


@compiled
def select_distinct(words, offsets, order):
    """Return the ragged items in this order, without those that equal the one before, as (words,
    ends, which of the selected items each item equals)."""
    kept_words = np.empty(len(words), np.int32)
    kept_ends = np.empty(len(order), np.int64)
    kept_item = np.empty(len(order), np.int32)
    total = count = begin = 0
    for item in order:
        size = offsets[item + 1] - offsets[item]
        same = count > 0 and total - begin == size
        for at in range(size):
            word = words[offsets[item] + at]
            same = same and kept_words[begin + at] == word
            kept_words[total + at] = word
        if not same:
            begin = total
            total += size
            kept_ends[count] = total
            count += 1
        kept_item[item] = count - 1
    return kept_words[:total].copy(), kept_ends[:count].copy(), kept_item


@compiled
def index_words(words, offsets, size):
    """Return in which items each word below `size` occurs, and how often, as (offsets, items,
    counts)."""
    starts = np.zeros(size + 1, np.int64)
    last_item = np.full(size, -1, np.int32)
    for item in range(len(offsets) - 1):
        for at in range(offsets[item], offsets[item + 1]):
            if last_item[words[at]] != item:
                last_item[words[at]] = item
                starts[words[at] + 1] += 1
    for word in range(size):
        starts[word + 1] += starts[word]
    items = np.empty(starts[size], np.int32)
    counts = np.zeros(starts[size], np.float64)
    free = starts.copy()
    last_item[:] = -1
    for item in range(len(offsets) - 1):
        for at in range(offsets[item], offsets[item + 1]):
            word = words[at]
            if last_item[word] != item:
                last_item[word] = item
                items[free[word]] = item
                free[word] += 1
            counts[free[word] - 1] += 1.0
    return starts, items, counts


@compiled
def spell_items(words, offsets, first, last, letters, letter_offsets):
    """Return the items first..last-1 as bytes: one line each, of space-separated words."""
    size = 0
    for at in range(offsets[first], offsets[last]):
        size += letter_offsets[words[at] + 1] - letter_offsets[words[at]] + 1
    text = np.empty(size, np.uint8)
    end = 0
    for item in range(first, last):
        for at in range(offsets[item], offsets[item + 1]):
            for letter in range(letter_offsets[words[at]], letter_offsets[words[at] + 1]):
                text[end] = letters[letter]
                end += 1
            text[end] = SPACE
            end += 1
        text[end - 1] = LINE_FEED
    return text
