"""Phrase extraction: symmetrised links, all consistent phrase pairs, φ and lexical weights.

As in Moses: links by grow-diag-final-and; pairs of up to `longest` words per side in which no word
is linked to a word outside; φ by relative frequency; lexical weights from the links. Every n-gram
gets a number by sorting, and pairs are counted as pairs of numbers, without hashing.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord.corpus.vocabulary import Vocabulary
from accord.system.arrays import (
    Floats,
    Ids,
    Integers,
    Mask,
    Offsets,
    offsets_of,
    pair_keys,
    split_keys,
)
from accord.system.runners import Runner
from accord.translate import phrase_extraction_kernels as kernels
from accord.translate.phrase_extraction_kernels import (
    LEFT_OUT,
    NgramSide,
    SentenceLinks,
    WordWeights,
)

# Sentences per shard. The second pass keeps a weight for every pair in each shard: few shards.
SHARD = 50_000
# On this grid, sums of weights are exact.
WEIGHT_STEP = 2.0**-10


@dataclass(frozen=True, eq=False)
class NumberedSentences:
    """One side of a text as word numbers: sentence n is words[offsets[n]:offsets[n + 1]]."""

    vocabulary: Vocabulary
    words: Ids
    offsets: Offsets

    @classmethod
    def of(cls, texts: list[str]) -> "NumberedSentences":
        tokens = [text.split() for text in texts]
        vocabulary = Vocabulary(word for sentence in tokens for word in sentence)
        index = vocabulary.index
        words = np.fromiter((index[word] for sentence in tokens for word in sentence), np.int32)
        lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
        return cls(vocabulary, words, offsets_of(lengths))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def followed_by(self, other: "NumberedSentences") -> "NumberedSentences":
        """Return the sentences of both, with the words of both numbered anew."""
        vocabulary = Vocabulary([*self.vocabulary.words[1:], *other.vocabulary.words[1:]])
        words = [side.vocabulary.map_to(vocabulary)[side.words] for side in (self, other)]
        offsets = np.concatenate([self.offsets, self.offsets[-1] + other.offsets[1:]])
        return NumberedSentences(vocabulary, np.concatenate(words), offsets)


class LinkedSentences(NamedTuple):
    """Sentence pairs and their word links."""

    source: NumberedSentences
    target: NumberedSentences
    links: SentenceLinks

    def followed_by(self, other: "LinkedSentences") -> "LinkedSentences":
        """Return both texts as one."""
        (i, j, offsets), (more_i, more_j, more) = self.links, other.links
        return LinkedSentences(
            self.source.followed_by(other.source),
            self.target.followed_by(other.target),
            SentenceLinks(
                np.concatenate([i, more_i]),
                np.concatenate([j, more_j]),
                np.concatenate([offsets, offsets[-1] + more[1:]]),
            ),
        )


@dataclass(frozen=True, eq=False)
class NumberedNgrams:
    """The n-grams of one side; numbers[n, p] is the n-gram of n + 1 words at p, or LEFT_OUT."""

    sentences: NumberedSentences
    numbers: Ids
    positions: Offsets  # of the first occurrence of each n-gram
    sizes: Integers  # the number of its words
    counts: Offsets  # of its occurrences

    @property
    def arrays(self) -> NgramSide:
        """The arrays that the kernels take."""
        return NgramSide(self.numbers, self.sentences.offsets)

    def texts(self, numbers: Integers) -> list[str]:
        """Return the words of these n-grams."""
        names = self.sentences.vocabulary.words
        # Lists, because Python is three times slower with the elements of arrays.
        words = [names[word] for word in self.sentences.words.tolist()]
        begins, sizes = self.positions[numbers], self.sizes[numbers]
        return [
            " ".join(words[begin : begin + size])
            for begin, size in zip(begins.tolist(), sizes.tolist(), strict=True)
        ]


class ExtractedPairs(NamedTuple):
    """Distinct pairs of n-grams by their numbers, and how often each was extracted."""

    source: Ids
    target: Ids
    counts: Offsets | Floats  # or the sum of the weights of the sentences

    def select(self, rows: Offsets) -> "ExtractedPairs":
        return ExtractedPairs(self.source[rows], self.target[rows], self.counts[rows])

    def swapped(self) -> "ExtractedPairs":
        return ExtractedPairs(self.target, self.source, self.counts)


class SentenceWeights(NamedTuple):
    """How much each sentence pair counts, in whole steps of `WEIGHT_STEP`.

    The two directions may be estimated from different sentences. A weight of 0 means not at all.
    """

    forward: Floats  # for p(target|source)
    backward: Floats  # for p(source|target)

    @classmethod
    def rounded(cls, forward: Floats, backward: Floats) -> "SentenceWeights":
        """Round the weights, so that their sums do not depend on the order of the sentences."""
        return cls(*(np.round(side / WEIGHT_STEP) * WEIGHT_STEP for side in (forward, backward)))

    @classmethod
    def equal(cls, size: int) -> "SentenceWeights":
        """All sentence pairs count fully, in both directions."""
        return cls(np.ones(size), np.ones(size))


def symmetrise(
    source: NumberedSentences,
    target: NumberedSentences,
    forward: SentenceLinks,
    backward: SentenceLinks,
    runner: Runner,
) -> SentenceLinks:
    """Combine the links of the two directions by grow-diag-final-and."""
    shared = (source.offsets, target.offsets, forward, backward)
    shards = runner.map(kernels.grow_diag_final_and, shared, items=len(source), shard=SHARD)
    sizes, i, j = (np.concatenate(part) for part in zip(*shards, strict=True))
    return SentenceLinks(i, j, offsets_of(sizes))


def number_ngrams(sentences: NumberedSentences, wanted: Mask, longest: int) -> NumberedNgrams:
    """Number all n-grams of wanted words: those of one word, then those of two, and so on.

    An n-gram is identified by its prefix of n - 1 words and its last word: a pair of numbers.
    """
    words = sentences.words
    tokens = len(words)
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
            keys = np.where(fits, pair_keys(shorter, words[ends]), LEFT_OUT)
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
    return NumberedNgrams(
        sentences,
        numbers,
        np.concatenate(positions),
        np.concatenate(sizes),
        np.concatenate(counts),
    )


def extract_pairs(
    source: NumberedNgrams, target: NumberedNgrams, links: SentenceLinks, runner: Runner
) -> ExtractedPairs:
    """Extract and count all consistent pairs of n-grams."""
    keys = np.concatenate([keys for keys, _ in _find_pairs(source, target, links, runner)])
    keys, counts = np.unique(keys, return_counts=True)
    return ExtractedPairs(*split_keys(keys), counts)


def extract_weighted_pairs(
    source: NumberedNgrams,
    target: NumberedNgrams,
    links: SentenceLinks,
    weights: SentenceWeights,
    runner: Runner,
) -> tuple[ExtractedPairs, ExtractedPairs]:
    """Extract all consistent pairs of n-grams, and weigh them by their sentences.

    Returns the same pairs twice, with the weights of either direction.
    """
    shards = _find_pairs(source, target, links, runner)
    keys, sentences = (np.concatenate(part) for part in zip(*shards, strict=True))
    keys, places = np.unique(keys, return_inverse=True)
    e, f = split_keys(keys)
    forward, backward = (
        ExtractedPairs(e, f, np.bincount(places, side[sentences], minlength=len(keys)))
        for side in weights
    )
    return forward, backward


def _find_pairs(
    source: NumberedNgrams, target: NumberedNgrams, links: SentenceLinks, runner: Runner
) -> list[tuple[Offsets, Ids]]:
    shared = (source.arrays, target.arrays, links)
    items = len(source.sentences)
    return runner.map(kernels.find_consistent_pairs, shared, items=items, shard=SHARD)


def compute_phi(pairs: ExtractedPairs) -> tuple[Floats, Floats]:
    """Return φ(target|source) and φ(source|target): shares of the extractions of a phrase."""
    return (
        _divide_by_total(pairs.source, pairs.counts),
        _divide_by_total(pairs.target, pairs.counts),
    )


def _divide_by_total(groups: Ids, counts: Offsets | Floats) -> Floats:
    """Return each count divided by the total of its group; 0 for groups of zeros."""
    totals = np.bincount(groups, counts)[groups]
    shares: Floats = counts / np.where(totals > 0, totals, 1)
    return shares


def compute_lexical_weights(
    source: NumberedNgrams,
    target: NumberedNgrams,
    links: SentenceLinks,
    kept: ExtractedPairs,
    runner: Runner,
    weights: SentenceWeights | None = None,
) -> tuple[Floats, Floats]:
    """Return lex(target|source) and lex(source|target) of the kept pairs: their greatest values."""
    text = LinkedSentences(source.sentences, target.sentences, links)
    words = weigh_words(text, weights or SentenceWeights.equal(len(text.source)))
    keys = pair_keys(kept.source, kept.target)
    shared = (source.arrays, target.arrays, links, words, keys)
    items = len(source.sentences)
    shards = runner.map(kernels.greatest_lexical_weights, shared, items=items, shard=SHARD)
    forward, backward = (np.max(np.stack(part), axis=0) for part in zip(*shards, strict=True))
    return forward, backward


def weigh_words(text: LinkedSentences, weights: SentenceWeights) -> WordWeights:
    """Compute word weights as Moses does: a word without links is linked to NULL."""
    e, f = find_linked_words(text)
    _, pairs = np.unique(pair_keys(e, f), return_inverse=True)
    sizes = np.diff(text.links.offsets)
    forward, backward = (
        np.bincount(pairs, np.repeat(side, sizes)).astype(np.float64) for side in weights
    )
    source_positions, target_positions = locate_links(text)
    return WordWeights(
        _divide_links(e, np.repeat(weights.forward, sizes), forward[pairs]),
        _divide_links(f, np.repeat(weights.backward, sizes), backward[pairs]),
        _weigh_null(text.target, target_positions, weights.forward),
        _weigh_null(text.source, source_positions, weights.backward),
    )


def _divide_links(given: Ids, of_links: Floats, of_pairs: Floats) -> Floats:
    """Return the weight of the word pair of each link, divided by that of its given word."""
    totals = np.bincount(given, of_links)[given]
    shares: Floats = of_pairs / np.where(totals > 0, totals, 1)
    return shares


def locate_links(text: LinkedSentences) -> tuple[Offsets, Offsets]:
    """Return the positions of the two ends of each link in the two texts."""
    sizes = np.diff(text.links.offsets)
    return (
        np.repeat(text.source.offsets[:-1], sizes) + text.links.i,
        np.repeat(text.target.offsets[:-1], sizes) + text.links.j,
    )


def find_linked_words(text: LinkedSentences) -> tuple[Ids, Ids]:
    """Return the two words of each link."""
    at_source, at_target = locate_links(text)
    return text.source.words[at_source], text.target.words[at_target]


def _weigh_null(side: NumberedSentences, linked: Offsets, sentences: Floats) -> Floats:
    """Return w(word|NULL) of each word of the text: its share of the words without links."""
    alone = np.repeat(sentences, np.diff(side.offsets))
    alone[linked] = 0
    counts = np.bincount(side.words, alone, minlength=len(side.vocabulary))
    weights: Floats = counts / max(1, counts.sum())
    return weights[side.words]
