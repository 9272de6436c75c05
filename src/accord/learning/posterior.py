"""Agreement by posteriors: a pair of phrases counts as far as both directions believe in it.

Notation: q→(s|t) = P(f|e⁽ˢ⁾) / (o·P(f|empty) + Σ P(f|e)) with the sum over all source phrases, but
          for candidates that the other direction rules out
          o  how much likelier the empty phrase is than a single source phrase, before f is seen
          q←(t|s)  the same in the other direction
          w(s, t) = (q→·q←)^power, what the pair counts for

Viterbi EM throws away what it is unsure of. A word that occurs in five phrases, each with fifty
candidates as good as each other, is learned here all the same: its translation is the one that
all five share.

A phrase need not have a translation. The rival of all source phrases is the empty phrase, which
writes any length as often as it occurs, and any word by the floor; how many target phrases are
its own is learned like the rest, so that more noise makes a stronger rival.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NOTHING, Judged
from accord.learning.agreement import Agreed, Alignment, Links
from accord.learning.confidence import PHRASE_COEFFICIENTS, mean_q, phrase_features, probability
from accord.learning.matching import MATCHINGS
from accord.learning.model import EMPTY_AT_FIRST, Model
from accord.learning.search.candidates import (
    MOST_GAIN,
    Rivals,
    least_counted,
    least_listed,
    log_empty,
    log_empty_odds,
    paired_candidates,
    ranked_candidates,
)
from accord.learning.search.graph import Pairs, pair_scores
from accord.learning.search.retrieval import on_grid
from accord.settings import Settings
from accord.system.runners import Runner

# The share of phrases without translation is learned as if so many more phrases had been seen,
# with as many empty ones among them as were thought of at first: a few hundred phrases cannot tell.
PRIOR_PHRASES = 2_000


class Posteriors(NamedTuple):
    """What both directions say of the candidate pairs."""

    pairs: Pairs
    certain: NDArray[np.bool_]  # which of them people have accepted
    forward: "Direction"
    backward: "Direction"

    @property
    def log_qq(self) -> NDArray[np.float64]:
        """log q→·q← of each pair."""
        return self.forward.log_q + self.backward.log_q


class Direction(NamedTuple):
    """What one direction says."""

    log_q: NDArray[np.float64]  # of each pair
    alignment: Alignment  # of each target phrase the most probable pair, or none
    empty: float  # the share of target phrases without translation


def posterior_agreement(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    settings: Settings,
    runner: Runner,
    judged: Judged = NOTHING,
) -> Agreed:
    """The weighted pairs that the new parameters are counted on, and a matching of them."""
    found = posteriors(source, target, forward, backward, settings, runner, judged)
    log_qq = found.log_qq
    if settings.training_matching == "none":
        counted = np.flatnonzero(log_qq > least_counted(settings))
        weights = np.exp(settings.power * log_qq[counted])
    else:
        counted = matched(found, settings.training_matching, settings)
        weights = np.ones(len(counted))
    links = Links(found.pairs.source[counted], found.pairs.target[counted], weights).sorted()
    chosen = matched(found, settings.matching, settings)
    # What the run thinks of itself knows nothing of pairs that people have told it.
    own = chosen[~found.certain[chosen]]
    features = phrase_features(
        *(source, target, forward, backward),
        *(found.pairs, log_qq, own, least_listed(settings)),
    )
    run = mean_q(log_qq[own])
    confidence = np.ones(len(chosen))
    confidence[~found.certain[chosen]] = probability(features, PHRASE_COEFFICIENTS)
    sure = found.certain[chosen] | (confidence >= settings.min_probability)
    chosen, confidence = chosen[sure], confidence[sure]
    order = np.lexsort((found.pairs.source[chosen], found.pairs.target[chosen]))
    chosen = chosen[order]
    return Agreed(
        found.forward.alignment,
        found.backward.alignment,
        links,
        links.swapped(),
        Links(found.pairs.source[chosen], found.pairs.target[chosen], confidence[order]),
        (found.forward.empty, found.backward.empty),
        (found.forward.log_q[chosen], found.backward.log_q[chosen]),
        run,
    )


def posteriors(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    settings: Settings,
    runner: Runner,
    judged: Judged = NOTHING,
) -> Posteriors:
    """q→ and q← of every pair that may count. Those that people have rejected may not, nor others
    with a phrase of a pair that they have accepted, whose q→ and q← are 1."""
    ranking, there = ranked_candidates(source, target, forward, settings, runner)
    pairs, back = paired_candidates(ranking, target, source, backward, settings, runner)
    if judged.any:
        pairs = pairs.judged(judged)
    certain = judged.accepted.among(pairs.source, pairs.target)
    return Posteriors(
        pairs,
        certain,
        _direction(source, target, forward, pairs, certain, there, runner),
        _direction(target, source, backward, pairs.swapped(), certain, back, runner),
    )


def matched(found: Posteriors, kind: str, settings: Settings) -> NDArray[np.int64]:
    """Which of the pairs are in a one-to-one matching, or certain."""
    pairs = found.pairs
    if kind == "intersection":
        forward, backward = found.forward.alignment.phrases, found.backward.alignment.phrases
        best = (forward[pairs.target] == pairs.source) & (backward[pairs.source] == pairs.target)
        return np.flatnonzero(best | found.certain)
    counted = np.flatnonzero((found.log_qq > least_counted(settings)) & ~found.certain)
    worth = found.log_qq[counted] - least_counted(settings)
    chosen = MATCHINGS[kind](pairs.source[counted], pairs.target[counted], worth)
    return np.union1d(counted[chosen], np.flatnonzero(found.certain))


def _direction(
    source: Phrases,
    target: Phrases,
    model: Model,
    pairs: Pairs,
    certain: NDArray[np.bool_],
    rivals: Rivals,
    runner: Runner,
) -> Direction:
    closer, searched = pair_scores(source, target, model, pairs, runner)
    # On the grid, so that equal words in another order tie.
    scores = on_grid(closer)
    log_total = rivals.log_total
    empty = log_empty(source, target, model)[target.lengths]
    empty[0] = log_total[0]
    empty[pairs.target[certain]] = -np.inf  # these do have a translation
    # The sums of the search are set right for the pairs, which are seen better here: what all
    # candidates had is taken off, and what pairs of the other direction had; what the pairs have
    # is added. So candidates that the other direction rules out are out of the sum. The empty
    # phrase always stays.
    totals = log_total[pairs.target]
    unlisted = ~pairs.forward
    had = rivals.listed + np.bincount(
        pairs.target[unlisted],
        np.exp(searched[unlisted] - totals[unlisted]),
        minlength=len(target),
    )
    has = np.exp(np.minimum(scores - totals, MOST_GAIN))
    rest = np.maximum(1 - had, np.exp(empty - log_total))
    log_total = log_total + np.log(rest + np.bincount(pairs.target, has, minlength=len(target)))
    alone = float(np.exp(empty - log_total)[1:].sum()) + PRIOR_PHRASES * EMPTY_AT_FIRST
    share = alone / (len(target) - 1 + PRIOR_PHRASES)
    best = _most_probable(pairs, scores, empty)
    # The empty phrase wins with its odds; P(f|empty) is without them.
    best.log_prob[best.phrases == 0] -= log_empty_odds(source, model)
    best.log_prob[:] += model.translation.log_floors(target)
    best.log_prob[0] = 0.0
    log_q = scores - log_total[pairs.target]
    log_q[certain] = 0.0
    return Direction(log_q, best, share)


def _most_probable(
    pairs: Pairs, scores: NDArray[np.float64], empty: NDArray[np.float64]
) -> Alignment:
    """For every target phrase its best candidate, or none where the empty phrase is better."""
    best = empty.copy()
    np.maximum.at(best, pairs.target, scores)
    winners = np.flatnonzero((scores == best[pairs.target]) & (scores > empty[pairs.target]))
    source, target = pairs.source[winners], pairs.target[winners]
    phrases = np.full(len(empty), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(phrases, target, source)
    phrases[phrases == np.iinfo(np.int32).max] = 0
    tied = np.bincount(target, minlength=len(empty)) > 1
    return Alignment(phrases, best, tied)
