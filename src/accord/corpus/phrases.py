"""A monolingual corpus of phrases as flat arrays.

Notation: phrases are numbered 1..S, and phrase 0 is the empty phrase; words are numbered 1..V,
and word 0 is the NULL word. Both are numbered in the order of their code points, so that the
order of the input lines does not change the result of a run.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from accord.corpus import numbering_kernels as kernels
from accord.corpus.numbering import NumberedText, number_words, sort_phrases
from accord.corpus.vocabulary import Vocabulary
from accord.system.arrays import Floats, Ids, Integers, Offsets, Ragged, offsets_of

# The most phrases per block: the sums of a block stay in the processor's cache during the search.
BLOCK = 131_072
BEFORE_SPACE = re.compile("[\x00-\x1f]")
# How many phrases are encoded at a time.
BATCH = 10_000
# The number of the empty phrase, in an array.
EMPTY = np.zeros(1, np.int32)


class Block(NamedTuple):
    """Phrases of one length, with an inverted index of their words.

    Word w occurs in the phrases at places[offsets[w]:offsets[w + 1]] of the block, as often as
    `counts` has at the same positions.
    """

    phrases: Ids  # the numbers of the phrases, ascending
    length: int
    offsets: Offsets
    places: Ids
    counts: Floats


@dataclass(frozen=True, eq=False)
class Phrases:
    """Distinct phrases: phrase s is words[offsets[s]:offsets[s + 1]]."""

    vocabulary: Vocabulary
    words: Ids
    offsets: Offsets
    # How often each word occurred in the earlier phrases that a model was trained on.
    seen: Integers | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Phrases":
        """Return the phrases of texts whose words are separated by single spaces."""
        return cls.of_numbered(number_words(encode_texts(texts)))

    @classmethod
    def of_numbered(cls, given: NumberedText) -> "Phrases":
        """Return the distinct lines of a numbered text, with lines and words renumbered in order
        of their code points."""
        return cls.with_numbers(given)[0]

    @classmethod
    def with_numbers(cls, given: NumberedText) -> tuple["Phrases", Ids]:
        """Return the phrases of `of_numbered`, and the number of each line among them."""
        vocabulary = Vocabulary(given.distinct)
        index = vocabulary.index
        number = np.fromiter((index[word] for word in given.distinct), np.int32)
        words = number[given.words]
        # Comparing phrases word by word gives the order of their strings: after a word that is a
        # prefix of another comes the end or a space, which sorts before any letter. The exception
        # is a word that contains one of the few characters that sort before the space.
        if BEFORE_SPACE.search("".join(given.distinct)):
            order = _sort_as_strings(given)
        else:
            order = sort_phrases(words, given.lengths, len(vocabulary))
        kept, ends, numbers = kernels.select_distinct(words, offsets_of(given.lengths), order)
        # Start with two zeros: the empty phrase begins and ends at 0.
        return cls(vocabulary, kept, np.concatenate([[0, 0], ends])), numbers + 1

    def merge(self, other: "Phrases") -> tuple["Phrases", Ids, Ids]:
        """Return the phrases of both corpora, and the new number of each phrase of either."""
        sides = self, other
        distinct = [word for side in sides for word in side.vocabulary.words[1:]]
        words = np.concatenate([self.words - 1, other.words + (len(self.vocabulary) - 2)])
        lengths = np.concatenate([side.lengths[1:] for side in sides])
        text = NumberedText(distinct, words.astype(np.int32), lengths).drop_unused_words()
        both, numbers = self.with_numbers(text)
        own, others = np.split(numbers, [len(self) - 1])
        return both, np.concatenate([EMPTY, own]), np.concatenate([EMPTY, others])

    def with_history(self, earlier: "Phrases") -> "Phrases":
        """Return the same phrases, with the words of earlier ones in the vocabulary and counted."""
        vocabulary = Vocabulary(chain(self.vocabulary.words[1:], earlier.vocabulary.words[1:]))
        seen = np.zeros(len(vocabulary), np.int64)
        seen[earlier.vocabulary.map_to(vocabulary)] = earlier.frequency
        words = self.vocabulary.map_to(vocabulary)[self.words]
        return Phrases(vocabulary, words, self.offsets, seen)

    def __len__(self) -> int:
        """Return how many numbers there are, including the empty phrase."""
        return len(self.offsets) - 1

    def __getitem__(self, phrase: int) -> str:
        """Return the text of a phrase."""
        begin, end = self.offsets[phrase], self.offsets[phrase + 1]
        return " ".join(self.vocabulary.words[word] for word in self.words[begin:end])

    def encode_blocks(self) -> Iterator[bytes]:
        """Yield all phrases except the empty one in UTF-8, one per line, in blocks of lines."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in self.vocabulary.words]
        letters = np.frombuffer(bytearray().join(encoded), np.uint8)
        bounds = offsets_of(np.array([len(word) for word in encoded], np.int32))
        for first in range(1, len(self), BATCH):
            last = min(first + BATCH, len(self))
            yield kernels.spell_items(
                self.words, self.offsets, first, last, letters, bounds
            ).tobytes()

    def texts(self) -> Iterator[str]:
        """Return an iterator over all phrases except the empty one."""
        blocks = (block.decode("utf-8", "surrogatepass") for block in self.encode_blocks())
        return chain.from_iterable(block[:-1].split("\n") for block in blocks)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each phrase."""
        return {text: number for number, text in enumerate(self.texts(), start=1)}

    def find(self, texts: Iterable[str]) -> dict[str, int]:
        """Return the number of each of these phrases that the corpus contains.

        Every word gets a random mark, and phrases of the same words have the same sum of marks.
        Only phrases whose sum equals that of a wanted one are turned into strings to compare,
        whereas `numbers` builds the strings of all phrases.
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

    def select(self, numbers: Ids) -> "Phrases":
        """Return these phrases, numbered from 1 in this order; words keep their numbers."""
        begins, lengths = self.offsets[numbers], self.offsets[numbers + 1] - self.offsets[numbers]
        ends = np.cumsum(lengths)
        places = np.repeat(begins - (ends - lengths), lengths) + np.arange(lengths.sum())
        return Phrases(self.vocabulary, self.words[places], np.concatenate([[0, 0], ends]))

    @property
    def ragged(self) -> Ragged:
        """The words of all phrases as kernels take them."""
        return Ragged(self.words, self.offsets)

    @cached_property
    def lengths(self) -> Ids:
        """The number of words in each phrase; 0 for the empty phrase."""
        return np.diff(self.offsets).astype(np.int32)

    @cached_property
    def max_length(self) -> int:
        """The number of words in the longest phrase."""
        return int(self.lengths.max())

    @cached_property
    def blocks(self) -> list[Block]:
        """All phrases except the empty one, grouped by length, the longest first.

        The search finds most of its candidates among the longest phrases, and can then skip more
        of the others.
        """
        firsts, by_length = kernels.sort_by_number(self.lengths, self.max_length + 1)
        return [
            self._index_block(by_length[first : min(first + BLOCK, last)])
            for begin, last in [*pairwise(firsts[1:].tolist())][::-1]
            for first in range(begin, last, BLOCK)
        ]

    def _index_block(self, phrases: Ids) -> Block:
        length = int(self.lengths[phrases[0]])
        words = self.words[self.offsets[phrases][:, None] + np.arange(length)]
        begins = np.arange(len(phrases) + 1) * length
        index = kernels.index_words(words.ravel(), begins, len(self.vocabulary))
        return Block(phrases, length, *index)

    @cached_property
    def frequency(self) -> Integers:
        """How often each word occurs in these phrases and in the earlier ones."""
        here = np.bincount(self.words, minlength=len(self.vocabulary))
        return here if self.seen is None else here + self.seen

    @cached_property
    def occurrences(self) -> Integers:
        """The number of phrases that contain each word."""
        sums = np.zeros(len(self.vocabulary), np.int64)
        for block in self.blocks:
            sums += np.diff(block.offsets)
        return sums

    @cached_property
    def signature(self) -> str:
        """A hash of the phrases, which does not depend on the order or the file of the input."""
        hashed = sha256()
        between = b""
        for block in self.encode_blocks():
            hashed.update(between + block[:-1])
            between = b"\n"
        return hashed.hexdigest()


def encode_texts(texts: Iterable[str]) -> bytearray:
    """Return the texts in UTF-8, one per line, as `number_words` expects them."""
    lines = bytearray()
    for text in texts:
        # Python strings may contain lone surrogates.
        lines += f"{text}\n".encode("utf-8", "surrogatepass")
    return lines


def _sort_as_strings(given: NumberedText) -> Ids:
    """Return the order of the lines as strings, whatever characters their words contain."""
    begins = offsets_of(given.lengths).tolist()
    words = [given.distinct[word] for word in given.words.tolist()]
    texts = [" ".join(words[begin:end]) for begin, end in pairwise(begins)]
    return np.array(sorted(range(len(texts)), key=texts.__getitem__), np.int32)
