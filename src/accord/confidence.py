"""How sure a pair is: its probability of being right, from what the run itself knows.

Notation: q  √(q→·q←), the two directions' posterior of a pair, its geometric mean
          margin  by how many nats q→·q← is ahead of the best other pair of its phrases
          rarest  how often the rarest word of the pair occurs
          empty  the share of phrases without translation, of all, as the run has learned it

A posterior alone is too sure: the true translation may be no candidate at all, and near misses
("valid label", "valid labels") are all but as probable. How far to trust it is a logistic
regression on a few numbers, fitted once, on the zh-en development sets with and without noise
(`python -m benchmarks.calibration --fit`). A run needs no gold, and other languages are held to
the same coefficients: benchmarks/README.md says how well they fit there.
"""

import numpy as np
from numpy.typing import NDArray

from accord.graph import Pairs
from accord.phrases import Phrases

Array = NDArray[np.float64]

# Of 1, logit q, margin, log rarest, min(I, J), empty.
PHRASE_COEFFICIENTS = np.array([0.566, 0.200, 0.172, 0.753, -0.212, -5.052])
# Of 1, log p(f|e), log p(e|f), log rarest.
WORD_COEFFICIENTS = np.array([4.301, 1.786, 1.316, -0.331])

MOST_LOGIT = 8.0
LEAST_LOGIT = -12.0
MOST_MARGIN = 15.0
MOST_LENGTH = 5  # no longer phrases were seen when the coefficients were fitted


def probability(features: Array, coefficients: Array) -> Array:
    """The logistic function of the weighted features."""
    return 1 / (1 + np.exp(-features @ coefficients))


def phrase_features(
    source: Phrases,
    target: Phrases,
    pairs: Pairs,
    log_qq: Array,
    chosen: NDArray[np.int64],
    empty: float,
) -> Array:
    """A row for each chosen pair, out of all candidate pairs and log q→·q← of each."""
    s, t = pairs.source[chosen], pairs.target[chosen]
    log_q = np.minimum(log_qq[chosen] / 2, -1e-9)
    logit = np.clip(log_q - np.log(-np.expm1(log_q)), LEAST_LOGIT, MOST_LOGIT)
    others = log_qq.copy()
    others[chosen] = -np.inf
    rival = np.maximum(
        _greatest(others, pairs.source, len(source))[s],
        _greatest(others, pairs.target, len(target))[t],
    )
    margin = np.clip(log_qq[chosen] - rival, -MOST_MARGIN, MOST_MARGIN)
    rarest = np.minimum(rarest_words(source)[s], rarest_words(target)[t])
    length = np.minimum(np.minimum(source.lengths[s], target.lengths[t]), MOST_LENGTH)
    ones = np.ones(len(s))
    return np.stack([ones, logit, margin, np.log(rarest), length, empty * ones], axis=1)


def word_features(forward: Array, backward: Array, rarest: Array) -> Array:
    """A row for each word pair: p(f|e), p(e|f), and how often the rarer word occurs."""
    return np.stack(
        [np.ones(len(forward)), np.log(forward), np.log(backward), np.log(rarest)], axis=1
    )


def _greatest(values: Array, groups: NDArray[np.int32], size: int) -> Array:
    greatest = np.full(size, -np.inf)
    np.maximum.at(greatest, groups, values)
    return greatest


def rarest_words(phrases: Phrases) -> NDArray[np.int64]:
    """How often the rarest word of each phrase occurs."""
    counts = np.bincount(phrases.words, minlength=len(phrases.vocabulary))
    rarest = np.minimum.reduceat(counts[phrases.words], phrases.offsets[1:-1])
    return np.concatenate([[1], rarest])
