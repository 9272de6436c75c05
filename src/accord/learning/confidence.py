"""The confidence of a pair: its probability of being right, estimated from the run alone.

Notation: q  √(q→·q←), the geometric mean of a pair's posteriors in the two directions
          margin  log q→·q← minus that of the best competing pair of its two phrases, or minus the
          upper bound of pairs that were not scored
          rarest  the frequency of the rarest word of the pair
          coverage  how well each word of a pair is translated by the words of the other side: the
          greatest confidence of a word pair
          translated  the share of phrases that have a translation, as far as the run knows: how
          certain the run is as a whole

Both confidences, of phrases and of words, are a logistic regression on a few features. They were
fitted once, and a run needs no gold pairs.

A word pair is confident if the two directions have learned it, and if prior evidence (seed,
spelling, sentences, vectors) speaks for it: see `accord.evidence.odds`. The more certain the run,
the more counts what it has learned.

A posterior alone is overconfident: the right translation may not be a candidate at all, and a run
that has learned wrong words is certain of wrong phrases. It is also divided among all translations
of a phrase, so that each has little. Therefore the confidence of phrases depends mostly on the
coverage of their words.

All coefficients were fitted by `python -m benchmarks.real.fit` on development parts of real text in
two language pairs and on the zh-en development sets. All languages use the same ones:
docs/explanation/confidence.md reports how well they fit.
"""

from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.competition import find_best_others
from accord.evidence.counts import Counts
from accord.learning.coverage_kernels import (
    LEAST_PROBABILITY,
    WordEntries,
    WordTables,
    measure_coverage,
)
from accord.learning.model.parameters import Models
from accord.learning.search.candidates import listing_threshold
from accord.learning.search.pairs import CandidatePairs
from accord.learning.task import Task
from accord.learning.word_kernels import PhrasePairs, PhraseWords
from accord.system.arrays import Floats, Integers, Mask, Offsets
from accord.system.runners import Runner

# Of 1, log p(f|e) + log p(e|f), √(p(f|e)·p(e|f)), the log frequency of the rarer word, how much the
# logs of the two frequencies differ, and this times √(p(f|e)·p(e|f)).
WORD_COEFFICIENTS = np.array([-0.614, 0.479, 5.453, 0.129, 0.537, -1.78])
# How much these change with `translated`: by how much its log odds are below and above -1.
WORD_CERTAINTY = np.array(
    [[-0.55, -0.004, 3.079, 0, 0.035, 0], [3.148, 0.592, -2.621, 0, -1.537, 0]]
)
MIDDLE_CERTAINTY = -1.0
# Of the columns of `stack_features`: for pairs of single words, and for all other pairs.
PHRASE_COEFFICIENTS = np.array(
    [
        (0.204, -1.577),  # 1
        (-0.107, 4.066),  # mean coverage
        (-0.435, 0.354),  # its log
        (0.899, 0.243),  # its log odds
        (0.068, -0.061),  # its log odds in an uncertain run
        (0.246, -0.265),  # its log odds in a certain run
        (-0.435, 0.214),  # log of the least coverage
        (0.899, -0.115),  # log odds of the least coverage
        (0.043, 0.069),  # log rarest
        (0.141, -1.016),  # log of the number of words
        (0.0, 0.627),  # difference of the lengths
        (-0.03, 0.073),  # margin
        (-3.713, -1.762),  # q
        (1.501, 3.419),  # √q
        (0.414, 0.342),  # how uncertain the run is
        (0.059, 0.531),  # how certain the run is
        (0.145, 0.198),  # margin in a certain run
        (0.778, 0.019),  # √q in a certain run
    ]
).T

MAX_MARGIN = 15.0
MAX_RAREST = 20  # more frequent words are frequent enough to be learned
MIN_COVERAGE = 1e-3
LEAST_CONFIDENCE = 0.01  # of a word without a translation in the other phrase
# An entry of the user's dictionary that occurs in both texts is at least this confident.
GIVEN_CONFIDENCE = 0.95
COVERAGE_SHARD = 65_536


class Coverage(NamedTuple):
    """How well the words of each pair are translated by those of the other side, as logs."""

    mean: Floats
    least: Floats


def predict_confidence(features: Floats, coefficients: Floats) -> Floats:
    """The logistic function of the weighted features, one row per pair.

    The weighted features are added one by one. The sum of a matrix product depends on the number of
    rows in its last bits, and a query would report another confidence than the run.
    """
    weighted = np.zeros(features.shape[:-1])
    for feature, coefficient in zip(features.T, coefficients, strict=True):
        weighted += coefficient * feature
    return 1 / (1 + np.exp(-weighted))


def compute_word_features(
    forward: Floats, backward: Floats, frequency: tuple[Integers, Integers]
) -> Floats:
    """One row for each word pair, given p(f|e), p(e|f) and how frequent the two words are."""
    logs = np.log(forward + LEAST_PROBABILITY) + np.log(backward + LEAST_PROBABILITY)
    one, other = (np.log(np.maximum(side, 1)) for side in frequency)
    mean, difference = np.sqrt(forward * backward), np.abs(one - other)
    columns = [
        np.ones(len(logs)),
        logs,
        mean,
        np.minimum(one, other),
        difference,
        mean * difference,
    ]
    return np.stack(columns, axis=1)


def word_coefficients(translated: float) -> Floats:
    """The coefficients of the word features, for a run of this certainty."""
    coefficients: Floats = WORD_COEFFICIENTS + measure_certainty(translated) @ WORD_CERTAINTY
    return coefficients


def measure_certainty(translated: float) -> Floats:
    """How uncertain a run is, and how certain."""
    above = log_odds(translated) - MIDDLE_CERTAINTY
    return np.array([min(above, 0), max(above, 0)])


def predict_word_confidence(
    forward: Floats,
    backward: Floats,
    frequency: tuple[Integers, Integers],
    odds: Floats,
    translated: float,
) -> Floats:
    """The confidence of word pairs, given p(f|e), p(e|f), how frequent the two words are, and the
    odds by prior evidence, 0 without any."""
    features = compute_word_features(forward, backward, frequency)
    return predict_confidence(
        np.column_stack([features, odds]), np.append(word_coefficients(translated), 1.0)
    )


def make_word_tables(
    models: Models, odds: Counts, frequency: tuple[Integers, Integers]
) -> WordTables:
    """What is known about word pairs, as kernels take it."""
    source, target = (np.maximum(side, 1).astype(np.float64) for side in frequency)
    offsets = np.searchsorted(odds.source, np.arange(len(source) + 1))
    return WordTables(
        models.forward.translation.entries,
        models.backward.translation.entries,
        WordEntries(offsets, odds.target, odds.values),
        source,
        target,
    )


def compute_coverage(
    tables: WordTables, coefficients: Floats, words: PhraseWords, pairs: PhrasePairs, runner: Runner
) -> Coverage:
    """How well the words of the pairs translate each other."""
    shared = tables, coefficients, words, pairs, LEAST_CONFIDENCE
    shards = runner.map(measure_coverage, shared, items=len(pairs.source), shard=COVERAGE_SHARD)
    return Coverage(
        *(np.concatenate([np.empty(0), *(shard[part] for shard in shards)]) for part in (0, 1))
    )


class ScoredPairs(NamedTuple):
    """Pairs of phrases, and how they compare with others."""

    pairs: CandidatePairs
    log_qq: Floats  # log q→·q←
    margin: Floats

    @classmethod
    def of(cls, task: Task, pairs: CandidatePairs, log_qq: Floats) -> "ScoredPairs":
        """Compare all candidate pairs with each other."""
        # Pairs that were not scored are below this threshold.
        least = listing_threshold(task.settings)
        others = np.maximum(
            find_best_others(log_qq, pairs.source, len(task.source), least),
            find_best_others(log_qq, pairs.target, len(task.target), least),
        )
        return cls(pairs, log_qq, log_qq - others)

    def at(self, places: Offsets) -> "ScoredPairs":
        """Some of the pairs only."""
        return ScoredPairs(self.pairs.where(places), self.log_qq[places], self.margin[places])


def compute_phrase_features(
    task: Task,
    models: Models,
    scored: ScoredPairs,
    translated: float,
    coefficients: Floats | None = None,
) -> Floats:
    """One row for each pair. Other coefficients of words can be given."""
    s, t = scored.pairs.source, scored.pairs.target
    rarest = np.minimum(count_rarest_words(task.source)[s], count_rarest_words(task.target)[t])
    frequency = task.source.frequency, task.target.frequency
    coverage = compute_coverage(
        make_word_tables(models, task.odds, frequency),
        word_coefficients(translated) if coefficients is None else coefficients,
        PhraseWords(task.source.ragged, task.target.ragged),
        PhrasePairs(s, t),
        task.runner,
    )
    lengths = task.source.lengths[s], task.target.lengths[t]
    return stack_features(scored.margin, scored.log_qq, coverage, rarest, lengths, translated)


def stack_features(
    margin: Floats,
    log_qq: Floats,
    coverage: Coverage,
    rarest: Offsets,
    lengths: tuple[Integers, Integers],
    translated: float,
) -> Floats:
    """The features of each pair of phrases."""
    I, J = lengths
    ones = np.ones(len(log_qq))
    mean, least = (
        np.clip(np.exp(logs) - LEAST_CONFIDENCE, MIN_COVERAGE, 1 - MIN_COVERAGE)
        for logs in coverage
    )
    mean_odds, least_odds = (np.log(part / (1 - part)) for part in (mean, least))
    q = compute_posterior(log_qq)
    margin = np.clip(margin, -MAX_MARGIN, MAX_MARGIN)
    below, above = measure_certainty(translated)
    columns = [
        ones,
        mean,
        coverage.mean,
        mean_odds,
        mean_odds * below,
        mean_odds * above,
        coverage.least,
        least_odds,
        np.log(np.minimum(rarest, MAX_RAREST)),
        np.log(I + J),
        np.abs(I - J),
        margin,
        q,
        np.sqrt(q),
        below * ones,
        above * ones,
        above * margin,
        above * np.sqrt(q),
    ]
    return np.stack(columns, axis=1)


def predict_phrase_confidence(features: Floats, is_word: Mask) -> Floats:
    """The confidence of pairs of phrases, given their features and which are single words."""
    of_words, of_phrases = (
        predict_confidence(features, coefficients) for coefficients in PHRASE_COEFFICIENTS
    )
    return np.where(is_word, of_words, of_phrases)


def find_single_words(lengths: tuple[Integers, Integers]) -> Mask:
    """Which pairs are of two single words."""
    return np.asarray((lengths[0] == 1) & (lengths[1] == 1))


def measure_translated(log_qq: Floats, phrases: int) -> float:
    """The share of phrases with a translation, given log q→·q← of the pairs that are best for both
    of their phrases. It is smoothed, so that it is never 0 or 1."""
    return float((compute_posterior(log_qq).sum() + 0.5) / (max(phrases, len(log_qq)) + 1))


def compute_posterior(log_qq: Floats) -> Floats:
    """q"""
    q: Floats = np.exp(np.minimum(log_qq, 0) / 2)
    return q


def log_odds(probability: float) -> float:
    """log p / (1 − p)"""
    return float(np.log(probability / (1 - probability)))


def count_rarest_words(phrases: Phrases) -> Offsets:
    """The frequency of the rarest word of each phrase."""
    rarest = np.minimum.reduceat(phrases.frequency[phrases.words], phrases.offsets[1:-1])
    return np.concatenate([[1], rarest])
