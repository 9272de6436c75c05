"""A monolingual corpus of phrases as flat arrays.

Notation: phrases are numbered 1..S, and phrase 0 is the empty phrase; words are numbered 1..V,
and word 0 is the NULL word. Both numberings follow the alphabet (by code point), not the input,
so that the order of the input lines changes nothing in a run.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError
from accord.reading import place, read_lines

NULL = 0
# Phrases in a block at most: their gains stay in the processor's cache while they are searched.
BLOCK = 131_072


def normalise(text: str) -> str:
    """The text in NFC, its words parted by single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


class Vocabulary:
    """The words of one language, numbered from 1."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = ("", *sorted(set(words)))
        self.index = {word: number for number, word in enumerate(self.words) if number != NULL}

    def __len__(self) -> int:
        """How many numbers there are, NULL's among them."""
        return len(self.words)


class Block(NamedTuple):
    """Phrases of one length, and where each word occurs in them.

    Word w is in the phrases at the places[offsets[w]:offsets[w + 1]] of the block, counts times
    each.
    """

    phrases: NDArray[np.int32]  # their numbers, ascending
    length: int
    offsets: NDArray[np.int64]
    places: NDArray[np.int32]
    counts: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Phrases:
    """Distinct phrases: phrase s is words[offsets[s]:offsets[s + 1]]."""

    vocabulary: Vocabulary
    words: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Phrases":
        """The phrases of these texts, in which words are parted by single spaces."""
        tokens = [text.split(" ") for text in sorted(set(texts))]
        vocabulary = Vocabulary(chain.from_iterable(tokens))
        index = vocabulary.index
        words = np.fromiter((index[word] for phrase in tokens for word in phrase), np.int32)
        lengths = np.fromiter((len(phrase) for phrase in tokens), np.int64, len(tokens))
        # Two zeros first: the empty phrase begins and ends at 0.
        return cls(vocabulary, words, np.concatenate([[0, 0], np.cumsum(lengths)]))

    def __len__(self) -> int:
        """How many numbers there are, the empty phrase's among them."""
        return len(self.offsets) - 1

    def __getitem__(self, phrase: int) -> str:
        begin, end = self.offsets[phrase], self.offsets[phrase + 1]
        return " ".join(self.vocabulary.words[word] for word in self.words[begin:end])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each phrase."""
        return {self[phrase]: phrase for phrase in range(1, len(self))}

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """The number of words of each phrase; 0 for the empty one."""
        return np.diff(self.offsets).astype(np.int32)

    @cached_property
    def max_length(self) -> int:
        return int(self.lengths.max())

    @cached_property
    def blocks(self) -> list[Block]:
        """All phrases but the empty one, by their lengths."""
        by_length = np.argsort(self.lengths, kind="stable").astype(np.int32)
        bounds = np.searchsorted(self.lengths[by_length], np.arange(1, self.max_length + 2))
        return [
            self._block(by_length[first : min(first + BLOCK, last)])
            for begin, last in pairwise(bounds.tolist())
            for first in range(begin, last, BLOCK)
        ]

    def _block(self, phrases: NDArray[np.int32]) -> Block:
        length = int(self.lengths[phrases[0]])
        words = self.words[self.offsets[phrases][:, None] + np.arange(length)]
        size = np.int64(len(phrases))
        keys = (words * size + np.arange(size)[:, None]).ravel()
        distinct, counts = np.unique(keys, return_counts=True)
        word, place = np.divmod(distinct, size)
        offsets = np.searchsorted(word, np.arange(len(self.vocabulary) + 1))
        return Block(phrases, length, offsets, place.astype(np.int32), counts.astype(np.float64))

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """In how many phrases each word occurs."""
        each = np.stack([np.diff(block.offsets) for block in self.blocks])
        sums: NDArray[np.int64] = each.sum(axis=0)
        return sums

    @cached_property
    def signature(self) -> str:
        """A hash of the phrases: equal for equal corpora, whatever file or order they came in."""
        text = "\n".join(self[phrase] for phrase in range(1, len(self)))
        return sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Intake:
    """What became of the lines of a corpus."""

    lines: int
    phrases: int
    duplicates: int
    empty: int
    too_long: int

    def __str__(self) -> str:
        left_out = [
            f"{number:,} {what}"
            for number, what in [
                (self.duplicates, "duplicate"),
                (self.empty, "empty"),
                (self.too_long, "too long"),
            ]
            if number
        ]
        told = f"{self.phrases:,} phrase{'s' * (self.phrases != 1)}"
        return f"{told} (left out: {', '.join(left_out)})" if left_out else told


def take_in(lines: Iterable[str], max_words: int, name: str) -> tuple[Phrases, Intake]:
    """Lines to phrases; what is left out is counted. The name is for the error."""
    kept: set[str] = set()
    total = empty = too_long = 0
    for line in lines:
        total += 1
        phrase = normalise(line)
        if not phrase:
            empty += 1
        elif phrase.count(" ") >= max_words:
            too_long += 1
        else:
            kept.add(phrase)
    if not kept:
        raise InputError(
            f"{name}: expected phrases, a line each, found none "
            f"({total:,} lines, {empty:,} empty, {too_long:,} of more than {max_words} words)"
        )
    duplicates = total - empty - too_long - len(kept)
    return Phrases.of(kept), Intake(total, len(kept), duplicates, empty, too_long)


def read_phrases(path: str | Path, max_words: int) -> tuple[Phrases, Intake]:
    """The phrases of a file, a phrase a line."""

    def lines() -> Iterator[str]:
        for number, line in read_lines(path):
            if "\t" in line.strip():
                raise InputError(
                    f"{place(path, number)}: expected a phrase, found columns with a tab between; "
                    "give one column (cut -f1)"
                )
            yield line

    return take_in(lines(), max_words, str(path))
