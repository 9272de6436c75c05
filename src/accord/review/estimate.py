"""How many pairs are right, as far as the decisions tell: an estimate with its interval.

The pairs that are decided are no random sample of all: what is uncertain and frequent is shown
first, and people choose by filters. So pairs are parted into strata, by their probability of being
right and by whether their words are frequent, and what is decided of a stratum speaks for the rest
of it. In stratum b, of whose N pairs n are decided and k of these right, the share θ of right ones
has the posterior Beta(m + k, 1 − m + n − k), with the mean m of the probabilities in the stratum
as a prior that is worth one decision: a stratum of which nothing is decided says little, and makes
the interval wide. The k that are known and the beta-binomial number of right ones among the other
N − n add up over the strata to a mean and a variance, and these to a beta distribution, whose
middle 95 hundredths are the interval. It closes when all is decided.

Every fifth pair is drawn at random from all (accord.review.queue): so that no stratum goes without
decisions for long.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

EDGES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
# What a prior of one decision says where the run has no probabilities.
UNKNOWN = 0.5
OUTSIDE = 0.025
# With fewer decisions nothing is said.
FEWEST = 10

Numbers = NDArray[np.int64]


class Estimate(NamedTuple):
    """The share of pairs that are right, and where it is with a probability of 95 in 100."""

    precision: float
    low: float
    high: float
    decided: int
    pairs: int


class Strata(NamedTuple):
    """Which stratum each pair is in, and what is known of these before anything is decided."""

    of: NDArray[np.uint8]
    sizes: Numbers
    prior: NDArray[np.float64]  # m

    @classmethod
    def by(
        cls,
        probability: NDArray[np.floating],
        frequency: NDArray[np.integer],
        is_word: NDArray[np.bool_],
    ) -> "Strata":
        """Words and phrases apart, then by probability, then halves by frequency."""
        sure = np.nan_to_num(probability.astype(np.float64), nan=UNKNOWN)
        bins = np.searchsorted(EDGES, sure, "right")
        is_frequent = np.zeros(len(sure), np.bool_)
        for kind in (is_word, ~is_word):
            if kind.any():
                is_frequent[kind] = frequency[kind] > np.median(frequency[kind])
        count = len(EDGES) + 1
        of = ((is_word * count + bins) * 2 + is_frequent).astype(np.uint8)
        sizes = np.bincount(of, minlength=4 * count)
        means = np.bincount(of, sure, minlength=4 * count) / np.maximum(sizes, 1)
        return cls(of, sizes, means)

    @staticmethod
    def of_words() -> NDArray[np.bool_]:
        """Which strata are those of words."""
        count = 2 * (len(EDGES) + 1)
        return np.arange(2 * count) >= count


def estimate(
    sizes: Numbers, prior: NDArray[np.float64], right: Numbers, wrong: Numbers
) -> Estimate | None:
    """Of the pairs in these strata, of which so many were found right and wrong."""
    decided, pairs = int((right + wrong).sum()), int(sizes.sum())
    if decided < min(FEWEST, pairs) or not pairs:
        return None
    a, b = prior + right, 1 - prior + wrong
    rest = sizes - right - wrong
    mean = a / (a + b)
    of_rest = rest * mean * (1 - mean) * (a + b + rest) / (a + b + 1)
    precision = float((right + rest * mean).sum() / pairs)
    variance = float(of_rest.sum() / pairs**2)
    return Estimate(precision, *_interval(precision, variance), decided, pairs)


def _interval(mean: float, variance: float) -> Sequence[float]:
    """The middle of the beta distribution that has this mean and variance."""
    if variance == 0:
        return mean, mean
    size = mean * (1 - mean) / variance - 1
    ends = betaincinv(mean * size, (1 - mean) * size, (OUTSIDE, 1 - OUTSIDE))
    return [float(end) for end in ends]
