"""Which n-grams are phrases: complete, cohesive, and not cut off at a function word.

Notation: c  the count of an n-gram;  N  the number of tokens of the text

Function words are found in the text itself, by frequency and dispersion: they are everywhere, while
content words come in bursts. The measure is residual IDF (Church and Gale 1995): by how many bits
fewer slices of the text contain a word than if its occurrences were spread at random. But the topic
of a text is everywhere in it, too. So only those words are function words that seldom come before
punctuation or the end of a line, as they belong to the word that follows; in languages where they
belong to the word before, those that seldom come after it.

The cohesion of a phrase is the normalised pointwise mutual information (Bouma 2009) of two parts,
log(c(xy)·N / c(x)·c(y)) / log(N / c(xy)), the least over all ways to split it in two.

A phrase that occurs only within a longer phrase is a fragment.
"""

import numpy as np

from accord.corpus.text import ngram_kernels as kernels
from accord.corpus.text.ngrams import GramLevel, Text
from accord.system.arrays import Floats, Mask, Offsets

# A function word is at least one of 5,000 tokens, and its residual IDF is at most 0.3 bits.
ONE_IN, MOST_BITS = 5_000, 0.3
# The least count of a function word in a short text: the dispersion of rare words is arbitrary.
LEAST_COUNT = 50
SLICE = 1_000
# A function word is at the edge that it avoids at most this often, relative to the average word.
MOST_AT_EDGE = 0.6
# The least cohesion of a phrase.
LEAST_COHESION = 0.1


def find_function_words(text: Text) -> Mask:
    """Return which words of the text are function words."""
    counts = np.bincount(text.tokens[text.tokens >= 0], minlength=len(text.words))
    slices, total = kernels.count_slices(text.tokens, len(text.words), SLICE)
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = np.log2(-np.expm1(-counts / total)) - np.log2(slices / total)
    frequent = counts >= max(LEAST_COUNT, counts.sum() / ONE_IN)
    everywhere = frequent & (residual <= MOST_BITS)
    first, last = _count_edges(text)
    # Both edges have as many words: function words avoid the one where fewer of them are.
    edge = last if last[everywhere].sum() <= first[everywhere].sum() else first
    usual = edge.sum() / max(counts.sum(), 1)
    return np.asarray(everywhere & (edge <= MOST_AT_EDGE * usual * counts))


def _count_edges(text: Text) -> tuple[Offsets, Offsets]:
    """Return how often each word is the first, and the last, between two ends of phrases."""
    inside = np.concatenate([[False], text.tokens >= 0, [False]])
    size = len(text.words)
    return (
        np.bincount(text.tokens[inside[1:-1] & ~inside[:-2]], minlength=size),
        np.bincount(text.tokens[inside[1:-1] & ~inside[2:]], minlength=size),
    )


def select_phrases(text: Text, levels: list[GramLevel]) -> list[Mask]:
    """Return which n-grams of each level but the last are phrases.

    The last level only serves to recognise fragments.
    """
    tokens = int(np.count_nonzero(text.tokens >= 0))
    is_function = find_function_words(text)
    first = last = ~is_function[levels[0].beginnings]
    kept = [first]
    for n in range(1, len(levels)):
        level = levels[n]
        first, last = first[level.beginnings], last[level.ends]
        kept.append(first & last & (measure_cohesion(levels[: n + 1], tokens) >= LEAST_COHESION))
    covered = np.zeros(len(levels[-1].counts), np.int32)
    for n in range(len(levels) - 1, 0, -1):
        longest = np.where(kept[n], levels[n].counts, covered)
        covered = np.zeros(len(levels[n - 1].counts), np.int32)
        for part in (levels[n].beginnings, levels[n].ends):
            np.maximum.at(covered, part, longest)
        kept[n - 1] = kept[n - 1] & (covered < levels[n - 1].counts)
    return kept[:-1]


def measure_cohesion(levels: list[GramLevel], tokens: int) -> Floats:
    """Return the cohesion of each n-gram of the last of these levels."""
    joint = levels[-1].counts.astype(np.float64)
    beginning = end = np.arange(len(joint), dtype=np.int32)
    beginnings, ends = [], []
    for n in range(len(levels) - 1, 0, -1):
        beginning, end = levels[n].beginnings[beginning], levels[n].ends[end]
        counts = levels[n - 1].counts.astype(np.float64)
        beginnings.append(counts[beginning])
        ends.append(counts[end])
    # The longest beginning is paired with the shortest end.
    product = np.max(
        [one * other for one, other in zip(beginnings, reversed(ends), strict=True)],
        axis=0,
    )
    information: Floats = np.log(joint * tokens / product) / np.log(tokens / joint)
    return information
