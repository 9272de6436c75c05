"""In which order pairs are shown: the most informative first, and every fourth at random.

Notation: p  the confidence of a pair;  H(p)  its entropy, from 0 to 1 bit
          support  how often the rarest word of a pair occurs

A decision about a certain pair is not informative. Among pairs that are about equally uncertain,
one of frequent words says more about others. So pairs are sorted by H(p), rounded to one digit, and
then by their support. (Weighing one against the other is worse, as frequent words are in pairs of
high confidence: H(p)·log(1 + support) was worth two thirds as much, see benchmarks/README.md.)

The pairs drawn at random are for the estimate (accord.web.review.estimate), and for errors among
pairs of high confidence.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EVERY = 4

Numbers = NDArray[np.int64]


class Turns(NamedTuple):
    """The numbers of all pairs, in three orders."""

    shown: Numbers
    by_worth: Numbers
    at_random: Numbers


def rank_by_information(p: NDArray[np.float64], support: Numbers) -> Numbers:
    """Return the places of the pairs, the most informative first; equal ones stay in order."""
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.nan_to_num(-p * np.log2(p) - (1 - p) * np.log2(1 - p))
    # One number for both: support is less than 2³².
    keys = (np.rint(10 * entropy).astype(np.int64) << 32) + support
    return np.argsort(-keys, kind="stable")


def turns(sure: NDArray[np.float64], frequency: Numbers) -> Turns:
    """The same for the same pairs; `frequency` is that of the rarest word of each."""
    count = len(sure)
    by_worth = rank_by_information(sure, frequency)
    at_random = np.random.default_rng(0).permutation(count)
    # A pair comes when the first of its two turns does.
    turn = np.empty((2, count))
    turn[0, by_worth] = np.arange(count) * EVERY / (EVERY - 1)
    turn[1, at_random] = np.arange(1, count + 1) * EVERY - 0.5
    return Turns(np.argsort(turn.min(axis=0), kind="stable"), by_worth, at_random)
