"""The pairs that a report contains if there are too many for a page: those with the highest scores,
and a sample of the rest at even steps, down to the lowest score. Nothing is hand-picked."""

import numpy as np

from accord.system.arrays import Floats, Offsets


def rank_pairs(scores: Floats) -> Offsets:
    """Return the places of all pairs, highest score first; ties keep their order."""
    return np.argsort(-scores, kind="stable")


def take_sample(ranked: Offsets, count: int) -> Offsets:
    """Return `count` of the places in their order: one half are the first, the other is a sample of
    the rest."""
    if count >= len(ranked):
        return ranked
    first, rest = ranked[: count // 2], ranked[count // 2 :]
    return np.concatenate([first, take_evenly(rest, count - len(first))])


def take_nested_samples(ranked: Offsets, most: int) -> list[Offsets]:
    """Return samples, each half as large as the one before and part of it; the last is empty."""
    samples = [take_sample(ranked, most)]
    while most:
        most //= 2
        samples.append(take_sample(samples[-1], most))
    return samples


def take_evenly(ranked: Offsets, count: int) -> Offsets:
    """Return `count` of the places at even steps, the last one included."""
    count = min(count, len(ranked))
    steps = np.arange(1, count + 1) * len(ranked) // max(count, 1) - 1
    return ranked[steps]
