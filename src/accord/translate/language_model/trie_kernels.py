"""The compiled loops of the language model: arrays in, arrays out."""

from typing import NamedTuple

import numpy as np

from accord.system.arrays import Floats32, Ids, Offsets
from accord.system.compiled import compiled

ROOT = 0
NO_NODE = -1


class Trie(NamedTuple):
    """The arrays of a language model; see `accord.translate.language_model.trie`."""

    offsets: Offsets
    words: Ids
    log_prob: Floats32
    backoff: Floats32
    suffix: Ids
    contexts: int


@compiled
def child_of(offsets, words, node, word):
    """Return the node that extends this one by the word, or NO_NODE.

    The children of a node have consecutive numbers and are sorted by their words; every word is a
    child of the root. The decoder's kernels have this function compiled in.
    """
    if node == ROOT:
        return np.int64(word) + 1
    low, high = offsets[node], offsets[node + 1]
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < offsets[node + 1] and words[low] == word else NO_NODE


@compiled
def next_context(trie, node, word):
    """Return (the context after the word, log10 p(word|context)) for a context, which is a node.

    If the context was not seen with the word, back off to a shorter one and add its back-off
    weight.
    """
    price = 0.0
    child = child_of(trie.offsets, trie.words, node, word)
    while child == NO_NODE:
        price += trie.backoff[node]
        node = trie.suffix[node]
        child = child_of(trie.offsets, trie.words, node, word)
    price += trie.log_prob[child]
    # N-grams of the highest order are no contexts; one word less is.
    return (child if child < trie.contexts else trie.suffix[child]), price


@compiled
def score_words(trie, node, words):
    """Return log10 P of a sequence of word numbers that follows a context."""
    total = 0.0
    for word in words:
        node, log_prob = next_context(trie, node, word)
        total += log_prob
    return total


@compiled
def find_parents(offsets, words, suffix, grams):
    """Return two nodes for each new n-gram, which is a row of words: the node of all but the last
    word, or NO_NODE, and the longest proper suffix that is in the trie."""
    parents = np.empty(len(grams), np.int32)
    suffixes = np.empty(len(grams), np.int32)
    last = grams.shape[1] - 1
    for gram in range(len(grams)):
        node = np.int64(ROOT)
        for place in range(last):
            if node != NO_NODE:
                node = child_of(offsets, words, node, grams[gram, place])
        parents[gram] = node
        child = np.int64(ROOT if node == NO_NODE else NO_NODE)
        while child == NO_NODE:
            node = suffix[node]
            child = child_of(offsets, words, node, grams[gram, last])
        suffixes[gram] = child
    return parents, suffixes
