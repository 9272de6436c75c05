"""The words of one language: how they are normalised and numbered."""

import unicodedata
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from accord.system.arrays import Ids

# The number of the NULL word, which a word without a translation is aligned to.
NULL = 0


def normalise(text: str) -> str:
    """Return the text in NFC, with single spaces between words."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def has_letter(text: str) -> bool:
    """Return whether the text contains a letter. Numbers and punctuation are not words."""
    return any(map(str.isalpha, text))


class Vocabulary:
    """The distinct words of one language, sorted by code point and numbered from 1."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = ("", *sorted(set(words)))

    @classmethod
    def of_sorted(cls, words: Iterable[str]) -> "Vocabulary":
        """Return the vocabulary of words that are already sorted and distinct."""
        vocabulary = cls([])
        vocabulary.words = ("", *words)
        return vocabulary

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words) if number != NULL}

    def __len__(self) -> int:
        """Return how many numbers there are, including NULL."""
        return len(self.words)

    def map_to(self, other: "Vocabulary") -> Ids:
        """Return the number of each word in another vocabulary, or -1 if it is not there."""
        index = other.index
        return np.array([NULL, *(index.get(word, -1) for word in self.words[1:])], np.int32)
