"""Baselines on the same tokens, seeds and words as Accord: vectors of each language, and a map.

skipgram         skip-gram vectors, mapped by Procrustes
ppmi             vectors from counts (`counting.py`), mapped by Procrustes
vecmap           the same vectors, mapped by VecMap's semi-supervised recipe (`mapping.py`)
vecmap-anchored  the same, with a variant of its self-learning that keeps the seed
vecmap-skipgram  skip-gram vectors, mapped by this variant
monoses          phrase vectors from counts, mapped like `vecmap-anchored`

Words are translated by CSLS, in `monoses` by cosine; `probabilities.py` says how likely each
translation is. Phrase pairs are compared by cosine, because CSLS prefers rare words. Their score is
the product of the probabilities of both directions, and only those are returned that are each
other's best by it. They are pairs of single words, except those of `monoses`: its phrases are the
chunks that Accord pairs.

Nothing here is taken from what Accord learns with. All but gensim's skip-gram vectors are
deterministic. Vectors that several methods share are made once, and their time counts for each.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from accord.corpus.text.extraction import Preparation, count_phrases
from accord.system.reading import read_lines
from accord.system.runners.threads import available_cores
from benchmarks.real.counting import LEAST_COUNT, CountVectors
from benchmarks.real.mapping import ANCHORED, VECMAP, Recipe, map_vectors
from benchmarks.real.probabilities import BothVectors, Probabilities, compare_by_cosine, translate
from benchmarks.real.sets import Collection, CutSet
from benchmarks.real.systems import Learned, ScoredPair
from benchmarks.vectors import (
    DIMENSIONS,
    MappedVectors,
    Rows,
    Vectors,
    number_pairs,
    to_unit_length,
    train_vectors,
)

LONGEST = 5


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
    return _learn_words(_rotate(given.source, given.target, cut), begun)


def learn_with_ppmi(cut: CutSet, _: Collection) -> Learned:
    given = _count_vectors(cut)
    begun = perf_counter() - given.seconds
    return _learn_words(_rotate(given.source.normalised, given.target.normalised, cut), begun)


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
    words = compare_by_cosine(_apply(maps, _list_vectors(given)))
    chunks: list[Vectors] = []
    for side, path, language in zip(
        (given.source, given.target), (cut.source, cut.target), collection.languages, strict=True
    ):
        names = _extract_chunks(path, language)
        chunks.append(({name: number for number, name in enumerate(names)}, side.embed(names)))
    phrases = compare_by_cosine(_apply(maps, (chunks[0], chunks[1])))
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


def _list_vectors(given: SkipGrams | Counted) -> BothVectors:
    if isinstance(given, SkipGrams):
        return given.source, given.target
    return given.source.normalised, given.target.normalised


def _learn_with_maps(given: SkipGrams | Counted, maps: Maps) -> Learned:
    begun = perf_counter() - maps.seconds
    return _learn_words(_apply(maps, _list_vectors(given)), begun)


def _rotate(source: Vectors, target: Vectors, cut: CutSet) -> BothVectors:
    mapped = MappedVectors.by(source, target, _read_seed(cut))
    return mapped.source, mapped.target


def _apply(maps: Maps, vectors: BothVectors) -> BothVectors:
    (names, X), (others, Y) = vectors
    return (names, to_unit_length(X @ maps.source)), (others, to_unit_length(Y @ maps.target))


def _learn_words(vectors: BothVectors, begun: float) -> Learned:
    by_rank, by_cosine = MappedVectors.of(*vectors), compare_by_cosine(vectors)
    return Learned(
        _list_matches(by_cosine, translate(by_cosine)),
        _list_best(by_rank, translate(by_rank)),
        perf_counter() - begun,
    )


def _list_best(mapped: MappedVectors, found: Probabilities) -> list[ScoredPair]:
    one, other = list(mapped.source[0]), list(mapped.target[0])
    best = zip(one, found.best.tolist(), found.probability.tolist(), strict=True)
    return [(e, other[f], probability) for e, f, probability in best]


def _list_matches(mapped: MappedVectors, found: Probabilities) -> list[ScoredPair]:
    one, other = list(mapped.source[0]), list(mapped.target[0])
    e, f = found.matches
    matches = zip(e.tolist(), f.tolist(), found.products.tolist(), strict=True)
    return [(one[row], other[column], product) for row, column, product in matches]
