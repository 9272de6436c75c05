"""In which order pairs are shown: what is uncertain and frequent first, and every fifth at random."""

import numpy as np
from numpy.typing import NDArray

# A pair in so many is drawn at random, so that what is never uncertain is looked at, too.
EVERY = 5


def in_turn(sure: NDArray[np.float64], frequency: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the pairs, in the order in which they are shown."""
    by_worth = np.argsort(-(sure * (1 - sure) * np.log1p(frequency)), kind="stable")
    at_random = np.random.default_rng(0).permutation(len(sure))
    # Each comes when its first turn is, be it by its worth or at random.
    turn = np.empty(len(sure))
    turn[by_worth] = np.arange(len(sure)) * EVERY / (EVERY - 1)
    drawn = np.empty(len(sure))
    drawn[at_random] = np.arange(1, len(sure) + 1) * EVERY - 0.5
    return np.argsort(np.minimum(turn, drawn), kind="stable")
