"""The recipe: which extracted pairs are gold, which phrases are noise, which word pairs are seeds.

This is how the paper made its data, with numbers for its "low-probability": a pair is kept if it
was extracted at least twice, and in both directions has φ ≥ 0.5 and a lexical weight of at least
0.1 per word. Phrases consist of words only, without digits and punctuation, and on a side that is
not in Latin script, without Latin letters.
"""

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

import numpy as np

from accord.errors import InputError
from accord.experiments.synthesis.experiment import Experiment, TextPairs
from accord.system.arrays import Ids, Mask, Offsets, pair_keys
from accord.system.runners import Runner
from accord.translate.phrase_extraction import (
    ExtractedPairs,
    LinkedSentences,
    NumberedNgrams,
    NumberedSentences,
    compute_lexical_weights,
    compute_phi,
    extract_pairs,
    find_linked_words,
    number_ngrams,
)

LONGEST = 5
MIN_COUNT = 2
MIN_PHI = 0.5
MIN_LEXICAL_WEIGHT = 0.1

LATIN = re.compile("[A-Za-z\u00c0-\u024f]")


class Extraction(NamedTuple):
    """All phrase pairs of a parallel text, and which of them are clean."""

    text: LinkedSentences
    source: NumberedNgrams
    target: NumberedNgrams
    pairs: ExtractedPairs
    clean: Offsets  # rows of the pairs


class Size(NamedTuple):
    """How much of everything an experiment has."""

    pairs: int
    source_noise: int
    target_noise: int


def extract_linked_phrases(text: LinkedSentences, runner: Runner) -> Extraction:
    """Extract phrase pairs, and decide which are clean."""
    source = number_ngrams(text.source, find_wanted_words(text.source), LONGEST)
    target = number_ngrams(text.target, find_wanted_words(text.target), LONGEST)
    pairs = extract_pairs(source, target, text.links, runner)
    forward_phi, backward_phi = compute_phi(pairs)
    likely = (forward_phi >= MIN_PHI) & (backward_phi >= MIN_PHI) & (pairs.counts >= MIN_COUNT)
    rows = np.flatnonzero(likely)
    kept = pairs.select(rows)
    weights = compute_lexical_weights(source, target, text.links, kept, runner)
    sizes = target.sizes[kept.target], source.sizes[kept.source]
    heavy = [
        weight ** (1 / size) >= MIN_LEXICAL_WEIGHT
        for weight, size in zip(weights, sizes, strict=True)
    ]
    return Extraction(text, source, target, pairs, rows[heavy[0] & heavy[1]])


def find_wanted_words(side: NumberedSentences) -> Mask:
    """Return which words of the vocabulary phrases may contain."""
    words = side.vocabulary.words
    latin = np.array([LATIN.search(word) is not None for word in words])
    wanted = np.array([_is_word(word) for word in words])
    counts = np.bincount(side.words, minlength=len(words))
    if counts[wanted & latin].sum() < counts[wanted].sum() / 2:
        wanted &= ~latin
    return wanted


def _is_word(word: str) -> bool:
    """Whether it consists of letters and marks, with apostrophes and hyphens only inside."""
    core = word.strip("'’-")
    return core == word != "" and all(
        letter in "'’-" or unicodedata.category(letter)[0] in "LM" for letter in word
    )


def restrict_to_frequent_words(extraction: Extraction, words: int) -> Extraction:
    """Keep as clean only pairs of the most frequent words of clean pairs, `words` per side.

    Nothing else changes: with fewer distinct words, each of them occurs in more phrases.
    """
    frequent = np.ones(len(extraction.clean), np.bool_)
    for ngrams, numbers in [
        (extraction.source, extraction.pairs.source),
        (extraction.target, extraction.pairs.target),
    ]:
        phrases = [text.split() for text in ngrams.texts(numbers[extraction.clean])]
        counts = Counter(word for phrase in phrases for word in phrase)
        # Ties are sorted alphabetically.
        most = set(sorted(counts, key=lambda word: (-counts[word], word))[:words])
        frequent &= np.array([most.issuperset(phrase) for phrase in phrases], np.bool_)
    return extraction._replace(clean=extraction.clean[frequent])


def make_experiments(extraction: Extraction, sizes: list[Size], random: int) -> list[Experiment]:
    """Draw an experiment of each size; no gold pair is in two of them."""
    generator = np.random.default_rng(random)
    pairs = choose_one_to_one(extraction, generator)
    asked = sum(size.pairs for size in sizes)
    if len(pairs) < asked:
        raise InputError(
            f"asked for {asked:,} pairs of phrases, but only {len(pairs):,} are clean and "
            "one-to-one in this text; ask for fewer, or give more text"
        )
    seed = choose_seed_pairs(extraction.text)
    experiments, begin = [], 0
    for size in sizes:
        rows = pairs[begin : begin + size.pairs]
        begin += size.pairs
        experiments.append(_make_experiment(extraction, rows, size, seed, generator))
    return experiments


def choose_one_to_one(extraction: Extraction, generator: np.random.Generator) -> Offsets:
    """Return clean rows of the pairs in random order, with each phrase in only one of them."""
    rows = generator.permutation(extraction.clean)
    # The first of each source phrase, and of these the first of each target phrase.
    for numbers in (extraction.pairs.source, extraction.pairs.target):
        _, first = np.unique(numbers[rows], return_index=True)
        rows = rows[np.sort(first)]
    return rows


def _make_experiment(
    extraction: Extraction,
    rows: Offsets,
    size: Size,
    seed: TextPairs,
    generator: np.random.Generator,
) -> Experiment:
    _, source, target, pairs, _ = extraction
    e, f = pairs.source[rows], pairs.target[rows]
    source_free = _find_untranslated(pairs, source, e, f)
    source_noise = _draw_noise(source_free, size.source_noise, "source", generator)
    sources = np.concatenate([e, source_noise])
    target_free = _find_untranslated(pairs.swapped(), target, f, sources)
    target_noise = _draw_noise(target_free, size.target_noise, "target", generator)
    return Experiment(
        list(zip(source.texts(e), target.texts(f), strict=True)),
        source.texts(source_noise),
        target.texts(target_noise),
        seed,
    )


def _find_untranslated(
    pairs: ExtractedPairs, ngrams: NumberedNgrams, own: Ids, others: Ids
) -> Offsets:
    """Return source phrases, except `own`, that were never extracted with one of the others."""
    free = np.zeros(len(ngrams.counts), np.bool_)
    free[pairs.source] = True
    free &= ngrams.counts >= MIN_COUNT
    translations = np.zeros(int(pairs.target.max()) + 1, np.bool_)
    translations[others] = True
    free[pairs.source[translations[pairs.target]]] = False
    free[own] = False
    return np.flatnonzero(free)


def _draw_noise(
    candidates: Offsets, size: int, side: str, generator: np.random.Generator
) -> Offsets:
    if len(candidates) < size:
        raise InputError(
            f"asked for {size:,} {side} phrases without a translation, but only "
            f"{len(candidates):,} phrases of this text have none; ask for fewer, or give more text"
        )
    return generator.choice(candidates, size, replace=False)


def choose_seed_pairs(text: LinkedSentences) -> TextPairs:
    """Return word pairs that are each other's most frequent link, the most frequent first."""
    source, target = text.source, text.target
    e, f = find_linked_words(text)
    wanted = find_wanted_words(source)[e] & find_wanted_words(target)[f]
    pairs, counts = np.unique(pair_keys(e[wanted], f[wanted]), return_counts=True)
    e, f = (pairs >> 32).astype(np.int32), pairs.astype(np.int32)
    order = np.lexsort((f, e, -counts))
    best = [np.full(len(side.vocabulary), -1, np.int64) for side in (source, target)]
    # Assigned from the last to the first, so that the most frequent link wins.
    best[0][e[order[::-1]]] = order[::-1]
    best[1][f[order[::-1]]] = order[::-1]
    mutual = order[(best[0][e[order]] == order) & (best[1][f[order]] == order)]
    mutual = mutual[counts[mutual] >= MIN_COUNT]
    return [(source.vocabulary.words[e[n]], target.vocabulary.words[f[n]]) for n in mutual]
