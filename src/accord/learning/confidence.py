"""The confidence of a pair: its probability of being right, estimated from the run alone.

Notation: q  √(q→·q←), the geometric mean of a pair's posteriors in the two directions
          margin  log q→·q← minus that of the best competing pair of its two phrases, or minus the
          upper bound of pairs that were not scored
          rarest  the frequency of the rarest word of the pair
          lexical score  how well the words translate each other by the lexicon alone, from 0 to 1:
          learned, or by prior evidence (seed, spelling, sentences, vectors) without the phrases
          mean q  over all pairs of the matching: how certain the run is as a whole

A posterior alone is overconfident: the correct translation may not be a candidate at all, and a
run that has learned wrong words is certain of wrong phrases. So the confidence is a logistic
regression on a few features, fitted once. A run needs no gold pairs. What a run has learned counts
for as much as the run is certain as a whole: in real text most phrases have no translation, and
unknown words that occur in the same places are easily taken for each other. What is known from
other evidence counts fully.

The coefficients of phrases were fitted on the zh-en development sets, with and without noise, and
on small development parts of real text in two language pairs, each with the same weight
(`benchmarks.real`); those of words on the former, and then given a weight of prior evidence. Other
languages use the same ones: benchmarks/README.md reports how well they fit there.
"""

from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.learning.model.parameters import Models
from accord.learning.search.candidates import listing_threshold
from accord.learning.search.pairs import CandidatePairs
from accord.learning.task import Task
from accord.learning.word_kernels import PhrasePairs, PhraseWords, mean_log_lexical_scores
from accord.system.arrays import Floats, Ids, Offsets

# Of 1, margin, log rarest, learned lexical score times the mean q, prior lexical score, q, logit of
# the mean q.
PHRASE_COEFFICIENTS = np.array([-3.032, 0.095, 0.316, 8.95, 13.286, 0.52, 0.864])
# Of 1, log p(f|e), log p(e|f), their mean by prior evidence, log rarest.
WORD_COEFFICIENTS = np.array([4.152, 1.717, 1.199, 4.0, -0.319])

MAX_MARGIN = 15.0
MAX_RAREST = 20  # more frequent words are frequent enough to be learned
MIN_LEXICAL_SCORE = 1e-3  # of a word without a translation in the other phrase


class LexicalScores(NamedTuple):
    """How well the words of phrase pairs translate each other."""

    learned: Floats  # by the model
    prior: Floats  # by prior evidence alone


def predict_confidence(features: Floats, coefficients: Floats) -> Floats:
    """The logistic function of the weighted features, one row per pair.

    The weighted features are added one by one. The sum of a matrix product depends on the number of
    rows in its last bits, and a query would report another confidence than the run.
    """
    weighted = np.zeros(features.shape[:-1])
    for feature, coefficient in zip(features.T, coefficients, strict=True):
        weighted += coefficient * feature
    return 1 / (1 + np.exp(-weighted))


def compute_phrase_features(
    task: Task, models: Models, pairs: CandidatePairs, log_qq: Floats, chosen: Offsets
) -> Floats:
    """One row for each chosen pair, given log q→·q← of all candidate pairs."""
    s, t = pairs.source[chosen], pairs.target[chosen]
    others = log_qq.copy()
    others[chosen] = -np.inf
    # Pairs that were not scored are below this threshold.
    least = listing_threshold(task.settings)
    competitors = np.maximum(
        _maximum_by_phrase(others, pairs.source, len(task.source), least)[s],
        _maximum_by_phrase(others, pairs.target, len(task.target), least)[t],
    )
    rarest = np.minimum(count_rarest_words(task.source)[s], count_rarest_words(task.target)[t])
    words = PhraseWords(task.source.ragged, task.target.ragged)
    lexical = compute_lexical_scores(models, words, PhrasePairs(s, t))
    return stack_features(
        log_qq[chosen], competitors, rarest, lexical, mean_posterior(log_qq[chosen])
    )


def stack_features(
    log_qq: Floats, competitors: Floats, rarest: Offsets, lexical: LexicalScores, mean_q: float
) -> Floats:
    """The features of each pair, given log q→·q← of the pair and of its best competitor."""
    margin = np.clip(log_qq - competitors, -MAX_MARGIN, MAX_MARGIN)
    log_rarest = np.log(np.minimum(rarest, MAX_RAREST))
    ones = np.ones(len(log_qq))
    logit = np.log(mean_q / (1 - mean_q)) * ones
    learned = lexical.learned * mean_q
    return np.stack(
        [ones, margin, log_rarest, learned, lexical.prior, _posterior(log_qq), logit], axis=1
    )


def compute_lexical_scores(models: Models, words: PhraseWords, pairs: PhrasePairs) -> LexicalScores:
    """How well the words of each pair translate each other: their geometric mean."""
    learned, prior = (
        np.exp(mean_log_lexical_scores(tables, models.floors, words, pairs, MIN_LEXICAL_SCORE))
        for tables in (models.tables, models.prior_tables)
    )
    return LexicalScores(learned, prior)


def mean_posterior(log_qq: Floats) -> float:
    """The mean q, smoothed by one more pair of q = 0.5, so that it is never 0 or 1."""
    return float((_posterior(log_qq).sum() + 0.5) / (len(log_qq) + 1))


def _posterior(log_qq: Floats) -> Floats:
    q: Floats = np.exp(np.minimum(log_qq, 0) / 2)
    return q


def compute_word_features(
    forward: Floats, backward: Floats, prior: Floats, rarest: Offsets
) -> Floats:
    """One row for each word pair, given p(f|e), p(e|f), their mean by prior evidence, and the
    frequency of the rarer word."""
    ones = np.ones(len(forward))
    return np.stack([ones, np.log(forward), np.log(backward), prior, np.log(rarest)], axis=1)


def _maximum_by_phrase(values: Floats, phrases: Ids, size: int, least: float) -> Floats:
    maximum = np.full(size, least)
    np.maximum.at(maximum, phrases, values)
    return maximum


def count_rarest_words(phrases: Phrases) -> Offsets:
    """The frequency of the rarest word of each phrase."""
    rarest = np.minimum.reduceat(phrases.frequency[phrases.words], phrases.offsets[1:-1])
    return np.concatenate([[1], rarest])
