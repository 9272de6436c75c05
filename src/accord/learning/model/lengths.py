"""The length model p(J|I): how long a target phrase is, given the length of its source phrase.

Notation: I, J  the numbers of words of the source and the target phrase, from 1
          c(J|I)  how many links connect phrases of these lengths       Eq. 24
"""

from dataclasses import dataclass

import numpy as np

from accord.system.arrays import Floats


@dataclass(frozen=True, eq=False)
class LengthModel:
    """log_prob[I, J] = log p(J|I); row and column 0 are not used."""

    log_prob: Floats

    @classmethod
    def from_counts(cls, counts: Floats, smoothing: float) -> "LengthModel":
        """Eq. 25, with `smoothing` added to every count.

        In the paper, a length that was never counted has probability zero: a phrase of such a
        length could never be linked again, and a length without any link would divide by zero.
        """
        smoothed = counts[1:, 1:] + smoothing
        log_prob = np.full(counts.shape, -np.inf)
        log_prob[1:, 1:] = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
        return cls(log_prob)

    @classmethod
    def uniform(cls, source_max_length: int, target_max_length: int) -> "LengthModel":
        """All lengths equally likely, before anything is counted."""
        return cls.from_counts(np.zeros((source_max_length + 1, target_max_length + 1)), 1.0)
