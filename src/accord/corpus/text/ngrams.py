"""The frequent n-grams of a text, found level by level.

An n-gram is no more frequent than the two (n - 1)-grams that it consists of, its beginning and its
end, which occur at neighbouring positions. If one of them is too rare, the n-gram need not be
counted (Agrawal and Srikant 1994). One number is kept for each position of the text. Hashes are
counted in shards, each of which fits into a table of fixed size.
"""

from typing import NamedTuple

import numpy as np

from accord.corpus.text import ngram_kernels as kernels
from accord.system.arrays import Ids, Integers
from accord.system.hashing_kernels import FREE

# Positions counted at a time. The table has 1.25 to 2.5 times as many slots, of 12 bytes each.
AT_A_TIME = 1 << 25


class Text(NamedTuple):
    """The tokens of a text: numbers of its words, from 0, or negative where a phrase must end."""

    words: list[str]
    tokens: Ids


class GramLevel(NamedTuple):
    """The n-grams of one length, numbered from 0; each consists of two of the level before.

    On the first level, beginning and end are both the word itself.
    """

    beginnings: Ids
    ends: Ids
    counts: Ids


def find_frequent_grams(text: Text, longest: int, least: int) -> list[GramLevel]:
    """Return the n-grams of at most `longest` words that occur at least `least` times.

    There is one level per length, up to the first that is empty.
    """
    counts = np.bincount(text.tokens[text.tokens >= 0], minlength=len(text.words))
    frequent = np.flatnonzero(counts >= least).astype(np.int32)
    number = np.full(len(text.words) + 1, FREE, np.int32)  # the last is for -1
    number[frequent] = np.arange(len(frequent))
    levels = [GramLevel(frequent, frequent, counts[frequent].astype(np.int32))]
    numbers = number[np.maximum(text.tokens, -1)]
    for _ in range(1, longest):
        if not len(levels[-1].counts):
            break
        level, numbers = _find_longer_grams(numbers, least)
        levels.append(level)
    return levels


def _find_longer_grams(numbers: Ids, least: int) -> tuple[GramLevel, Ids]:
    """Return the next level, and which of its n-grams begins at each position."""
    places = kernels.count_neighbours(numbers)
    parts = -(-places // AT_A_TIME) or 1
    bits = max(int(1.25 * places / parts).bit_length(), 6)
    longer = np.full(len(numbers), FREE, np.int32)
    found: list[tuple[Ids, Ids, Ids]] = []
    first = 0
    for part in range(parts):
        found.append(kernels.number_pairs(numbers, least, bits, parts, part, first, longer))
        first += len(found[-1][0])
    return GramLevel(*(np.concatenate(arrays) for arrays in zip(*found, strict=True))), longer


def gram_words(levels: list[GramLevel], chosen: Integers) -> Ids:
    """Return one row of words for each chosen n-gram of the last of these levels."""
    *shorter, level = levels
    last = level.ends[chosen]
    if not shorter:
        return np.asarray(last[:, None])
    for below in reversed(shorter):
        last = below.ends[last]
    return np.column_stack([gram_words(shorter, level.beginnings[chosen]), last])


def spell_grams(text: Text, levels: list[GramLevel], chosen: Integers) -> list[str]:
    """Return the text of each chosen n-gram of the last of these levels."""
    rows = gram_words(levels, chosen).tolist()
    return [" ".join([text.words[word] for word in row]) for row in rows]
