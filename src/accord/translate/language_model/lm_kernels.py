"""The compiled loops of the language model: arrays in, arrays out."""

import numpy as np

from accord.system.compiled import compiled


@compiled
def child_of(offsets, words, node, word):
    """The node that goes on from this one with the word, -1 if there is none. The decoder's kernels
    have it compiled in: a change here reaches them when their file changes, too.

    The children of a node are numbered one after the other, by their words; the root has them all.
    """
    if node == 0:
        return np.int64(word) + 1
    low, high = offsets[node], offsets[node + 1]
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < offsets[node + 1] and words[low] == word else -1


@compiled
def advance(trie, node, word):
    """(the context after the word, log10 p(word|context)) of a context, which is a node.

    Where the context has not been seen with the word, a shorter one is asked, at the price of its
    back-off weight. Every word is a child of the root.
    """
    offsets, words, log_prob, backoff, suffix, contexts = trie
    price = 0.0
    child = child_of(offsets, words, node, word)
    while child < 0:
        price += backoff[node]
        node = suffix[node]
        child = child_of(offsets, words, node, word)
    price += log_prob[child]
    # The longest n-grams are no context: one word less is.
    return (child if child < contexts else suffix[child]), price


@compiled
def score(trie, node, sentence):
    """log10 P of a sentence of numbers, from a context on."""
    total = 0.0
    for word in sentence:
        node, log_prob = advance(trie, node, word)
        total += log_prob
    return total


@compiled
def find_ends(offsets, words, suffix, grams, parents, suffixes):
    """For each n-gram, a row of words, the nodes of all but its last word, -1 if there is none,
    and of its longest end that there is: an end of its beginning, with its last word."""
    last = grams.shape[1] - 1
    for gram in range(len(grams)):
        node = 0
        for place in range(last):
            if node >= 0:
                node = child_of(offsets, words, node, grams[gram, place])
        parents[gram] = node
        child = 0 if node < 0 else -1
        while child < 0:
            node = suffix[node]
            child = child_of(offsets, words, node, grams[gram, last])
        suffixes[gram] = child
