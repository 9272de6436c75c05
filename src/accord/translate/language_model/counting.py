"""The n-grams of sentences, counted: a trie that grows by one length at a time.

The places of an n-gram in the text are those of its beginning, parted by the word that follows.
So each length takes one counting sort of the places: by the word, which is the same sort for all
lengths, and then, stable, by the beginning. Nothing is hashed, and nothing is kept of an n-gram
but one place of it and how many there are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.numbering_kernels import sort_by_number
from accord.errors import InputError
from accord.translate.language_model import ROOT
from accord.translate.language_model.text import END_NUMBER, Sentences

Nodes = NDArray[np.int32]


class Level(NamedTuple):
    """The n-grams of one length, in the order of their nodes."""

    first: int  # the node of the first one
    words: NDArray[np.int32]  # the last of each
    parents: Nodes  # each without its last word
    suffixes: Nodes  # each without its first word
    counts: NDArray[np.int32]


def count_unigrams(sentences: Sentences) -> tuple[Level, Nodes]:
    """The words, and the node at each place of the text."""
    size = len(sentences.vocabulary)
    root = np.full(size, ROOT, np.int32)
    counts = np.bincount(sentences.tokens, minlength=size).astype(np.int32)
    level = Level(ROOT + 1, np.arange(size, dtype=np.int32), root, root, counts)
    return level, sentences.tokens + np.int32(level.first)


def by_word(sentences: Sentences) -> Nodes:
    """The places of the text, by their words."""
    _, places = sort_by_number(sentences.tokens, len(sentences.vocabulary))
    return places  # type: ignore[no-any-return]


def count_longer(
    sentences: Sentences, places: Nodes, length: int, shorter: Level, nodes: Nodes
) -> tuple[Level, Nodes]:
    """The n-grams of this length, and their nodes at the places where they begin, or 0.

    Given are the places by their words, and the n-grams that are one word shorter.
    """
    tokens = sentences.tokens
    begins = places[places >= length - 1] - np.int32(length - 1)
    # None goes beyond the end of its sentence.
    begins = begins[(nodes[begins] > ROOT) & (tokens[begins + (length - 2)] != END_NUMBER)]
    if not len(begins):
        raise InputError(
            f"{sentences.origin}: expected sentences of {length - 2} or more words, which "
            f"{length}-grams need, found none; give more text or a lower order"
        )
    _, order = sort_by_number(nodes[begins] - np.int32(shorter.first), len(shorter.words))
    begins = begins[order]
    parents, words = nodes[begins], tokens[begins + (length - 1)]
    is_new = np.ones(len(begins), np.bool_)
    is_new[1:] = (parents[1:] != parents[:-1]) | (words[1:] != words[:-1])
    first = shorter.first + len(shorter.words)
    longer = np.zeros_like(nodes)
    longer[begins] = np.cumsum(is_new, dtype=np.int32) + np.int32(first - 1)
    at = np.flatnonzero(is_new)
    counts = np.diff(at, append=len(begins)).astype(np.int32)
    return Level(first, words[at], parents[at], nodes[begins[at] + 1], counts), longer
