"""The recipe: which extracted pairs are true, which phrases are noise, which word pairs are seeds.

As the paper made its sets, with its "low-probability" put into numbers: a pair is kept if it was
extracted at least twice, has φ ≥ 0.5 both ways and a lexical weight of at least 0.1 a word both
ways. Phrases are of words alone, no digits or punctuation, and on a side that is not in Latin
script, of no Latin letters.
"""

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError
from accord.experiments.synthesis.experiment import Experiment, Pairs
from accord.system.runners import Runner
from accord.translate.extraction import (
    Grams,
    PhraseTable,
    Sentences,
    WordLinks,
    extract,
    gram_texts,
    lexical_weights,
    linked_words,
    number_grams,
    phi,
)

LONGEST = 5
MIN_COUNT = 2
MIN_PHI = 0.5
MIN_LEXICAL_WEIGHT = 0.1

LATIN = re.compile("[A-Za-z\u00c0-\u024f]")


class Extraction(NamedTuple):
    """All phrase pairs of a parallel text, and which of them are clean."""

    source: Sentences
    target: Sentences
    links: WordLinks
    source_grams: Grams
    target_grams: Grams
    table: PhraseTable
    clean: NDArray[np.int64]  # rows of the table


class Size(NamedTuple):
    """How much of everything an experiment has."""

    pairs: int
    source_noise: int
    target_noise: int


def extract_phrases(
    source: Sentences, target: Sentences, links: WordLinks, runner: Runner
) -> Extraction:
    """From word links to phrase pairs."""
    source_grams = number_grams(source, wanted_words(source), LONGEST)
    target_grams = number_grams(target, wanted_words(target), LONGEST)
    table = extract(source, target, links, source_grams, target_grams, runner)
    forward_phi, backward_phi = phi(table)
    likely = (forward_phi >= MIN_PHI) & (backward_phi >= MIN_PHI) & (table.counts >= MIN_COUNT)
    rows = np.flatnonzero(likely)
    kept = PhraseTable(table.source[rows], table.target[rows], table.counts[rows])
    weights = lexical_weights(source, target, links, source_grams, target_grams, kept, runner)
    sizes = target_grams.sizes[kept.target], source_grams.sizes[kept.source]
    heavy = [
        weight ** (1 / size) >= MIN_LEXICAL_WEIGHT
        for weight, size in zip(weights, sizes, strict=True)
    ]
    clean = rows[heavy[0] & heavy[1]]
    return Extraction(source, target, links, source_grams, target_grams, table, clean)


def wanted_words(side: Sentences) -> NDArray[np.bool_]:
    """Which words may stand in phrases."""
    words = side.vocabulary.words
    latin = np.array([LATIN.search(word) is not None for word in words])
    wanted = np.array([_is_word(word) for word in words])
    counts = np.bincount(side.words, minlength=len(words))
    if counts[wanted & latin].sum() < counts[wanted].sum() / 2:
        wanted &= ~latin
    return wanted


def _is_word(word: str) -> bool:
    """Letters with their marks; apostrophes and hyphens inside."""
    core = word.strip("'’-")
    return core == word != "" and all(
        letter in "'’-" or unicodedata.category(letter)[0] in "LM" for letter in word
    )


def of_frequent_words(extraction: Extraction, words: int) -> Extraction:
    """Clean are only the pairs whose words are all among so many, the most frequent in clean pairs.

    Everything else stays: of phrases with few distinct words each word is seen more often.
    """
    frequent = np.ones(len(extraction.clean), np.bool_)
    for side, grams, numbers in [
        (extraction.source, extraction.source_grams, extraction.table.source),
        (extraction.target, extraction.target_grams, extraction.table.target),
    ]:
        phrases = [text.split() for text in gram_texts(side, grams, numbers[extraction.clean])]
        counts = Counter(word for phrase in phrases for word in phrase)
        # Ties go by the alphabet.
        most = set(sorted(counts, key=lambda word: (-counts[word], word))[:words])
        frequent &= np.array([most.issuperset(phrase) for phrase in phrases], np.bool_)
    return extraction._replace(clean=extraction.clean[frequent])


def make_experiments(extraction: Extraction, sizes: list[Size], random: int) -> list[Experiment]:
    """An experiment for each size. Their true pairs are distinct, and so are their noises."""
    generator = np.random.default_rng(random)
    pairs = one_to_one(extraction, generator)
    asked = sum(size.pairs for size in sizes)
    if len(pairs) < asked:
        raise InputError(
            f"asked for {asked:,} pairs of phrases, but only {len(pairs):,} are clean and "
            "one-to-one in this text; ask for fewer, or give more text"
        )
    seed = seed_pairs(extraction)
    experiments, begin = [], 0
    for size in sizes:
        rows = pairs[begin : begin + size.pairs]
        begin += size.pairs
        experiments.append(_experiment(extraction, rows, size, seed, generator))
    return experiments


def one_to_one(extraction: Extraction, generator: np.random.Generator) -> NDArray[np.int64]:
    """Clean rows of the table in random order, each phrase in one of them only."""
    rows = generator.permutation(extraction.clean)
    # The first of each source phrase, and of these the first of each target phrase.
    for numbers in (extraction.table.source, extraction.table.target):
        _, first = np.unique(numbers[rows], return_index=True)
        rows = rows[np.sort(first)]
    return rows


def _experiment(
    extraction: Extraction,
    rows: NDArray[np.int64],
    size: Size,
    seed: Pairs,
    generator: np.random.Generator,
) -> Experiment:
    table, source_grams, target_grams = (
        extraction.table,
        extraction.source_grams,
        extraction.target_grams,
    )
    e, f = table.source[rows], table.target[rows]
    swapped = PhraseTable(table.target, table.source, table.counts)
    source_noise = noise(table, source_grams, e, f, size.source_noise, "source", generator)
    sources = np.concatenate([e, source_noise])
    target_noise = noise(swapped, target_grams, f, sources, size.target_noise, "target", generator)
    return Experiment(
        list(
            zip(
                gram_texts(extraction.source, source_grams, e),
                gram_texts(extraction.target, target_grams, f),
                strict=True,
            )
        ),
        gram_texts(extraction.source, source_grams, source_noise),
        gram_texts(extraction.target, target_grams, target_noise),
        seed,
    )


def noise(
    table: PhraseTable,
    grams: Grams,
    own: NDArray[np.int32],
    others: NDArray[np.int32],
    size: int,
    side: str,
    generator: np.random.Generator,
) -> NDArray[np.int64]:
    """Phrases that were never extracted together with one of the others, and are not used yet."""
    free = np.zeros(len(grams.counts), np.bool_)
    free[table.source] = True
    free &= grams.counts >= MIN_COUNT
    translations = np.zeros(int(table.target.max()) + 1, np.bool_)
    translations[others] = True
    free[table.source[translations[table.target]]] = False
    free[own] = False
    candidates = np.flatnonzero(free)
    if len(candidates) < size:
        raise InputError(
            f"asked for {size:,} {side} noise phrases, but only {len(candidates):,} phrases of "
            "this text have no translation on the other side; ask for fewer, or give more text"
        )
    return generator.choice(candidates, size, replace=False)


def seed_pairs(extraction: Extraction) -> Pairs:
    """Word pairs that are linked most often of all either has, by falling number of links."""
    source, target = extraction.source, extraction.target
    e, f = linked_words(source, target, extraction.links)
    wanted = wanted_words(source)[e] & wanted_words(target)[f]
    pairs, counts = np.unique(e[wanted].astype(np.int64) << 32 | f[wanted], return_counts=True)
    e, f = (pairs >> 32).astype(np.int32), pairs.astype(np.int32)
    order = np.lexsort((f, e, -counts))
    best = [np.full(len(side.vocabulary), -1, np.int64) for side in (source, target)]
    # Written from the last to the first, so that the most frequent stays.
    best[0][e[order[::-1]]] = order[::-1]
    best[1][f[order[::-1]]] = order[::-1]
    mutual = order[(best[0][e[order]] == order) & (best[1][f[order]] == order)]
    mutual = mutual[counts[mutual] >= MIN_COUNT]
    return [(source.vocabulary.words[e[n]], target.vocabulary.words[f[n]]) for n in mutual]
