"""Which n-grams are phrases: whole, held together, and not cut off at a function word.

Notation: c  how often an n-gram stands;  N  the tokens of the text

Function words are found in the text itself, by frequency and spread: they are everywhere, while
words that mean something come in bursts. The measure is residual IDF (Church and Gale 1995): by
how many bits a word is in fewer slices of the text than chance would spread it to. But what a text
is about is everywhere in it, too. So function words are only those of them that seldom stand before
punctuation or the end of a line: they lean on what follows; or after it, where a language has them
lean on what goes before.

What holds a phrase together is normalised pointwise mutual information (Bouma 2009) of its two
parts, log(c(xy)·N / c(x)·c(y)) / log(N / c(xy)), the least over all ways to part it in two.

And a phrase that stands nowhere but in a longer one is a fragment of it.
"""

import numpy as np
from numpy.typing import NDArray

from accord.corpus.text import ngram_kernels as kernels
from accord.corpus.text.ngrams import Level, Text

# A function word is at least one of so many tokens, and so many bits from chance at most. In a
# short text, it stands so often at least: of a rare word, nobody can tell how it is spread.
ONE_IN, MOST_BITS = 5_000, 0.3
LEAST_COUNT = 50
SLICE = 1_000
# It stands at that edge at most so many times as often as any word.
MOST_AT_EDGE = 0.6
# The least normalised mutual information of a phrase.
LEAST_COHESION = 0.1

Chosen = NDArray[np.bool_]
Array = NDArray[np.float64]


def function_words(text: Text) -> Chosen:
    """Which words of the text are function words."""
    counts = np.bincount(text.tokens[text.tokens >= 0], minlength=len(text.words))
    slices, total = kernels.count_slices(text.tokens, len(text.words), SLICE)
    with np.errstate(divide="ignore", invalid="ignore"):
        residual = np.log2(-np.expm1(-counts / total)) - np.log2(slices / total)
    frequent = counts >= max(LEAST_COUNT, counts.sum() / ONE_IN)
    everywhere = frequent & (residual <= MOST_BITS)
    first, last = _edges(text)
    # Both edges are as many: function words lean to the side where fewer of them stand.
    edge = last if last[everywhere].sum() <= first[everywhere].sum() else first
    usual = edge.sum() / max(counts.sum(), 1)
    return np.asarray(everywhere & (edge <= MOST_AT_EDGE * usual * counts))


def _edges(text: Text) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each word is the first, and the last, between two places no phrase goes across."""
    inside = np.concatenate([[False], text.tokens >= 0, [False]])
    size = len(text.words)
    return (
        np.bincount(text.tokens[inside[1:-1] & ~inside[:-2]], minlength=size),
        np.bincount(text.tokens[inside[1:-1] & ~inside[2:]], minlength=size),
    )


def phrase_grams(text: Text, levels: list[Level]) -> list[Chosen]:
    """Which n-grams of each level but the last are phrases; the last is for fragments only."""
    tokens = int(np.count_nonzero(text.tokens >= 0))
    is_function = function_words(text)
    first = last = ~is_function[levels[0].beginnings]
    kept = [first]
    for n in range(1, len(levels)):
        level = levels[n]
        first, last = first[level.beginnings], last[level.ends]
        kept.append(first & last & (cohesion(levels[: n + 1], tokens) >= LEAST_COHESION))
    covered = np.zeros(len(levels[-1].counts), np.int32)
    for n in range(len(levels) - 1, 0, -1):
        longest = np.where(kept[n], levels[n].counts, covered)
        covered = np.zeros(len(levels[n - 1].counts), np.int32)
        for part in (levels[n].beginnings, levels[n].ends):
            np.maximum.at(covered, part, longest)
        kept[n - 1] = kept[n - 1] & (covered < levels[n - 1].counts)
    return kept[:-1]


def cohesion(levels: list[Level], tokens: int) -> Array:
    """The least normalised mutual information of each n-gram of the last of these levels."""
    joint = levels[-1].counts.astype(np.float64)
    beginning = end = np.arange(len(joint), dtype=np.int32)
    beginnings, ends = [], []
    for n in range(len(levels) - 1, 0, -1):
        beginning, end = levels[n].beginnings[beginning], levels[n].ends[end]
        counts = levels[n - 1].counts.astype(np.float64)
        beginnings.append(counts[beginning])
        ends.append(counts[end])
    # The longest beginning goes with the shortest end.
    product = np.max(
        [one * other for one, other in zip(beginnings, reversed(ends), strict=True)],
        axis=0,
    )
    information: Array = np.log(joint * tokens / product) / np.log(tokens / joint)
    return information
