"""The n-grams of a text that stand often enough, found level by level.

An n-gram is no more frequent than the two (n - 1)-grams it is made of, its beginning and its end:
so it is a pair of these that stand at neighbouring places, and where one of them is too rare, it
need not be counted (Agrawal and Srikant 1994). What is kept for each place of the text is one
number, and counting goes by parts of all hashes that have room in a table of fixed size.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.text import ngram_kernels as kernels

# Places that are counted at a time; the table has up to twice and a half as many slots, of 12
# bytes, and a quarter more at least.
AT_A_TIME = 1 << 25


class Text(NamedTuple):
    """The words of a text, numbered from 0, in their order; negative where no phrase goes on."""

    words: list[str]
    tokens: NDArray[np.int32]


class Level(NamedTuple):
    """The n-grams of one length, numbered from 0: of which two of the level before each is made.

    The first level has words of the text instead, twice.
    """

    beginnings: NDArray[np.int32]
    ends: NDArray[np.int32]
    counts: NDArray[np.int32]


def frequent_grams(text: Text, longest: int, least: int) -> list[Level]:
    """The n-grams of up to so many words that stand at least so often, up to a level that is
    empty."""
    counts = np.bincount(text.tokens[text.tokens >= 0], minlength=len(text.words))
    frequent = np.flatnonzero(counts >= least).astype(np.int32)
    number = np.full(len(text.words) + 1, kernels.FREE, np.int32)  # the last is for -1
    number[frequent] = np.arange(len(frequent))
    levels = [Level(frequent, frequent, counts[frequent].astype(np.int32))]
    numbers = number[text.tokens]
    for _ in range(1, longest):
        if not len(levels[-1].counts):
            break
        level, numbers = _longer(numbers, least)
        levels.append(level)
    return levels


def _longer(numbers: NDArray[np.int32], least: int) -> tuple[Level, NDArray[np.int32]]:
    """The next level, and which of it stand where."""
    places = kernels.count_neighbours(numbers)
    parts = -(-places // AT_A_TIME) or 1
    bits = max(int(1.25 * places / parts).bit_length(), 6)
    longer = np.full(len(numbers), kernels.FREE, np.int32)
    found: list[tuple[NDArray[np.int32], ...]] = []
    first = 0
    for part in range(parts):
        found.append(kernels.number_pairs(numbers, least, bits, parts, part, first, longer))
        first += len(found[-1][0])
    return Level(*(np.concatenate(arrays) for arrays in zip(*found, strict=True))), longer


def words_of(levels: list[Level], chosen: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """A row of words for each chosen n-gram of the last of these levels."""
    *shorter, level = levels
    last = level.ends[chosen]
    if not shorter:
        return np.asarray(last[:, None])
    for below in reversed(shorter):
        last = below.ends[last]
    return np.column_stack([words_of(shorter, level.beginnings[chosen]), last])


def spelled(text: Text, levels: list[Level], chosen: NDArray[np.integer[Any]]) -> list[str]:
    """The words of each chosen n-gram of the last of these levels."""
    rows = words_of(levels, chosen).tolist()
    return [" ".join([text.words[word] for word in row]) for row in rows]
