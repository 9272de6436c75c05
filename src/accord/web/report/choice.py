"""Which pairs a report holds, where there are too many for a page: the surest, and a fair sample.

Nothing is chosen to please: the sample goes from the surest to the least sure at even steps.
"""

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]


def by_sureness(sureness: NDArray[np.float64]) -> Places:
    """The places of all pairs, the surest first; of equal ones the first."""
    return np.argsort(-sureness, kind="stable")


def surest_and_sample(ordered: Places, count: int) -> Places:
    """So many of these, in their order: half of them the first, the others of the rest."""
    if count >= len(ordered):
        return ordered
    first, rest = ordered[: count // 2], ordered[count // 2 :]
    return np.concatenate([first, evenly(rest, count - len(first))])


def nested(ordered: Places, most: int) -> list[Places]:
    """Samples of half the size each time, each part of the one before; the last is empty."""
    samples = [surest_and_sample(ordered, most)]
    while most:
        most //= 2
        samples.append(surest_and_sample(samples[-1], most))
    return samples


def evenly(ordered: Places, count: int) -> Places:
    """So many of these at even steps, the last among them."""
    count = min(count, len(ordered))
    steps = np.arange(1, count + 1) * len(ordered) // max(count, 1) - 1
    return ordered[steps]
