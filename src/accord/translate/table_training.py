"""A phrase table from phrase pairs with word links, as Moses trains one on parallel text.

Each pair is treated as a pair of sentences. All pairs of shorter phrases are extracted in which no
word is linked to a word outside; φ is their relative frequency, and lexical weights come from the
links. So the pair `a b c = x y z` also helps to translate a sentence with only `a b`.

Sentence pairs may count for more or less, and differently in the two directions: p(target|source)
and p(source|target) can be estimated from different texts. The table has the phrase pairs that
count in both.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from accord.system.arrays import offsets_of
from accord.system.runners import Runner
from accord.translate.phrase_extraction import (
    LinkedSentences,
    NumberedSentences,
    SentenceWeights,
    compute_lexical_weights,
    compute_phi,
    extract_weighted_pairs,
    number_ngrams,
)
from accord.translate.phrase_extraction_kernels import SentenceLinks
from accord.translate.phrase_table import NeededPhrases, ScoredPair

# The greatest number of words of a phrase, as in Moses.
LONGEST = 7


class LinkedPair(NamedTuple):
    """A pair of phrases and its word links, 0-based (source word, target word)."""

    source: str
    target: str
    links: Sequence[tuple[int, int]]
    weight: float = 1.0  # how much it counts


def train_table(pairs: Sequence[LinkedPair], runner: Runner) -> list[ScoredPair]:
    """Train a table on phrase pairs.

    Returns source and target with φ(s|t), lex(s|t), φ(t|s), lex(t|s), sorted.
    """
    if not pairs:
        return []
    weights = weigh_pairs(pairs)
    return train_aligned_table(
        join_pairs(pairs), runner, weights=SentenceWeights.rounded(weights, weights)
    )


def train_aligned_table(
    text: LinkedSentences,
    runner: Runner,
    needed: NeededPhrases | None = None,
    weights: SentenceWeights | None = None,
    longest: int = LONGEST,
) -> list[ScoredPair]:
    """Train a table on word-aligned sentence pairs: all its pairs, or those that are needed."""
    weights = weights or SentenceWeights.equal(len(text.source))
    source, target = (
        number_ngrams(side, np.ones(len(side.vocabulary), np.bool_), longest)
        for side in (text.source, text.target)
    )
    forward, backward = extract_weighted_pairs(source, target, text.links, weights, runner)
    there, back = compute_phi(forward)[0], compute_phi(backward)[1]
    sources, which = np.unique(forward.source, return_inverse=True)
    source_texts = source.texts(sources)
    wanted = np.array([needed is None or phrase in needed for phrase in source_texts])
    rows = np.flatnonzero(wanted[which] & (forward.counts > 0) & (backward.counts > 0))
    kept = forward.select(rows)
    lexical, lexical_back = compute_lexical_weights(
        source, target, text.links, kept, runner, weights
    )
    target_texts = target.texts(kept.target)
    scores = np.stack([back[rows], lexical_back, there[rows], lexical], axis=1).tolist()
    of_rows = (source_texts[number] for number in which[rows].tolist())
    return sorted(zip(of_rows, target_texts, map(tuple, scores), strict=True))


def weigh_pairs(pairs: Sequence[LinkedPair]) -> np.ndarray:
    """Return how much each pair counts."""
    return np.array([pair.weight for pair in pairs], np.float64)


def join_pairs(pairs: Sequence[LinkedPair]) -> LinkedSentences:
    """Return the pairs as sentences; a pair without links is fully linked, so that it stays
    whole."""
    each = [pair.links or [*_link_all_words(pair)] for pair in pairs]
    flat = np.array([*chain.from_iterable(each)], np.int16).reshape(-1, 2)
    i, j = flat.T
    return LinkedSentences(
        NumberedSentences.of([pair.source for pair in pairs]),
        NumberedSentences.of([pair.target for pair in pairs]),
        SentenceLinks(i.copy(), j.copy(), offsets_of(np.array([*map(len, each)]))),
    )


def _link_all_words(pair: LinkedPair) -> Iterator[tuple[int, int]]:
    for i in range(len(pair.source.split())):
        for j in range(len(pair.target.split())):
            yield i, j
