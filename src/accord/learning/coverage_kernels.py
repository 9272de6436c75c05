"""The compiled loops over the words of phrase pairs that measure how well the words translate each
other.

Notation: e, f  source and target words;  s, t  source and target phrases
"""

from typing import NamedTuple

import numpy as np

from accord.learning.word_kernels import find_value
from accord.system.arrays import Floats, Ids, Offsets
from accord.system.compiled import compiled

# Is added to p(f|e) before its logarithm is taken: lower ones are pruned.
LEAST_PROBABILITY = 0.004


class WordEntries(NamedTuple):
    """Numbers of some word pairs: e has targets[offsets[e]:offsets[e + 1]]."""

    offsets: Offsets
    targets: Ids  # ascending
    values: Floats


class WordTables(NamedTuple):
    """What is known about word pairs, and how frequent the words are."""

    forward: WordEntries  # p(f|e), learned
    backward: WordEntries  # p(e|f), of f
    odds: WordEntries  # how much prior evidence adds to the log odds
    source_frequency: Floats
    target_frequency: Floats


@compiled
def find_word_odds(tables, coefficients, e, f):
    """The log odds that e and f translate each other."""
    there = find_value(tables.forward.offsets, tables.forward.targets, tables.forward.values, e, f)
    back = find_value(
        tables.backward.offsets, tables.backward.targets, tables.backward.values, f, e
    )
    odds = find_value(tables.odds.offsets, tables.odds.targets, tables.odds.values, e, f)
    one, other = tables.source_frequency[e], tables.target_frequency[f]
    logs = np.log(there + LEAST_PROBABILITY) + np.log(back + LEAST_PROBABILITY)
    mean, difference = np.sqrt(there * back), np.abs(np.log(one) - np.log(other))
    return (
        odds
        + coefficients[0]
        + coefficients[1] * logs
        + coefficients[2] * mean
        + coefficients[3] * np.log(min(one, other))
        + coefficients[4] * difference
        + coefficients[5] * mean * difference
    )


@compiled
def measure_coverage(tables, coefficients, words, pairs, least, first, last):
    """How well the words of the pairs first..last-1 are translated by those of the other side.

    For each word of both phrases, the greatest confidence of a word pair within the two phrases
    counts, plus `least`. Returns (the mean log of these, the lowest log).
    """
    n = last - first
    means, lowest = np.empty(n), np.empty(n)
    source_words, source_offsets = words.source
    target_words, target_offsets = words.target
    for pair in range(first, last):
        s, t = pairs.source[pair], pairs.target[pair]
        e = source_words[source_offsets[s] : source_offsets[s + 1]]
        f = target_words[target_offsets[t] : target_offsets[t + 1]]
        best = np.zeros(len(e) + len(f))  # of the words of e, then of the words of f
        for i in range(len(e)):
            for j in range(len(f)):
                odds = find_word_odds(tables, coefficients, e[i], f[j])
                confidence = 1 / (1 + np.exp(-odds))
                best[i] = max(best[i], confidence)
                best[len(e) + j] = max(best[len(e) + j], confidence)
        logs = np.log(best + least)
        # One sum for each side: swapping the languages must not change the order of the terms.
        means[pair - first] = (logs[: len(e)].sum() + logs[len(e) :].sum()) / len(logs)
        lowest[pair - first] = logs.min()
    return means, lowest
