"""Tuning: weights with the best BLEU on a development set, by MERT (Och 2003).

Notation: w  the weights;  d  a direction;  γ  the length of a step along it: w + γ·d

The decoder returns n-best lists. Along a direction, the winner of a list changes only at a few
values of γ, and so does BLEU: the best γ of all is found exactly. The directions are the features
one by one, and some random ones. When none of them improves BLEU, the sentences are translated with
the new weights, and new translations are added to the lists. The same input gives the same weights.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from accord.system.arrays import Floats, Offsets, offsets_of
from accord.system.blas import limit_blas_to_one_thread
from accord.translate import tuning_kernels as kernels
from accord.translate.bleu import References
from accord.translate.decoder import ScoredTranslation
from accord.translate.weights import PLACES, UNKNOWN_WORD, Weights

# How often the sentences are translated at most, and the number of random directions each time.
ROUNDS, DIRECTIONS = 6, 20
# A change of the weights must improve BLEU, out of 1, by this much.
LEAST_GAIN = 1e-5
# Shorter intervals of γ may be due to rounding: in truth, several translations win at one γ.
LEAST_WIDTH = 1e-9

Translate = Callable[[Weights], list[list[ScoredTranslation]]]


class Candidate(NamedTuple):
    """The features of a translation, and its contribution to BLEU."""

    features: Floats
    statistics: Floats  # see `References.statistics`


# For each sentence, the translations found so far by their words.
Pool = list[dict[str, Candidate]]


class NBestLists(NamedTuple):
    """The candidates of all sentences: sentence n has the rows offsets[n]..offsets[n + 1] - 1."""

    offsets: Offsets
    features: Floats
    statistics: Floats


class TunedWeights(NamedTuple):
    """The weights, and the BLEU of the development set in each round."""

    weights: Weights
    history: list[float]


def tune_weights(
    translate: Translate,
    references: References,
    start: Weights,
    report: Callable[[float], object] = lambda _: None,
) -> TunedWeights:
    """Return the weights with the best BLEU, among those the development set was translated with.

    `report` is called with the BLEU of each round.
    """
    pool: Pool = [{} for _ in references.texts]
    generator = np.random.default_rng(0)
    weights, best, history = start, start, list[float]()
    for _ in range(ROUNDS):
        found = translate(weights)
        new = _add_candidates(pool, found, references)
        winners = [pool[n][one[0].words].statistics for n, one in enumerate(found)]
        history.append(float(bleu_from_statistics(np.sum(winners, axis=0)[None])[0]))
        report(history[-1])
        if history[-1] >= max(history):
            best = weights
        if not new:
            break
        weights = _optimise(_join_pool(pool), weights, generator)
    return TunedWeights(best, history)


def _add_candidates(
    pool: Pool, found: list[list[ScoredTranslation]], references: References
) -> int:
    """Add new translations and return their number; of equal words, the best-scored is kept."""
    new = [
        (n, one)
        for n, translations in enumerate(found)
        for one in {one.words: one for one in reversed(translations)}.values()
        if one.words not in pool[n]
    ]
    statistics = references.statistics((n, one.words) for n, one in new)
    for (n, one), row in zip(new, statistics, strict=True):
        pool[n][one.words] = Candidate(one.features, row)
    return len(new)


def _join_pool(pool: Pool) -> NBestLists:
    rows = [row for candidates in pool for row in candidates.values()]
    return NBestLists(
        offsets_of(np.array([*map(len, pool)])),
        np.array([row.features for row in rows]),
        np.array([row.statistics for row in rows]),
    )


@limit_blas_to_one_thread()
def _optimise(lists: NBestLists, start: Weights, generator: np.random.Generator) -> Weights:
    w = start.vector
    size = np.abs(w).sum()
    best = -np.inf
    tuned = _find_tuned_features(lists)
    while True:
        before = best
        for d in _choose_directions(tuned, len(w), generator):
            gain, gamma = find_best_step(lists, w, d)
            if gain > best + LEAST_GAIN:
                w, best = w + gamma * d, gain
        if best <= before + LEAST_GAIN:
            break
    # BLEU does not depend on the norm of the weights, but the decoder's beam does: keep it.
    return Weights(tuple((w * size / np.abs(w).sum()).tolist()))


def _find_tuned_features(lists: NBestLists) -> Offsets:
    """Return the features whose weights matter: not those of a table that is not there.

    The penalty for unknown words is fixed: it only has to be so large that no known word is copied.
    """
    varying = np.ptp(lists.features, axis=0) > 0
    varying[PLACES[UNKNOWN_WORD]] = False
    return np.flatnonzero(varying)


def _choose_directions(
    tuned: Offsets, size: int, generator: np.random.Generator
) -> Iterator[Floats]:
    for place in tuned.tolist():
        yield np.eye(size)[place]
    for _ in range(DIRECTIONS):
        d = np.zeros(size)
        d[tuned] = generator.normal(size=len(tuned))
        yield d


def find_best_step(lists: NBestLists, w: Floats, d: Floats) -> tuple[float, float]:
    """Return (the best BLEU along the direction, the γ in the middle of its interval)."""
    values, slopes = lists.features @ w, lists.features @ d
    sentence = np.repeat(np.arange(len(lists.offsets) - 1), np.diff(lists.offsets))
    order = np.lexsort((values, slopes, sentence))
    translations, begins = kernels.upper_envelopes(lists.offsets, values, slopes, order)
    first = np.isneginf(begins)
    statistics = lists.statistics[translations]
    changes = np.empty_like(statistics)
    changes[1:] = statistics[1:] - statistics[:-1]
    at = np.flatnonzero(~first)
    at = at[np.argsort(begins[at], kind="stable")]
    totals = statistics[first].sum(axis=0) + np.concatenate(
        [np.zeros((1, statistics.shape[1])), np.cumsum(changes[at], axis=0)]
    )
    scores = bleu_from_statistics(totals)
    edges = np.concatenate([[-np.inf], begins[at], [np.inf]])
    scores[edges[1:] - edges[:-1] < LEAST_WIDTH] = -np.inf
    winner = int(np.argmax(scores))
    low, high = edges[winner], edges[winner + 1]
    if np.isinf(low) and np.isinf(high):
        return float(scores[winner]), 0.0
    if np.isinf(low):
        return float(scores[winner]), float(high - 1.0)
    if np.isinf(high):
        return float(scores[winner]), float(low + 1.0)
    return float(scores[winner]), float((low + high) / 2)


def bleu_from_statistics(totals: Floats) -> Floats:
    """Return BLEU out of 1 for each row; an n-gram order without matches counts as half a match."""
    matches, counts, length, reference = totals[:, :4], totals[:, 4:8], totals[:, 8], totals[:, 9]
    precisions = np.maximum(matches, 0.5) / np.maximum(counts, 1)
    brevity = np.minimum(0.0, 1 - reference / np.maximum(length, 1))
    scores: Floats = np.exp(np.log(precisions).mean(axis=1) + brevity)
    return scores
