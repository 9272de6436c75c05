"""In which order pairs are shown: the uncertain and frequent first, and every fourth at random.

What is uncertain, accord.runs.priority says. The pairs drawn at random are there for the estimate
(accord.web.review.estimate), and for what is sure and wrong all the same.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.runs.priority import most_telling

EVERY = 4

Numbers = NDArray[np.int64]


class Turns(NamedTuple):
    """The numbers of all pairs, in three orders."""

    shown: Numbers
    by_worth: Numbers
    at_random: Numbers


def turns(sure: NDArray[np.float64], frequency: Numbers) -> Turns:
    """The same for the same pairs; `frequency` is that of the rarest word of each."""
    count = len(sure)
    by_worth = most_telling(sure, frequency)
    at_random = np.random.default_rng(0).permutation(count)
    # A pair comes when the first of its two turns does.
    turn = np.empty((2, count))
    turn[0, by_worth] = np.arange(count) * EVERY / (EVERY - 1)
    turn[1, at_random] = np.arange(1, count + 1) * EVERY - 0.5
    return Turns(np.argsort(turn.min(axis=0), kind="stable"), by_worth, at_random)
