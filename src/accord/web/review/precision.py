"""The order in which pairs are reviewed, and the precision that can be estimated from it.

Notation: p  the confidence of a pair;  H(p)  its entropy, from 0 to 1 bit
          support  how often the rarest word of a pair occurs

The most informative pairs come first. A decision on a certain pair is not informative. Among pairs
that are about equally uncertain, a pair of frequent words is more informative about others. So
pairs are sorted by H(p), rounded to one digit, and then by their support. (A product of both is
worse, since frequent words are in pairs of high confidence: with H(p)·log(1 + support), decisions
improved a run by two thirds as much, see benchmarks/README.md.) Pairs of function words and of
parts of phrases, which are not among the phrase pairs of a text, come last.

Every fourth pair is drawn at random, for the estimate, and to find errors among pairs of high
confidence. The pairs reviewed so far are not a random sample of all: uncertain pairs come first,
and fewer of them are correct. How many fewer cannot be computed from the confidences of the run,
which may themselves be wrong. But

- of the most informative pairs, all those up to the first undecided one are known;
- of all others, those drawn at random, up to the first undecided one, are a random sample.

With k correct and n − k wrong in the sample, the share of correct pairs in the rest has the
posterior Beta(k + ½, n − k + ½) (Jeffreys), and the number of correct pairs among the unreviewed
ones is beta-binomial: its central 95%, added to the known pairs, is the interval. Its width is zero
when all pairs are reviewed. Pairs reviewed out of turn are not used, because a user chose them.
Skipped pairs are ignored; a corrected pair was wrong.

With a filter, the same is computed for the pairs that match it, with the two orders of these pairs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from accord.evidence.decisions import STATUSES
from accord.system.arrays import Floats, Ids, Mask, Offsets

# The statuses of pairs as numbers in an array.
UNDECIDED = 0
STATUS_CODES: dict[str, int] = {status: code for code, status in enumerate(STATUSES, start=1)}
ACCEPTED, SKIPPED = STATUS_CODES["accepted"], STATUS_CODES["skipped"]
StatusCodes = NDArray[np.uint8]

# One pair in EVERY is drawn at random.
EVERY = 4
TAIL = 0.025  # the probability on either side of the interval
PRIOR = 0.5
# With a smaller sample of very many pairs there is no estimate.
FEWEST = 5


class ReviewOrder(NamedTuple):
    """The numbers of all pairs in three orders."""

    shown: Offsets
    by_information: Offsets
    at_random: Offsets


class PrecisionEstimate(NamedTuple):
    """The share of pairs that are correct, and its 95% interval."""

    precision: float
    low: float
    high: float
    pairs: int
    drawn: int  # how many of them were reviewed because they were drawn at random


def rank_by_information(p: Floats, support: Offsets, is_term: Mask | None = None) -> Offsets:
    """Return the places of the pairs, most informative first, and pairs that are no terms last;
    ties keep their order."""
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.nan_to_num(-p * np.log2(p) - (1 - p) * np.log2(1 - p))
    # One number for all: support is less than 2³².
    keys = (np.rint(10 * entropy).astype(np.int64) << 32) + support
    if is_term is not None:
        keys += is_term.astype(np.int64) << 40
    return np.argsort(-keys, kind="stable")


def order_pairs(scores: Floats, frequency: Offsets, is_term: Mask) -> ReviewOrder:
    """Return the orders, the same for the same pairs. `frequency` is that of the rarest word of
    each pair."""
    count = len(scores)
    by_information = rank_by_information(scores, frequency, is_term)
    at_random = np.random.default_rng(0).permutation(count)
    # A pair is shown at the earlier of its two turns.
    turn = np.empty((2, count))
    turn[0, by_information] = np.arange(count) * EVERY / (EVERY - 1)
    turn[1, at_random] = np.arange(1, count + 1) * EVERY - 0.5
    shown = np.argsort(turn.min(axis=0), kind="stable")
    return ReviewOrder(shown, by_information, at_random)


def estimate_precision(
    codes: StatusCodes, by_information: Ids, at_random: Ids, chosen: Mask
) -> PrecisionEstimate | None:
    """Estimate the precision of the chosen pairs; `codes` has the status of each place, and the two
    orders hold places."""
    pairs = int(np.count_nonzero(chosen & (codes != SKIPPED)))
    decided = int(np.count_nonzero(chosen & (codes != UNDECIDED)))
    if not decided:
        return None
    first, drawn = (
        _take_known(codes, _take_chosen(order, chosen, decided + 1))
        for order in (by_information, at_random)
    )
    sample = np.setdiff1d(drawn, first)
    rest = pairs - len(first) - len(sample)
    # The width of the interval is about the share of the rest, over the root of the sample size.
    if not pairs or (rest / pairs) ** 2 * (FEWEST + 1) > len(sample) + 1:
        return None
    right = _count_right(codes, sample)
    known = _count_right(codes, first) + right
    shares = _posterior_shares(right + PRIOR, len(sample) - right + PRIOR, rest)
    precision, low, high = ((known + rest * share) / pairs for share in shares)
    return PrecisionEstimate(precision, low, high, pairs, len(sample))


def _take_chosen(order: Ids, chosen: Mask, count: int) -> Ids:
    """Return the first `count` that are chosen, usually without reading the whole order."""
    size = 2 * count
    while True:
        found = order[:size][chosen[order[:size]]]
        if len(found) >= count or size >= len(order):
            return np.asarray(found[:count])
        size *= 8


def _take_known(codes: StatusCodes, order: Ids) -> Ids:
    """Return the decided places up to the first undecided one."""
    undecided = np.flatnonzero(codes[order] == UNDECIDED)
    known = order[: undecided[0]] if len(undecided) else order
    return np.asarray(known[codes[known] != SKIPPED])


def _count_right(codes: StatusCodes, places: Ids) -> int:
    return int(np.count_nonzero(codes[places] == ACCEPTED))


def _posterior_shares(a: float, b: float, count: int) -> tuple[float, float, float]:
    """Return the mean and the interval of the share of correct pairs among `count`, if the share in
    all has the posterior Beta(a, b).

    The number of correct pairs is beta-binomial; the interval is that of the beta distribution with
    the same mean and variance.
    """
    mean = a / (a + b)
    # The variance is mean · (1 − mean) / (size + 1).
    size = count * (a + b + 1) / (a + b + count) - 1
    if size <= 0:  # a single pair is correct or wrong
        return mean, 0.0, 1.0
    # This is scipy.stats.beta.ppf, which takes a second to import: the first decision would wait.
    low, high = betaincinv(mean * size, (1 - mean) * size, (TAIL, 1 - TAIL))
    return mean, float(low), float(high)
