"""Baselines on the same tokens, seeds and words as Accord: vectors of each language, and a map.

skipgram         skip-gram vectors, mapped by Procrustes
ppmi             vectors from counts (`counting.py`), mapped by Procrustes
vecmap           the same vectors, mapped by VecMap's semi-supervised recipe (`mapping.py`)
vecmap-anchored  the same, with a variant of its self-learning that keeps the seed
vecmap-skipgram  skip-gram vectors, mapped by this variant
monoses          phrase vectors from counts, mapped like `vecmap-anchored`

Words are translated by CSLS, in `monoses` by cosine. The probability of a translation is a softmax
over all of them. Its temperature is fitted as in monoses (Artetxe, Labaka and Agirre 2018): words
shall be likely translations of their nearest neighbours, in both directions. Phrase pairs have the
product of the probabilities of both directions as their score, and only those are returned that
are each other's best by it. They are pairs of single words, except those of `monoses`: its phrases
are the chunks that Accord pairs.

Nothing here is taken from what Accord learns with. All but gensim's skip-gram vectors are
deterministic. Vectors that several methods share are made once, and their time counts for each.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp
from threadpoolctl import threadpool_limits

from accord.corpus.text.extraction import Preparation, count_phrases
from accord.system.reading import read_lines
from accord.system.runners.threads import available_cores
from benchmarks.real.counting import LEAST_COUNT, CountVectors
from benchmarks.real.mapping import ANCHORED, VECMAP, Recipe, map_vectors
from benchmarks.real.sets import Collection, CutSet
from benchmarks.real.systems import Learned, ScoredPair
from benchmarks.vectors import (
    BLOCK,
    DIMENSIONS,
    MappedVectors,
    Numbers,
    Rows,
    Vectors,
    number_pairs,
    to_unit_length,
    train_vectors,
)

LONGEST = 5
# The temperature is fitted to this many words per side.
SAMPLE = 500
# With these bounds, the exponentials of all scores are finite in single precision.
TEMPERATURES = 0.02, 10.0


class Probabilities(NamedTuple):
    """The best translation of each source item and its probability, and the pairs of items that
    are each other's best by the product of both directions, with this product."""

    best: Numbers
    probability: Rows
    matches: tuple[Numbers, Numbers]
    products: Rows


class SkipGrams(NamedTuple):
    """Skip-gram vectors of both texts, and how long they took."""

    source: Vectors
    target: Vectors
    seconds: float


class Counted(NamedTuple):
    """Vectors from counts of both texts, and how long they took."""

    source: CountVectors
    target: CountVectors
    seconds: float


class Maps(NamedTuple):
    """The maps of both languages into one space, and how long they and the vectors took."""

    source: Rows
    target: Rows
    seconds: float


def learn_with_skipgram(cut: CutSet, _: Collection) -> Learned:
    given = _train_skipgrams(cut)
    begun = perf_counter() - given.seconds
    return _learn_words(MappedVectors.by(given.source, given.target, _read_seed(cut)), begun)


def learn_with_ppmi(cut: CutSet, _: Collection) -> Learned:
    given = _count_vectors(cut)
    begun = perf_counter() - given.seconds
    source, target = given.source.normalised, given.target.normalised
    return _learn_words(MappedVectors.by(source, target, _read_seed(cut)), begun)


def learn_with_vecmap(cut: CutSet, _: Collection) -> Learned:
    return _learn_with_maps(_count_vectors(cut), _map_counted(cut, VECMAP))


def learn_with_anchored_vecmap(cut: CutSet, _: Collection) -> Learned:
    return _learn_with_maps(_count_vectors(cut), _map_counted(cut, ANCHORED))


def learn_with_vecmap_of_skipgrams(cut: CutSet, _: Collection) -> Learned:
    given = _train_skipgrams(cut)
    return _learn_with_maps(given, _map(given, cut, ANCHORED))


def learn_with_monoses(cut: CutSet, collection: Collection) -> Learned:
    given, maps = _count_vectors(cut), _map_counted(cut, ANCHORED)
    begun = perf_counter() - maps.seconds
    words = compare_by_cosine(given.source.normalised, given.target.normalised, maps)
    chunks: list[Vectors] = []
    for side, path, language in zip(
        (given.source, given.target), (cut.source, cut.target), collection.languages, strict=True
    ):
        names = _extract_chunks(path, language)
        chunks.append(({name: number for number, name in enumerate(names)}, side.embed(names)))
    phrases = compare_by_cosine(chunks[0], chunks[1], maps)
    return Learned(
        _list_matches(phrases, translate(phrases)),
        _list_best(words, translate(words)),
        perf_counter() - begun,
    )


Method = Callable[[CutSet, Collection], Learned]
BASELINES: dict[str, Method] = {
    "skipgram": learn_with_skipgram,
    "ppmi": learn_with_ppmi,
    "vecmap": learn_with_vecmap,
    "vecmap-anchored": learn_with_anchored_vecmap,
    "vecmap-skipgram": learn_with_vecmap_of_skipgrams,
    "monoses": learn_with_monoses,
}


def learn_with_baseline(name: str, cut: CutSet, collection: Collection) -> Learned:
    with threadpool_limits(1):  # sums depend on the number of threads
        return BASELINES[name](cut, collection)


@lru_cache(maxsize=1)
def _train_skipgrams(cut: CutSet) -> SkipGrams:
    begun = perf_counter()
    source, target = (
        train_vectors(lines, available_cores(), least_count=LEAST_COUNT, dimensions=size)
        for lines, size in _read_texts(cut)
    )
    return SkipGrams(source, target, perf_counter() - begun)


@lru_cache(maxsize=1)
def _count_vectors(cut: CutSet) -> Counted:
    begun = perf_counter()
    source, target = (CountVectors.of(lines, size) for lines, size in _read_texts(cut))
    return Counted(source, target, perf_counter() - begun)


def _read_texts(cut: CutSet) -> list[tuple[list[list[str]], int]]:
    """Return the sentences of both texts, and how many dimensions their vectors have."""
    texts = [[line.split() for _, line in read_lines(path)] for path in (cut.source, cut.target)]
    fewest = min(len({word for line in lines for word in line}) for lines in texts)
    return [(lines, min(DIMENSIONS, fewest // 4)) for lines in texts]


def _read_seed(cut: CutSet) -> list[tuple[str, str]]:
    pairs = (line.split("\t") for _, line in read_lines(cut.seed))
    return [(e, f) for e, f in pairs]


def _extract_chunks(path: Path, language: str) -> list[str]:
    prepare = Preparation(language, pretokenised=True)
    found = count_phrases([path], "chunk", prepare, max_words=LONGEST)
    return [*found.phrases.texts()]


@lru_cache(maxsize=2)
def _map_counted(cut: CutSet, recipe: Recipe) -> Maps:
    return _map(_count_vectors(cut), cut, recipe)


def _map(given: SkipGrams | Counted, cut: CutSet, recipe: Recipe) -> Maps:
    begun = perf_counter() - given.seconds
    source, target = _list_vectors(given)
    seed = number_pairs(source, target, _read_seed(cut))
    return Maps(*map_vectors(source[1], target[1], seed, recipe), perf_counter() - begun)


def _list_vectors(given: SkipGrams | Counted) -> tuple[Vectors, Vectors]:
    if isinstance(given, SkipGrams):
        return given.source, given.target
    return given.source.normalised, given.target.normalised


def _learn_with_maps(given: SkipGrams | Counted, maps: Maps) -> Learned:
    begun = perf_counter() - maps.seconds
    by_cosine = compare_by_cosine(*_list_vectors(given), maps)
    return _learn_words(MappedVectors.of(by_cosine.source, by_cosine.target), begun)


def compare_by_cosine(source: Vectors, target: Vectors, maps: Maps) -> MappedVectors:
    """Return vectors in one space, whose score is twice the cosine."""
    sides = [
        (names, to_unit_length(rows @ matrix))
        for (names, rows), matrix in zip((source, target), maps[:2], strict=True)
    ]
    nothing = [np.zeros(len(rows), np.float32) for _, rows in sides]
    return MappedVectors(sides[0], sides[1], nothing[0], nothing[1])


def _learn_words(mapped: MappedVectors, begun: float) -> Learned:
    found = translate(mapped)
    pairs, words = _list_matches(mapped, found), _list_best(mapped, found)
    return Learned(pairs, words, perf_counter() - begun)


def _list_best(mapped: MappedVectors, found: Probabilities) -> list[ScoredPair]:
    one, other = list(mapped.source[0]), list(mapped.target[0])
    best = zip(one, found.best.tolist(), found.probability.tolist(), strict=True)
    return [(e, other[f], probability) for e, f, probability in best]


def _list_matches(mapped: MappedVectors, found: Probabilities) -> list[ScoredPair]:
    one, other = list(mapped.source[0]), list(mapped.target[0])
    e, f = found.matches
    matches = zip(e.tolist(), f.tolist(), found.products.tolist(), strict=True)
    return [(one[row], other[column], product) for row, column, product in matches]


def translate(mapped: MappedVectors) -> Probabilities:
    """Return the best translations of all source items, by a softmax over the target items."""
    temperature = fit_temperature(mapped)
    size, others = len(mapped.source[0]), len(mapped.target[0])
    best, probability = np.empty(size, np.int64), np.empty(size, np.float32)
    sums, sums_too = np.empty(size, np.float32), np.zeros(others, np.float32)
    tiny = np.finfo(np.float32).tiny
    for rows in _blocks(size):
        scores = np.exp((mapped.score(rows) - 1) / temperature)
        sums[rows] = np.maximum(scores.sum(axis=1), tiny)
        sums_too += scores.sum(axis=0)
        best[rows] = scores.argmax(axis=1)
        probability[rows] = scores.max(axis=1) / sums[rows]
    forward, products = np.empty(size, np.int64), np.empty(size, np.float32)
    backward, greatest = np.zeros(others, np.int64), np.full(others, -np.inf, np.float32)
    log_sums_too = np.log(np.maximum(sums_too, tiny))
    for rows in _blocks(size):
        scores = 2 * (mapped.score(rows) - 1) / temperature - log_sums_too
        scores -= np.log(sums[rows, None])
        forward[rows], products[rows] = scores.argmax(axis=1), scores.max(axis=1)
        top, value = scores.argmax(axis=0), scores.max(axis=0)
        backward = np.where(value > greatest, rows[top], backward)
        greatest = np.maximum(value, greatest)
    mutual = np.flatnonzero(backward[forward] == np.arange(size))
    matches = mutual, forward[mutual]
    return Probabilities(best, probability, matches, np.exp(products[mutual]))


def _blocks(size: int) -> list[Numbers]:
    return [np.arange(begin, min(begin + BLOCK, size)) for begin in range(0, size, BLOCK)]


def fit_temperature(mapped: MappedVectors) -> float:
    """Return the temperature at which items are the likeliest translations of their nearest
    neighbours, in both directions."""
    directions = []
    for there, back in ((mapped, mapped.swapped()), (mapped.swapped(), mapped)):
        size = len(there.target[0])
        chosen = np.random.default_rng(0).permutation(size)[:SAMPLE]
        scores = there.score(back.find_best(chosen)[0])
        directions.append((scores, scores[np.arange(len(chosen)), chosen]))

    def compute_loss(log_temperature: float) -> float:
        temperature = np.exp(log_temperature)
        return sum(
            float((logsumexp(scores / temperature, axis=1) - right / temperature).mean())
            for scores, right in directions
        )

    bounds = tuple(np.log(TEMPERATURES))
    return float(np.exp(minimize_scalar(compute_loss, bounds=bounds, method="bounded").x))
