"""The length model p(J|I): how long a target phrase is, given the length of its source phrase.

Notation: I, J  the numbers of words of the source and the target phrase, from 1
          c(J|I)  how many links join phrases of these lengths          Eq. 24
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class LengthModel:
    """log_prob[I, J] = log p(J|I); row and column 0 stand for no phrase and are not used."""

    log_prob: NDArray[np.float64]

    @classmethod
    def from_counts(cls, counts: NDArray[np.float64], smoothing: float) -> "LengthModel":
        """Eq. 25, with `smoothing` added to every count.

        The paper leaves a length that was never counted at zero: a phrase of such a length
        could then never be linked again, and one that no link has yet would divide by zero.
        """
        smoothed = counts[1:, 1:] + smoothing
        log_prob = np.full(counts.shape, -np.inf)
        log_prob[1:, 1:] = np.log(smoothed) - np.log(smoothed.sum(axis=1, keepdims=True))
        return cls(log_prob)

    @classmethod
    def uniform(cls, source_max_length: int, target_max_length: int) -> "LengthModel":
        """Before anything is counted."""
        return cls.from_counts(np.zeros((source_max_length + 1, target_max_length + 1)), 1.0)
