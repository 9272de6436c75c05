"""Probabilities of translations by vectors that are in one space.

The probability of a translation is a softmax of its score over all of them. The temperature is
fitted as in monoses (Artetxe, Labaka and Agirre 2018): items shall be likely translations of their
nearest neighbours, in both directions. Items are words or phrases.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from benchmarks.vectors import MappedVectors, Numbers, Rows, Vectors

# How many scores are computed at a time.
SCORES = 4_000_000
# The temperature is fitted to this many items per side.
SAMPLE = 500
# With these bounds, the exponentials of all scores are finite in single precision.
TEMPERATURES = 0.02, 10.0

BothVectors = tuple[Vectors, Vectors]


class Probabilities(NamedTuple):
    """The best translation of each source item and its probability, and the pairs of items that
    are each other's best by the product of both directions, with this product."""

    best: Numbers
    probability: Rows
    matches: tuple[Numbers, Numbers]
    products: Rows


def compare_by_cosine(vectors: BothVectors) -> MappedVectors:
    """Return vectors in one space, whose score is twice the cosine."""
    near, near_too = (np.zeros(len(rows), np.float32) for _, rows in vectors)
    return MappedVectors(*vectors, near, near_too)


def translate(mapped: MappedVectors) -> Probabilities:
    """Return the best translations of all source items, by a softmax over the target items."""
    temperature = fit_temperature(mapped)
    size, others = len(mapped.source[0]), len(mapped.target[0])
    best, probability = np.empty(size, np.int64), np.empty(size, np.float32)
    sums, sums_too = np.empty(size, np.float32), np.zeros(others, np.float32)
    tiny = np.finfo(np.float32).tiny
    for rows in _blocks(size, others):
        scores = _scale(mapped.score(rows), temperature)
        best[rows] = scores.argmax(axis=1)
        np.exp(scores, out=scores)
        sums[rows] = np.maximum(scores.sum(axis=1), tiny)
        sums_too += scores.sum(axis=0)
        probability[rows] = scores[np.arange(len(rows)), best[rows]] / sums[rows]
    forward, products = np.empty(size, np.int64), np.empty(size, np.float32)
    backward, greatest = np.zeros(others, np.int64), np.full(others, -np.inf, np.float32)
    log_sums, log_sums_too = np.log(sums), np.log(np.maximum(sums_too, tiny))
    for rows in _blocks(size, others):
        scores = _scale(mapped.score(rows), temperature / 2)
        scores -= log_sums_too
        scores -= log_sums[rows, None]
        places = np.arange(len(rows))
        forward[rows] = scores.argmax(axis=1)
        products[rows] = scores[places, forward[rows]]
        top = scores.argmax(axis=0)
        value = scores[top, np.arange(others)]
        backward = np.where(value > greatest, rows[top], backward)
        greatest = np.maximum(value, greatest)
    mutual = np.flatnonzero(backward[forward] == np.arange(size))
    matches = mutual, forward[mutual]
    return Probabilities(best, probability, matches, np.exp(products[mutual]))


def _blocks(size: int, others: int) -> list[Numbers]:
    """Return the numbers of the rows in blocks that need little memory."""
    length = max(SCORES // others, 1)
    return [np.arange(begin, min(begin + length, size)) for begin in range(0, size, length)]


def _scale(scores: Rows, temperature: float) -> Rows:
    """Return (score - 1) / T, in place: the exponential of it is finite."""
    scores -= 1
    scores /= np.float32(temperature)
    return scores


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
