"""Posterior agreement: a pair of phrases counts to the degree that both directions believe in it.

Notation: q→(s|t) = P(f|e⁽ˢ⁾) / (o·P(f|empty) + Σ P(f|e)), where the sum is over all source phrases
          except candidates that the other direction rules out
          o  how much more likely the empty phrase is than a single source phrase, a priori
          q←(t|s)  the same in the other direction
          w(s, t) = (q→·q←)^power, the weight of the pair

Viterbi EM discards pairs that are uncertain. Here even a word that occurs in five phrases, each
with fifty equally good candidates, is learned: its translation is the one that all five share.

A phrase need not have a translation. The empty phrase competes with all source phrases: it
generates any length as often as it occurs, and any word by its floor. The share of phrases without
a translation is learned like the other parameters, so more noise makes a stronger competitor.
"""

from typing import NamedTuple

import numpy as np

from accord.learning.agreement import Agreed, Alignment, Links
from accord.learning.confidence import (
    GIVEN_CONFIDENCE,
    ScoredPairs,
    compute_phrase_features,
    find_single_words,
    measure_translated,
    predict_phrase_confidence,
)
from accord.learning.matching import MATCHINGS
from accord.learning.model.parameters import INITIAL_EMPTY, Model, Models
from accord.learning.search.candidates import (
    Competition,
    counting_threshold,
    empty_phrase_log_odds,
    pair_by_posterior,
    rank_by_posterior,
)
from accord.learning.search.pairs import CandidatePairs, score_candidates
from accord.learning.search.retrieval import round_to_grid
from accord.learning.search.search_kernels import MAX_GAIN
from accord.learning.task import Task
from accord.settings import Settings
from accord.system.arrays import Floats, Mask, Offsets

# The share of phrases without a translation is smoothed by this many phrases, with as many empty
# ones among them as assumed at first: a few hundred phrases are not enough to estimate it.
PRIOR_PHRASES = 2_000


class Posteriors(NamedTuple):
    """The posteriors of the candidate pairs in both directions."""

    pairs: CandidatePairs
    accepted: Mask  # which of them reviewers have accepted
    forward: "DirectionPosteriors"
    backward: "DirectionPosteriors"

    @property
    def log_qq(self) -> Floats:
        """log q→·q← of each pair."""
        return self.forward.log_q + self.backward.log_q


class ConfidentPairs(NamedTuple):
    """The pairs that are confident enough for the results."""

    links: Links  # weighted by confidence
    places: Offsets  # among all candidate pairs
    translated: float  # the share of phrases with a translation


class DirectionPosteriors(NamedTuple):
    """The posteriors of one direction."""

    log_q: Floats  # of each pair
    alignment: Alignment  # the most probable pair of each target phrase, or none
    empty: float  # the share of target phrases without a translation


def posterior_agreement(task: Task, models: Models) -> Agreed:
    """The weighted pairs from which the new parameters are estimated, and the confident ones."""
    found = find_posteriors(task, models)
    confident = _select_confident(task, models, found)
    links = _weigh_links(found, task.settings)
    return Agreed(
        forward=found.forward.alignment,
        backward=found.backward.alignment,
        forward_links=links,
        backward_links=links.swapped(),
        found=confident.links,
        empty=(found.forward.empty, found.backward.empty),
        log_q=(found.forward.log_q[confident.places], found.backward.log_q[confident.places]),
        translated=confident.translated,
    )


def find_posteriors(task: Task, models: Models) -> Posteriors:
    """q→ and q← of every pair that may count, and of the entries of the seed.

    Rejected pairs may not, nor pairs that share a phrase with an accepted pair, for which
    q→ = q← = 1.
    """
    ranking, forward = rank_by_posterior(task, models.forward)
    pairs, backward = pair_by_posterior(task.swapped(), models.backward, ranking)
    if task.constraints.any:
        pairs = pairs.constrained(task.constraints)
    pairs = pairs.with_pairs(task.constraints.open_given)
    accepted = task.constraints.accepted.contains(pairs.source, pairs.target)
    return Posteriors(
        pairs,
        accepted,
        _normalise(task, models.forward, pairs, accepted, forward),
        _normalise(task.swapped(), models.backward, pairs.swapped(), accepted, backward),
    )


def match_posteriors(found: Posteriors, matching: str, settings: Settings) -> Offsets:
    """Which of the pairs are in a one-to-one matching, or accepted; with `none`, all pairs."""
    pairs = found.pairs
    if matching == "none":
        return np.arange(len(pairs.source))
    if matching == "intersection":
        forward, backward = found.forward.alignment.phrases, found.backward.alignment.phrases
        best = (forward[pairs.target] == pairs.source) & (backward[pairs.source] == pairs.target)
        return np.flatnonzero(best | found.accepted)
    least = counting_threshold(settings)
    counted = np.flatnonzero((found.log_qq > least) & ~found.accepted)
    weights = found.log_qq[counted] - least
    matched = MATCHINGS[matching](pairs.source[counted], pairs.target[counted], weights)
    return np.union1d(counted[matched], np.flatnonzero(found.accepted))


def _weigh_links(found: Posteriors, settings: Settings) -> Links:
    """The pairs that count in training, by their weights."""
    if settings.training_matching == "none":
        log_qq = found.log_qq
        counted = np.flatnonzero(log_qq > counting_threshold(settings))
        weights = np.exp(settings.power * log_qq[counted])
    else:
        counted = match_posteriors(found, settings.training_matching, settings)
        weights = np.ones(len(counted))
    return Links(found.pairs.source[counted], found.pairs.target[counted], weights).sorted()


def _select_confident(task: Task, models: Models, found: Posteriors) -> ConfidentPairs:
    """Match the pairs, and keep those that are confident enough."""
    pairs, log_qq = found.pairs, found.log_qq
    best = match_posteriors(found, "intersection", task.settings)
    # Pairs that reviewers have accepted do not show how well the run has done.
    unreviewed = best[~found.accepted[best]]
    translated = measure_translated(log_qq[unreviewed], min(len(task.source), len(task.target)) - 1)
    chosen = match_posteriors(found, task.settings.matching, task.settings)
    scored = ScoredPairs.of(task, pairs, log_qq).at(chosen)
    features = compute_phrase_features(task, models, scored, translated)
    lengths = task.source.lengths[pairs.source[chosen]], task.target.lengths[pairs.target[chosen]]
    confidence = predict_phrase_confidence(features, find_single_words(lengths))
    given = task.constraints.given.contains(pairs.source[chosen], pairs.target[chosen])
    confidence[given] = np.maximum(confidence[given], GIVEN_CONFIDENCE)
    confidence[found.accepted[chosen]] = 1.0
    kept = found.accepted[chosen] | (confidence >= task.settings.min_confidence)
    chosen, confidence = chosen[kept], confidence[kept]
    source, target = pairs.source[chosen], pairs.target[chosen]
    order = np.lexsort((source, target))
    links = Links(source[order], target[order], confidence[order])
    return ConfidentPairs(links, chosen[order], translated)


def _normalise(
    task: Task, model: Model, pairs: CandidatePairs, accepted: Mask, competition: Competition
) -> DirectionPosteriors:
    """Score the pairs by the word model, and divide by the sum over all competitors.

    The search has summed its own scores of all phrases. From its sum, the shares of all candidates
    are subtracted, and those of pairs that are candidates in the other direction only. The shares
    of the pairs by the word model, which is more accurate, are added. So candidates that the other
    direction rules out drop out of the sum. The empty phrase always stays in it.
    """
    by_word_model, searched = score_candidates(task, model, pairs)
    # On the grid, phrases of the same words in another order tie.
    scores = round_to_grid(by_word_model)
    log_total = competition.log_total
    log_empty = competition.log_empty.copy()
    log_empty[0] = log_total[0]  # phrase 0 is the empty phrase itself
    log_empty[pairs.target[accepted]] = -np.inf  # these do have a translation
    size = len(task.target)
    totals = log_total[pairs.target]
    unlisted = ~pairs.forward
    before = competition.listed + np.bincount(
        pairs.target[unlisted],
        np.exp(searched[unlisted] - totals[unlisted]),
        minlength=size,
    )
    after = np.exp(np.minimum(scores - totals, MAX_GAIN))
    rest = np.maximum(1 - before, np.exp(log_empty - log_total))
    log_total = log_total + np.log(rest + np.bincount(pairs.target, after, minlength=size))
    empty = float(np.exp(log_empty - log_total)[1:].sum()) + PRIOR_PHRASES * INITIAL_EMPTY
    best = _find_most_probable(pairs, scores, log_empty)
    # The empty phrase competes with its prior odds, which are no part of P(f|empty).
    best.log_prob[best.phrases == 0] -= empty_phrase_log_odds(task, model)
    best.log_prob[:] += model.translation.log_floors(task.target)
    best.log_prob[0] = 0.0
    log_q = scores - log_total[pairs.target]
    log_q[accepted] = 0.0
    return DirectionPosteriors(log_q, best, empty / (size - 1 + PRIOR_PHRASES))


def _find_most_probable(pairs: CandidatePairs, scores: Floats, log_empty: Floats) -> Alignment:
    """The best candidate of every target phrase, or none if the empty phrase is better."""
    best = log_empty.copy()
    np.maximum.at(best, pairs.target, scores)
    winners = np.flatnonzero((scores == best[pairs.target]) & (scores > log_empty[pairs.target]))
    source, target = pairs.source[winners], pairs.target[winners]
    phrases = np.full(len(log_empty), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(phrases, target, source)
    phrases[phrases == np.iinfo(np.int32).max] = 0
    tied = np.bincount(target, minlength=len(log_empty)) > 1
    return Alignment(phrases, best, tied)
