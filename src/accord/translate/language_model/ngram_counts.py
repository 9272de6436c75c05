"""N-gram counts of a text: a trie that grows by one length at a time.

The occurrences of an n-gram are those of its prefix, split by the following word. Each length
therefore needs one counting sort of the positions: by word, which is the same sort for all lengths,
and then, stable, by prefix. Nothing is hashed; all that is kept of an n-gram is one position and a
count.
"""

from typing import NamedTuple

import numpy as np

from accord.corpus.numbering_kernels import sort_by_number
from accord.errors import InputError
from accord.system.arrays import Ids
from accord.translate.language_model.training_text import END_NUMBER, TrainingText
from accord.translate.language_model.trie_kernels import ROOT


class NgramCounts(NamedTuple):
    """The n-grams of one length, in the order of their nodes."""

    first: int  # the node of the first one
    words: Ids  # the last word of each
    parents: Ids  # the node of each without its last word
    suffixes: Ids  # the node of each without its first word
    counts: Ids


def count_unigrams(text: TrainingText) -> tuple[NgramCounts, Ids]:
    """Count the words; also return the node at each position of the text."""
    size = len(text.vocabulary)
    root = np.full(size, ROOT, np.int32)
    counts = np.bincount(text.tokens, minlength=size).astype(np.int32)
    unigrams = NgramCounts(ROOT + 1, np.arange(size, dtype=np.int32), root, root, counts)
    return unigrams, text.tokens + np.int32(unigrams.first)


def sort_positions(text: TrainingText) -> Ids:
    """Return the positions of the text, sorted by word."""
    _, positions = sort_by_number(text.tokens, len(text.vocabulary))
    return positions  # type: ignore[no-any-return]


def count_ngrams(
    text: TrainingText, positions: Ids, length: int, shorter: NgramCounts, nodes: Ids
) -> tuple[NgramCounts, Ids]:
    """Count the n-grams of a length; also return their nodes at the positions where they begin.

    `positions` are sorted by word; `shorter` are the n-grams of one word less, and `nodes` are
    their nodes at each position, 0 for none.
    """
    tokens = text.tokens
    begins = positions[positions >= length - 1] - np.int32(length - 1)
    # No n-gram extends beyond the end of its sentence.
    begins = begins[(nodes[begins] > ROOT) & (tokens[begins + (length - 2)] != END_NUMBER)]
    if not len(begins):
        raise InputError(
            f"{text.origin}: expected sentences of {length - 2} or more words, which "
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
    return NgramCounts(first, words[at], parents[at], nodes[begins[at] + 1], counts), longer
