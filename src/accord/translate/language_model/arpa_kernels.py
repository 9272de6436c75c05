"""The compiled loops of ARPA files: arrays in, arrays out."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.system.arrays import Floats32, Ids, Offsets
from accord.system.compiled import compiled

TAB, LINE_FEED, RETURN, SPACE = 0x09, 0x0A, 0x0D, 0x20
PLUS, MINUS, POINT, ZERO, NINE = 0x2B, 0x2D, 0x2E, 0x30, 0x39
CAPITAL_E, SMALL_E = 0x45, 0x65
# 64-bit FNV-1a (Fowler, Noll and Vo), as signed numbers.
FNV_START, FNV_PRIME = -3750763034362895579, 1099511628211
# Every number of this many digits fits into 64 bits.
MOST_DIGITS = 18
# The exact powers of ten: dividing by one of them gives the nearest number.
POWERS = 10.0 ** np.arange(23)
# The errors that a line may have.
FINE, NO_NUMBER, TOO_FEW, UNKNOWN_WORD, TOO_MANY, POSITIVE = 0, 1, 2, 3, 4, 5
# Digits after the decimal point, and ten to their power.
DECIMALS = 6
MILLION = 10**DECIMALS
# The longest number: a sign, nine digits, a point and the decimals.
NUMBER_SIZE = 11 + DECIMALS


class Spelling(NamedTuple):
    """The words in UTF-8: word n is letters[offsets[n]:offsets[n + 1]]."""

    letters: NDArray[np.uint8]
    offsets: Offsets


class WordTable(NamedTuple):
    """The spelling of the words, and a hash table of them."""

    letters: NDArray[np.uint8]
    offsets: Offsets
    slots: Ids  # 0, or the number of a word counted from 1


class NgramRows(NamedTuple):
    """The n-grams of one length, in the order of the file."""

    words: Ids  # one row per n-gram
    log_prob: Floats32
    backoff: Floats32


@compiled
def fill_word_table(letters, letter_offsets, slots):
    """Enter all words; there must be more slots than words, and as many as a power of two."""
    for word in range(len(letter_offsets) - 1):
        slot = hash_of(letters, letter_offsets[word], letter_offsets[word + 1]) & (len(slots) - 1)
        while slots[slot] != 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = word + 1


@compiled
def hash_of(text, begin, end):
    hashed = np.int64(FNV_START)
    for at in range(begin, end):
        hashed = (hashed ^ np.int64(text[at])) * np.int64(FNV_PRIME)
    return hashed ^ (hashed >> 32)


@compiled
def number_of(text, begin, end, letters, letter_offsets, slots):
    """Return the number of a word, or -1."""
    slot = hash_of(text, begin, end) & (len(slots) - 1)
    while slots[slot] != 0:
        word = slots[slot] - 1
        first = letter_offsets[word]
        if letter_offsets[word + 1] - first == end - begin:
            at = 0
            while at < end - begin and text[begin + at] == letters[first + at]:
                at += 1
            if at == end - begin:
                return word
        slot = (slot + 1) & (len(slots) - 1)
    return -1


@compiled
def is_blank(byte):
    return byte in (SPACE, TAB, RETURN)


@compiled
def next_field(text, at):
    """Return where the next field of a line begins and ends: at the line feed if there is none."""
    while is_blank(text[at]):
        at += 1
    begin = at
    while text[at] != LINE_FEED and not is_blank(text[at]):
        at += 1
    return begin, at


@compiled
def parse_decimal(text, begin, end):
    """Return (whether this is a number, its value). Sign, point and exponent are optional."""
    at = begin
    sign = -1.0 if at < end and text[at] == MINUS else 1.0
    if at < end and (text[at] == MINUS or text[at] == PLUS):
        at += 1
    digits, power, seen, kept, point = np.int64(0), 0, False, 0, False
    while at < end:
        byte = text[at]
        if byte == POINT and not point:
            point = True
        elif ZERO <= byte <= NINE:
            seen = True
            if kept < MOST_DIGITS:
                digits = digits * 10 + (byte - ZERO)
                kept += 1 if digits > 0 else 0
                power -= 1 if point else 0
            else:
                power += 0 if point else 1
        else:
            break
        at += 1
    if at < end and seen and (text[at] == SMALL_E or text[at] == CAPITAL_E):
        at += 1
        down = at < end and text[at] == MINUS
        if at < end and (text[at] == MINUS or text[at] == PLUS):
            at += 1
        seen = False
        exponent = 0
        while at < end and ZERO <= text[at] <= NINE:
            seen = True
            exponent = min(exponent * 10 + (text[at] - ZERO), 9999)
            at += 1
        power += -exponent if down else exponent
    value = np.float64(digits)
    if 0 < -power < len(POWERS):
        value /= POWERS[-power]
    elif power != 0:
        value *= 10.0**power
    return at == end and seen, sign * value


@compiled
def parse_lines(text, at, table, rows, done):
    """Read n-grams, from `at` to the end of the text or to an empty line, while there is room.

    They fill the rows from number `done`. Return (how many rows are done, where the next line
    begins, the error in that line).
    """
    letters, letter_offsets, slots = table
    words, log_prob, backoff = rows
    length = words.shape[1]
    while done < len(words) and at < len(text):
        begin, end = next_field(text, at)
        if begin == end:
            break
        good, value = parse_decimal(text, begin, end)
        if not good:
            return done, at, NO_NUMBER
        if value > 0:
            return done, at, POSITIVE
        for place in range(length):
            begin, end = next_field(text, end)
            if begin == end:
                return done, at, TOO_FEW
            word = number_of(text, begin, end, letters, letter_offsets, slots)
            if word < 0:
                return done, at, UNKNOWN_WORD
            words[done, place] = word
        log_prob[done] = value
        begin, end = next_field(text, end)
        backoff[done] = 0.0
        if begin < end:
            good, value = parse_decimal(text, begin, end)
            if not good:
                return done, at, TOO_MANY
            backoff[done] = value
            begin, end = next_field(text, end)
            if begin < end:
                return done, at, TOO_MANY
        at = end + 1
        done += 1
    return done, at, FINE


@compiled
def print_nodes(trie, parents, spelling, length, first, last):
    """Return the lines of the nodes first..last-1, which are n-grams of this length, as bytes."""
    words, log_prob, backoff = trie.words, trie.log_prob, trie.backoff
    letters, letter_offsets = spelling
    has_backoff = first < trie.contexts
    size = 0
    for node in range(first, last):
        size += 2 * NUMBER_SIZE + 2
        above = node
        for _ in range(length):
            size += letter_offsets[words[above] + 1] - letter_offsets[words[above]] + 1
            above = parents[above]
    text = np.empty(size, np.uint8)
    path = np.empty(length, np.int64)
    end = 0
    for node in range(first, last):
        end = print_number(text, end, log_prob[node])
        above = node
        for place in range(length - 1, -1, -1):
            path[place] = words[above]
            above = parents[above]
        for place in range(length):
            text[end] = TAB if place == 0 else SPACE
            end += 1
            for letter in range(letter_offsets[path[place]], letter_offsets[path[place] + 1]):
                text[end] = letters[letter]
                end += 1
        if has_backoff:
            text[end] = TAB
            end = print_number(text, end + 1, backoff[node])
        text[end] = LINE_FEED
        end += 1
    return text[:end]


@compiled
def print_number(text, end, value):
    """Write a number with all its decimals, or 0 as a single digit; return where it ends."""
    left = np.int64(np.rint(abs(np.float64(value)) * MILLION))
    if left == 0:
        text[end] = ZERO
        return end + 1
    if value < 0:
        text[end] = MINUS
        end += 1
    whole, left = left // MILLION, left % MILLION
    size = 1
    while 10**size <= whole:
        size += 1
    for place in range(end + size - 1, end - 1, -1):
        text[place] = ZERO + whole % 10
        whole //= 10
    end += size
    text[end] = POINT
    for place in range(end + DECIMALS, end, -1):
        text[place] = ZERO + left % 10
        left //= 10
    return end + 1 + DECIMALS
