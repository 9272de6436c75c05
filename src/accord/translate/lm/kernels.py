"""The compiled loops of the language model: arrays in, arrays out."""

from numba import njit


@njit(cache=True, nogil=True)
def child_of(offsets, words, node, word):
    """The node that goes on from this one with the word, -1 if there is none.

    The children of a node are numbered one after the other, by their words.
    """
    low, high = offsets[node], offsets[node + 1]
    while low < high:
        middle = (low + high) // 2
        if words[middle] < word:
            low = middle + 1
        else:
            high = middle
    return low if low < offsets[node + 1] and words[low] == word else -1


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def score(trie, node, sentence):
    """log10 P of a sentence of numbers, from a context on."""
    total = 0.0
    for word in sentence:
        node, log_prob = advance(trie, node, word)
        total += log_prob
    return total


@njit(cache=True, nogil=True)
def find_ends(offsets, words, grams, parents, suffixes):
    """For each n-gram, a row of words, the nodes of all but its last word, -1 if there is none,
    and of its longest end that there is, itself excepted. Every word is a child of the root."""
    length = grams.shape[1]
    for gram in range(len(grams)):
        node = 0
        for place in range(length - 1):
            if node >= 0:
                node = child_of(offsets, words, node, grams[gram, place])
        parents[gram] = node
        for begin in range(1, length):
            node = 0
            for place in range(begin, length):
                if node >= 0:
                    node = child_of(offsets, words, node, grams[gram, place])
            if node >= 0:
                suffixes[gram] = node
                break
