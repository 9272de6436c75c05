"""Which pairs people should look at first: the most uncertain, and of these the most frequent.

Notation: p  the probability that a pair is right;  H(p)  its entropy, from 0 to 1 bit
          support  how often the rarest word of a pair occurs

A decision tells nothing about a pair that is certain anyway. Among pairs that are about equally
uncertain, one of frequent words tells more about others. So pairs go by H(p) to one digit, and then
by their support. (Weighing one against the other is worse: words that are frequent are in pairs
that are sure; H(p)·log(1 + support) was worth two thirds as much, see benchmarks/README.md.)
"""

import numpy as np
from numpy.typing import NDArray


def most_telling(p: NDArray[np.float64], support: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of the pairs, those of which a decision tells most first; of equal ones the
    first."""
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.nan_to_num(-p * np.log2(p) - (1 - p) * np.log2(1 - p))
    # One number for both: support is less than 2³².
    keys = (np.rint(10 * entropy).astype(np.int64) << 32) + support
    return np.argsort(-keys, kind="stable")
