"""A monolingual corpus of phrases as flat arrays.

Notation: phrases are numbered 1..S, and phrase 0 is the empty phrase; words are numbered 1..V,
and word 0 is the NULL word. Both numberings follow the alphabet (by code point), not the input,
so that the order of the input lines changes nothing in a run.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus import numbering_kernels as kernels
from accord.corpus.numbering import Numbered, ascending, number_words
from accord.system.arrays import Ragged, offsets_of

NULL = 0
# Phrases in a block at most: their gains stay in the processor's cache while they are searched.
BLOCK = 131_072
BEFORE_SPACE = re.compile("[\x00-\x1f]")
SPELLED_AT_ONCE = 10_000


def normalise(text: str) -> str:
    """The text in NFC, its words parted by single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


class Vocabulary:
    """The words of one language, numbered from 1."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = ("", *sorted(set(words)))

    @classmethod
    def ascending(cls, words: Iterable[str]) -> "Vocabulary":
        """Of words that are distinct and in their order already."""
        vocabulary = cls([])
        vocabulary.words = ("", *words)
        return vocabulary

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words) if number != NULL}

    def __len__(self) -> int:
        """How many numbers there are, NULL's among them."""
        return len(self.words)


def numbers_in(vocabulary: Vocabulary, other: Vocabulary) -> NDArray[np.int32]:
    """The number of each word in another vocabulary, -1 where it is not there; NULL is 0 in all."""
    index = other.index
    return np.array([NULL, *(index.get(word, -1) for word in vocabulary.words[1:])], np.int32)


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
    # How often each word was seen in other phrases, of which a model has learned.
    seen: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Phrases":
        """The phrases of these texts, in which words are parted by single spaces."""
        return cls.of_numbered(number_words(as_lines(texts)))

    @classmethod
    def of_numbered(cls, given: Numbered) -> "Phrases":
        """The distinct ones of these phrases, phrases and words numbered by the alphabet."""
        vocabulary = Vocabulary(given.distinct)
        index = vocabulary.index
        number = np.fromiter((index[word] for word in given.distinct), np.int32)
        words = number[given.words]
        # Strings compare as their words do, one by one: where a word is the beginning of another,
        # its phrase ends or has a space, which comes before the letter that the other goes on
        # with. Not so where that is one of the few characters before the space.
        if BEFORE_SPACE.search("".join(given.distinct)):
            order = _order_of_strings(given)
        else:
            order = ascending(words, given.lengths, len(vocabulary))
        kept, ends = kernels.distinct_in_order(words, offsets_of(given.lengths), order)
        # Two zeros first: the empty phrase begins and ends at 0.
        return cls(vocabulary, kept, np.concatenate([[0, 0], ends]))

    def joined(self, other: "Phrases") -> "Phrases":
        """The phrases of both."""
        text = bytearray(b"").join([*self.spelled(), *other.spelled()])
        return Phrases.of_numbered(number_words(text))

    def after(self, other: "Phrases") -> "Phrases":
        """The same phrases, numbered with the words of others, that were seen before these."""
        vocabulary = Vocabulary(chain(self.vocabulary.words[1:], other.vocabulary.words[1:]))
        seen = np.zeros(len(vocabulary), np.int64)
        seen[numbers_in(other.vocabulary, vocabulary)] = other.frequency
        words = numbers_in(self.vocabulary, vocabulary)[self.words]
        return Phrases(vocabulary, words, self.offsets, seen)

    def __len__(self) -> int:
        """How many numbers there are, the empty phrase's among them."""
        return len(self.offsets) - 1

    def __getitem__(self, phrase: int) -> str:
        begin, end = self.offsets[phrase], self.offsets[phrase + 1]
        return " ".join(self.vocabulary.words[word] for word in self.words[begin:end])

    def spelled(self) -> Iterator[bytes]:
        """All phrases but the empty one in UTF-8, a line each, by blocks."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in self.vocabulary.words]
        letters = np.frombuffer(bytearray().join(encoded), np.uint8)
        bounds = offsets_of(np.array([len(word) for word in encoded], np.int32))
        for first in range(1, len(self), SPELLED_AT_ONCE):
            last = min(first + SPELLED_AT_ONCE, len(self))
            yield kernels.spell(self.words, self.offsets, first, last, letters, bounds).tobytes()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each phrase."""
        blocks = (block.decode("utf-8", "surrogatepass") for block in self.spelled())
        texts = chain.from_iterable(block[:-1].split("\n") for block in blocks)
        return {text: number for number, text in enumerate(texts, start=1)}

    def find(self, texts: Iterable[str]) -> dict[str, int]:
        """The numbers of those of these phrases that are here.

        Every word has a random mark, and phrases of the same words have the same sum of marks:
        only where the sum is a wanted one is a phrase spelled. `numbers` spells them all.
        """
        index = self.vocabulary.index
        wanted = {text for text in texts if all(word in index for word in text.split(" "))}
        if not wanted:
            return {}
        marks = np.random.default_rng(0).integers(2**40, size=len(self.vocabulary))
        mark_of = marks.tolist().__getitem__
        words = (map(index.__getitem__, text.split(" ")) for text in wanted)
        wanted_sums = np.unique([sum(map(mark_of, phrase)) for phrase in words])
        sums = np.add.reduceat(marks[self.words], self.offsets[1:-1])
        places = np.searchsorted(wanted_sums[:-1], sums)
        found = np.flatnonzero(wanted_sums[places] == sums) + 1
        return {text: number for number in found.tolist() if (text := self[number]) in wanted}

    def only(self, numbers: NDArray[np.int32]) -> "Phrases":
        """These phrases, numbered from 1 in this order. Words keep their numbers."""
        begins, lengths = self.offsets[numbers], self.offsets[numbers + 1] - self.offsets[numbers]
        ends = np.cumsum(lengths)
        places = np.repeat(begins - (ends - lengths), lengths) + np.arange(lengths.sum())
        return Phrases(self.vocabulary, self.words[places], np.concatenate([[0, 0], ends]))

    @property
    def ragged(self) -> Ragged:
        """The words of all phrases, as kernels take them."""
        return Ragged(self.words, self.offsets)

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """The number of words of each phrase; 0 for the empty one."""
        return np.diff(self.offsets).astype(np.int32)

    @cached_property
    def max_length(self) -> int:
        return int(self.lengths.max())

    @cached_property
    def blocks(self) -> list[Block]:
        """All phrases but the empty one, by their lengths, the longest first: in these the search
        finds most, and has the less to look for in others."""
        firsts, by_length = kernels.sort_by_number(self.lengths, self.max_length + 1)
        return [
            self._block(by_length[first : min(first + BLOCK, last)])
            for begin, last in [*pairwise(firsts[1:].tolist())][::-1]
            for first in range(begin, last, BLOCK)
        ]

    def _block(self, phrases: NDArray[np.int32]) -> Block:
        length = int(self.lengths[phrases[0]])
        words = self.words[self.offsets[phrases][:, None] + np.arange(length)]
        begins = np.arange(len(phrases) + 1) * length
        where = kernels.occurrences(words.ravel(), begins, len(self.vocabulary))
        return Block(phrases, length, *where)

    @cached_property
    def frequency(self) -> NDArray[np.int64]:
        """How often each word occurs, here and in what was seen before."""
        here = np.bincount(self.words, minlength=len(self.vocabulary))
        return here if self.seen is None else here + self.seen

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """In how many phrases each word occurs."""
        each = np.stack([np.diff(block.offsets) for block in self.blocks])
        sums: NDArray[np.int64] = each.sum(axis=0)
        return sums

    @cached_property
    def signature(self) -> str:
        """A hash of the phrases: equal for equal corpora, whatever file or order they came in."""
        hashed = sha256()
        between = b""
        for block in self.spelled():
            hashed.update(between + block[:-1])
            between = b"\n"
        return hashed.hexdigest()


def as_lines(texts: Iterable[str]) -> bytearray:
    """The texts in UTF-8, a line each, as they are numbered."""
    lines = bytearray()
    for text in texts:
        # Strings of Python may have lone surrogates.
        lines += f"{text}\n".encode("utf-8", "surrogatepass")
    return lines


def _order_of_strings(given: Numbered) -> NDArray[np.int32]:
    """The order of phrases some of whose words have characters that come before the space."""
    begins = offsets_of(given.lengths).tolist()
    words = [given.distinct[word] for word in given.words.tolist()]
    texts = [" ".join(words[begin:end]) for begin, end in pairwise(begins)]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int32)
