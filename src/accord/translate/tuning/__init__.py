"""Weights that make the best BLEU on a development set: minimum error rate training (Och 2003).

Notation: w  the weights;  d  a direction;  γ  how far w goes along it: w + γ·d

The decoder lists its best translations of each sentence. Along a direction, which of the list wins
changes at a few γ only, and BLEU with it: so the best γ of all is found exactly. Directions are
the features one by one, and some at random; when none helps any more, the sentences are
translated with the new weights, and what is new in the lists joins them. The same input gives the
same weights.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.system.arrays import offsets_of
from accord.translate.bleu import References
from accord.translate.decoder import Translation
from accord.translate.tuning import tuning_kernels as kernels
from accord.translate.weights import PLACES, UNKNOWN_WORD, Weights

# How often the sentences are translated, at most; and directions at random each time.
ROUNDS, DIRECTIONS = 6, 20
# BLEU, out of 1, that a change of weights has to be worth.
LEAST_GAIN = 1e-5

Floats = NDArray[np.float64]
Translate = Callable[[Weights], list[list[Translation]]]


class Lists(NamedTuple):
    """The translations of all sentences, one after the other."""

    offsets: NDArray[np.int64]
    features: Floats
    statistics: Floats  # what BLEU is made of: matches and totals of 1 to 4 words, two lengths


class Tuned(NamedTuple):
    """The weights, and the BLEU of the development set each time it was translated."""

    weights: Weights
    history: list[float]


def tune(
    translate: Translate,
    references: References,
    start: Weights,
    tell: Callable[[float], object] = lambda _: None,
) -> Tuned:
    """The weights with the best BLEU, of those that have translated the development set."""
    pool: list[dict[str, tuple[Floats, Floats]]] = [{} for _ in references.texts]
    generator = np.random.default_rng(0)
    weights, best, history = start, start, list[float]()
    for _ in range(ROUNDS):
        found = translate(weights)
        new = _add(pool, found, references)
        firsts = np.sum([pool[n][one[0].words][1] for n, one in enumerate(found)], axis=0)
        history.append(float(bleu_of(firsts[None])[0]))
        tell(history[-1])
        if history[-1] >= max(history):
            best = weights
        if not new:
            break
        weights = _optimised(_lists(pool), weights, generator)
    return Tuned(best, history)


def _add(
    pool: list[dict[str, tuple[Floats, Floats]]],
    found: list[list[Translation]],
    references: References,
) -> int:
    """How many translations are new. Of equal words, the first, which is the better, stays."""
    new = [
        (n, one)
        for n, translations in enumerate(found)
        for one in {one.words: one for one in reversed(translations)}.values()
        if one.words not in pool[n]
    ]
    stats = references.statistics((n, one.words) for n, one in new)
    for (n, one), row in zip(new, stats, strict=True):
        pool[n][one.words] = one.features, row
    return len(new)


def _lists(pool: list[dict[str, tuple[Floats, Floats]]]) -> Lists:
    rows = [row for translations in pool for row in translations.values()]
    features, stats = (np.array([row[part] for row in rows]) for part in (0, 1))
    return Lists(offsets_of(np.array([*map(len, pool)])), features, stats)


def _optimised(lists: Lists, start: Weights, generator: np.random.Generator) -> Weights:
    w = start.vector
    size = np.abs(w).sum()
    best = -np.inf
    while True:
        before = best
        for d in _directions(len(w), generator):
            gain, gamma = best_step(lists, w, d)
            if gain > best + LEAST_GAIN:
                w, best = w + gamma * d, gain
        if best <= before + LEAST_GAIN:
            break
    # The decoder's beam knows the size of weights, BLEU does not: it stays.
    return Weights(tuple((w * size / np.abs(w).sum()).tolist()))


def _directions(size: int, generator: np.random.Generator) -> Iterator[Floats]:
    fixed = PLACES[UNKNOWN_WORD].start
    for place in range(size):
        if place != fixed:
            yield np.eye(size)[place]
    for _ in range(DIRECTIONS):
        d = generator.normal(size=size)
        d[fixed] = 0.0
        yield d


def best_step(lists: Lists, w: Floats, d: Floats) -> tuple[float, float]:
    """(the best BLEU along the direction, the γ in the middle of where it is)."""
    values, slopes = lists.features @ w, lists.features @ d
    sentence = np.repeat(np.arange(len(lists.offsets) - 1), np.diff(lists.offsets))
    order = np.lexsort((values, slopes, sentence))
    translations, begins = kernels.envelopes(lists.offsets, values, slopes, order)
    first = np.isneginf(begins)
    stats = lists.statistics[translations]
    changes = np.empty_like(stats)
    changes[1:] = stats[1:] - stats[:-1]
    at = np.flatnonzero(~first)
    at = at[np.argsort(begins[at], kind="stable")]
    totals = stats[first].sum(axis=0) + np.concatenate(
        [np.zeros((1, stats.shape[1])), np.cumsum(changes[at], axis=0)]
    )
    scores = bleu_of(totals)
    edges = np.concatenate([[-np.inf], begins[at], [np.inf]])
    # An interval without width is none.
    scores[edges[1:] <= edges[:-1]] = -np.inf
    winner = int(np.argmax(scores))
    low, high = edges[winner], edges[winner + 1]
    if np.isinf(low) and np.isinf(high):
        return float(scores[winner]), 0.0
    if np.isinf(low):
        return float(scores[winner]), float(high - 1.0)
    if np.isinf(high):
        return float(scores[winner]), float(low + 1.0)
    return float(scores[winner]), float((low + high) / 2)


def bleu_of(totals: Floats) -> Floats:
    """BLEU out of 1 of rows of statistics; an n-gram that never matches counts as half a match."""
    matches, counts, length, reference = totals[:, :4], totals[:, 4:8], totals[:, 8], totals[:, 9]
    precisions = np.maximum(matches, 0.5) / np.maximum(counts, 1)
    brevity = np.minimum(0.0, 1 - reference / np.maximum(length, 1))
    scores: Floats = np.exp(np.log(precisions).mean(axis=1) + brevity)
    return scores
