"""Phrase extraction: symmetrised links, all consistent phrase pairs, φ and lexical weights.

As in Moses: links by grow-diag-final-and, pairs of up to `longest` words a side of which no word
is linked to one outside, φ by relative frequency, lexical weights by the links. Pairs are counted
as numbers: every n-gram has one, found by sorting, so that nothing is hashed and nothing collides.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.vocabulary import Vocabulary
from accord.system.runners import Runner
from accord.translate import extraction_kernels as kernels

# Sentences a shard. The second pass keeps a weight for every pair in each shard: few shards.
SHARD = 50_000
LEFT_OUT = -1


class Sentences(NamedTuple):
    """One side: words by number, sentence n is words[offsets[n]:offsets[n + 1]]."""

    vocabulary: Vocabulary
    words: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, texts: list[str]) -> "Sentences":
        tokens = [text.split() for text in texts]
        vocabulary = Vocabulary(word for sentence in tokens for word in sentence)
        index = vocabulary.index
        words = np.fromiter((index[word] for sentence in tokens for word in sentence), np.int32)
        lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
        return cls(vocabulary, words, np.concatenate([[0], np.cumsum(lengths)]))


class WordLinks(NamedTuple):
    """Links <i, j> of every sentence pair, 0-based: i, j from offsets[n] to offsets[n + 1]."""

    i: NDArray[np.int16]
    j: NDArray[np.int16]
    offsets: NDArray[np.int64]


class Grams(NamedTuple):
    """The n-grams of a side: numbers[n, p] is the number of the n + 1 words at p, or LEFT_OUT."""

    numbers: NDArray[np.int32]
    positions: NDArray[np.int64]  # where each n-gram first stands
    sizes: NDArray[np.int8]  # how many words it has
    counts: NDArray[np.int64]  # how often it stands


class PhraseTable(NamedTuple):
    """Distinct phrase pairs by their numbers, and how often they were extracted."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    counts: NDArray[np.int64]


def symmetrise(
    source: Sentences, target: Sentences, forward: WordLinks, backward: WordLinks, runner: Runner
) -> WordLinks:
    """grow-diag-final-and of the links of the two directions."""
    shared = (source.offsets, target.offsets, *forward, *backward)
    items = len(source.offsets) - 1
    shards = runner.map(kernels.grow_diag_final_and, shared, items=items, shard=SHARD)
    sizes, i, j = (np.concatenate(part) for part in zip(*shards, strict=True))
    return WordLinks(i, j, np.concatenate([[0], np.cumsum(sizes)]))


def number_grams(sentences: Sentences, wanted: NDArray[np.bool_], longest: int) -> Grams:
    """Number all n-grams of wanted words: those of one word, then those of two, and so on.

    An n-gram is the (n - 1)-gram before its last word, and that word: a pair of numbers.
    """
    words = sentences.words
    tokens, vocabulary = len(words), len(sentences.vocabulary)
    last = np.repeat(sentences.offsets[1:], np.diff(sentences.offsets))
    numbers = np.full((longest, tokens), LEFT_OUT, np.int32)
    shorter = np.where(wanted[words], words.astype(np.int64), LEFT_OUT)
    positions, sizes, counts, total = [], [], [], 0
    for n in range(longest):
        if n == 0:
            keys = shorter
        else:
            ends = np.minimum(np.arange(tokens) + n, tokens - 1)
            fits = (np.arange(tokens) + n < last) & (shorter >= 0) & wanted[words[ends]]
            keys = np.where(fits, shorter * vocabulary + words[ends], LEFT_OUT)
        at = np.flatnonzero(keys >= 0)
        _, first, inverse, count = np.unique(
            keys[at], return_index=True, return_inverse=True, return_counts=True
        )
        shorter = np.full(tokens, LEFT_OUT, np.int64)
        shorter[at] = inverse
        numbers[n, at] = inverse + total
        positions.append(at[first])
        sizes.append(np.full(len(first), n + 1, np.int8))
        counts.append(count)
        total += len(first)
    return Grams(numbers, np.concatenate(positions), np.concatenate(sizes), np.concatenate(counts))


def extract(
    source: Sentences,
    target: Sentences,
    links: WordLinks,
    source_grams: Grams,
    target_grams: Grams,
    runner: Runner,
) -> PhraseTable:
    """All consistent pairs of numbered n-grams."""
    shared = (source_grams.numbers, target_grams.numbers, source.offsets, target.offsets, *links)
    items = len(source.offsets) - 1
    shards = runner.map(kernels.extract_pairs, shared, items=items, shard=SHARD)
    pairs, counts = np.unique(np.concatenate(shards), return_counts=True)
    return PhraseTable((pairs >> 32).astype(np.int32), pairs.astype(np.int32), counts)


def phi(table: PhraseTable) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """φ(target|source) and φ(source|target): shares of all extractions of the given phrase."""
    of_source = np.bincount(table.source, table.counts)[table.source]
    of_target = np.bincount(table.target, table.counts)[table.target]
    return table.counts / of_source, table.counts / of_target


class WordWeights(NamedTuple):
    """w(f|e) and w(e|f) of every link, and of every word under NULL, by relative frequency."""

    forward: NDArray[np.float64]
    backward: NDArray[np.float64]
    forward_null: NDArray[np.float64]  # for every target word of the text
    backward_null: NDArray[np.float64]  # for every source word of the text


def word_weights(source: Sentences, target: Sentences, links: WordLinks) -> WordWeights:
    """Weights as Moses has them: a word without links is linked to NULL."""
    e, f = linked_words(source, target, links)
    pairs = e.astype(np.int64) << 32 | f
    _, inverse, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    count = counts[inverse]
    source_null, target_null = (
        _null_weights(side, positions)
        for side, positions in zip(
            (source, target), link_positions(source, target, links), strict=True
        )
    )
    return WordWeights(
        count / np.bincount(e)[e], count / np.bincount(f)[f], target_null, source_null
    )


def link_positions(
    source: Sentences, target: Sentences, links: WordLinks
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where in the two texts the two ends of each link stand."""
    sizes = np.diff(links.offsets)
    return (
        np.repeat(source.offsets[:-1], sizes) + links.i,
        np.repeat(target.offsets[:-1], sizes) + links.j,
    )


def linked_words(
    source: Sentences, target: Sentences, links: WordLinks
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The two words of each link."""
    at_source, at_target = link_positions(source, target, links)
    return source.words[at_source], target.words[at_target]


def _null_weights(side: Sentences, linked: NDArray[np.int64]) -> NDArray[np.float64]:
    alone = np.ones(len(side.words), np.bool_)
    alone[linked] = False
    counts = np.bincount(side.words[alone], minlength=len(side.vocabulary))
    weights: NDArray[np.float64] = counts / max(1, counts.sum())
    return weights[side.words]


def lexical_weights(
    source: Sentences,
    target: Sentences,
    links: WordLinks,
    source_grams: Grams,
    target_grams: Grams,
    kept: PhraseTable,
    runner: Runner,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """lex(target|source) and lex(source|target) of the kept pairs, the best they have anywhere."""
    weights = word_weights(source, target, links)
    pairs = kept.source.astype(np.int64) << 32 | kept.target
    shared = (
        source_grams.numbers,
        target_grams.numbers,
        source.offsets,
        target.offsets,
        *links,
        *weights,
        pairs,
    )
    items = len(source.offsets) - 1
    shards = runner.map(kernels.lexical_weights, shared, items=items, shard=SHARD)
    forward, backward = (np.max(np.stack(part), axis=0) for part in zip(*shards, strict=True))
    return forward, backward


def gram_texts(sentences: Sentences, grams: Grams, numbers: NDArray[np.integer[Any]]) -> list[str]:
    """The words of these n-grams."""
    names = sentences.vocabulary.words
    # Lists, as Python takes three times as long with the numbers of an array.
    words = [names[word] for word in sentences.words.tolist()]
    begins, sizes = grams.positions[numbers], grams.sizes[numbers]
    return [
        " ".join(words[begin : begin + size])
        for begin, size in zip(begins.tolist(), sizes.tolist(), strict=True)
    ]
