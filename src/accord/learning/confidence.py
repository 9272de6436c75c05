"""How sure a pair is: its probability of being right, from what the run itself knows.

Notation: q  √(q→·q←), the two directions' posterior of a pair, its geometric mean
          margin  by how many nats q→·q← is ahead of the best other pair of its phrases, or of
          what other pairs have at most, where none was worth a look
          rarest  how often the rarest word of the pair occurs
          strength  how well the words go together by the lexicon alone, from 0 to 1
          run  the mean q of all pairs of the matching: how sure the run is altogether

A posterior alone is too sure: the true translation may be no candidate at all, and a run that
has learned wrong words is sure of wrong phrases. How far to trust a pair is a logistic regression
on a few numbers, fitted once, on the zh-en development sets with and without noise
(`python -m benchmarks.calibration --fit`). A run needs no gold, and other languages are held to
the same coefficients: benchmarks/README.md says how well they fit there, and what was chosen with
them in view.
"""

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning import word_kernels as kernels
from accord.learning.model import Model
from accord.learning.search.graph import Pairs

Array = NDArray[np.float64]

# Of 1, margin, log rarest, strength, q, logit of the run's mean q.
PHRASE_COEFFICIENTS = np.array([-5.199, 0.203, 0.721, 5.613, 0.495, 1.820])
# Of 1, log p(f|e), log p(e|f), log rarest.
WORD_COEFFICIENTS = np.array([4.152, 1.717, 1.199, -0.319])

MOST_MARGIN = 15.0
MOST_RAREST = 20  # from here on, words are frequent enough to be learned
LEAST_STRENGTH = 1e-3  # that of a word without a translation in the other phrase


def probability(features: Array, coefficients: Array) -> Array:
    """The logistic function of the weighted features."""
    return 1 / (1 + np.exp(-features @ coefficients))


def phrase_features(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    pairs: Pairs,
    log_qq: Array,
    chosen: NDArray[np.int64],
    least: float,
) -> Array:
    """A row for each chosen pair, out of all candidate pairs and log q→·q← of each; all others
    have no more than `least`."""
    s, t = pairs.source[chosen], pairs.target[chosen]
    others = log_qq.copy()
    others[chosen] = -np.inf
    rival = np.maximum(
        _greatest(others, pairs.source, len(source), least)[s],
        _greatest(others, pairs.target, len(target), least)[t],
    )
    rarest = np.minimum(rarest_words(source)[s], rarest_words(target)[t])
    strength = strengths(source, target, forward, backward, s, t)
    return feature_rows(log_qq[chosen], rival, rarest, strength, mean_q(log_qq[chosen]))


def feature_rows(
    log_qq: Array, rival: Array, rarest: NDArray[np.int64], strength: Array, run: float
) -> Array:
    """The numbers above of each pair, out of log q→·q← of the pair and of its best rival."""
    margin = np.clip(log_qq - rival, -MOST_MARGIN, MOST_MARGIN)
    log_rarest = np.log(np.minimum(rarest, MOST_RAREST))
    ones = np.ones(len(log_qq))
    sure = np.log(run / (1 - run)) * ones
    return np.stack([ones, margin, log_rarest, strength, _q(log_qq), sure], axis=1)


def strengths(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    s: NDArray[np.int32],
    t: NDArray[np.int32],
) -> Array:
    """How well the words of each pair <s, t> go together: their geometric mean."""
    arguments = (
        forward.translation.table,
        backward.translation.table,
        backward.translation.floors,
        forward.translation.floors,
        *(source.words, source.offsets, target.words, target.offsets),
        *(s, t, LEAST_STRENGTH),
    )
    means: Array = np.exp(kernels.mean_log_strengths(*arguments))
    return means


def mean_q(log_qq: Array) -> float:
    """The mean q, of which one pair more is thought to be even: it is never 0 or 1."""
    return float((_q(log_qq).sum() + 0.5) / (len(log_qq) + 1))


def _q(log_qq: Array) -> Array:
    q: Array = np.exp(np.minimum(log_qq, 0) / 2)
    return q


def word_features(forward: Array, backward: Array, rarest: Array) -> Array:
    """A row for each word pair: p(f|e), p(e|f), and how often the rarer word occurs."""
    return np.stack(
        [np.ones(len(forward)), np.log(forward), np.log(backward), np.log(rarest)], axis=1
    )


def _greatest(values: Array, groups: NDArray[np.int32], size: int, least: float) -> Array:
    greatest = np.full(size, least)
    np.maximum.at(greatest, groups, values)
    return greatest


def rarest_words(phrases: Phrases) -> NDArray[np.int64]:
    """How often the rarest word of each phrase occurs."""
    rarest = np.minimum.reduceat(phrases.frequency[phrases.words], phrases.offsets[1:-1])
    return np.concatenate([[1], rarest])
