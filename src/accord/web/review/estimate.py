"""How many pairs are right, as far as the decisions tell: an estimate with its interval.

The pairs that are decided are no random sample of all: the uncertain and frequent come first, so
that fewer of them are right; nor do the run's own probabilities tell how much fewer, as they may be
wrong themselves. But every fourth pair is drawn at random (accord.web.review.queue). So

- of the pairs that are worth most, those up to the first that is undecided are all known;
- of all others, those drawn at random, up to the first that is undecided, are a random sample.

With k right and n − k wrong in the sample, the share of right ones in the rest has the posterior
Beta(k + ½, n − k + ½) (Jeffreys), and the number of right ones among those of the rest that nobody
has looked at is beta-binomial: its middle 95 hundredths, added to what is known, are the interval,
which closes when all is decided. What else was decided, out of turn, is not used: somebody chose
it. Skipped pairs are left out, as if they were not there; one that was corrected was wrong.

All this holds for the pairs that a filter lets through as it does for all: the two orders are then
those of these pairs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from accord.web.review.marks import ACCEPTED, SKIPPED, UNDECIDED

OUTSIDE = 0.025
PRIOR = 0.5
# With less than a sample of so many of a great many pairs nothing is said.
FEWEST = 5

Places = NDArray[np.int32]
Marks = NDArray[np.uint8]


class Estimate(NamedTuple):
    """The share of pairs that are right, and where it is with a probability of 95 in 100."""

    precision: float
    low: float
    high: float
    pairs: int
    drawn: int  # how many of them were decided as they were drawn at random


def estimate(
    marks: Marks, by_worth: Places, at_random: Places, chosen: NDArray[np.bool_]
) -> Estimate | None:
    """Of the chosen ones of the pairs that are given in both orders; `marks` has what is decided of
    each place."""
    pairs = int(np.count_nonzero(chosen & (marks != SKIPPED)))
    decided = int(np.count_nonzero(chosen & (marks != UNDECIDED)))
    if not decided:
        return None
    first, drawn = (
        _known(marks, _first(order, chosen, decided + 1)) for order in (by_worth, at_random)
    )
    sample = np.setdiff1d(drawn, first)
    rest = pairs - len(first) - len(sample)
    # How wide the interval can be goes by the share of the rest, and by the root of the sample.
    if not pairs or (rest / pairs) ** 2 * (FEWEST + 1) > len(sample) + 1:
        return None
    known, found = _right(marks, first) + _right(marks, sample), _right(marks, sample)
    shares = _shares(found + PRIOR, len(sample) - found + PRIOR, rest)
    precision, low, high = ((known + rest * share) / pairs for share in shares)
    return Estimate(precision, low, high, pairs, len(sample))


def _first(order: Places, chosen: NDArray[np.bool_], count: int) -> Places:
    """The first so many that are chosen; of a million, not all are looked at."""
    size = 2 * count
    while True:
        found = order[:size][chosen[order[:size]]]
        if len(found) >= count or size >= len(order):
            return np.asarray(found[:count])
        size *= 8


def _known(marks: Marks, order: Places) -> Places:
    """Those that are decided, up to the first that is not."""
    undecided = np.flatnonzero(marks[order] == UNDECIDED)
    known = order[: undecided[0]] if len(undecided) else order
    return np.asarray(known[marks[known] != SKIPPED])


def _right(marks: Marks, places: Places) -> int:
    return int(np.count_nonzero(marks[places] == ACCEPTED))


def _shares(a: float, b: float, count: int) -> tuple[float, float, float]:
    """The mean and the interval of the share of right ones among so many, where the share in all
    has the posterior Beta(a, b): those of the beta distribution with the mean and the variance of
    a beta-binomial number."""
    mean = a / (a + b)
    # The variance is mean · (1 − mean) / (size + 1).
    size = count * (a + b + 1) / (a + b + count) - 1
    if size <= 0:  # a single pair is right or wrong
        return mean, 0.0, 1.0
    low, high = betaincinv(mean * size, (1 - mean) * size, (OUTSIDE, 1 - OUTSIDE))
    return mean, float(low), float(high)
