"""Which pairs people should look at first: those of which a decision tells most.

Notation: p  the probability that a pair is right;  n  how often the rarest word of the pair occurs
          H(p)·log(1 + n)  what a decision tells, H the entropy

A decision tells nothing about a pair that is certain anyway, and little beyond a pair whose words
are seen nowhere else.
"""

import numpy as np
from numpy.typing import NDArray

from accord.agreement import Links
from accord.confidence import rarest_words
from accord.phrases import Phrases

# Runs of the paper's kinds have no probabilities: all pairs are as uncertain as can be.
UNKNOWN = 0.5


def most_telling(
    confidence: NDArray[np.float64] | None, support: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The places of the pairs, the most telling first; of equal ones the first."""
    p = np.full(len(support), UNKNOWN) if confidence is None else confidence
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.nan_to_num(-p * np.log2(p) - (1 - p) * np.log2(1 - p))
    return np.argsort(-entropy * np.log1p(support), kind="stable")


def phrase_support(source: Phrases, target: Phrases, links: Links) -> NDArray[np.int64]:
    """How often the rarest word of each of these pairs occurs."""
    return np.minimum(rarest_words(source)[links.source], rarest_words(target)[links.target])
