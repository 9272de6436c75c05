"""Agreement by posteriors: a pair of phrases counts as far as both directions believe in it.

Notation: q→(s|t) = P(f|e⁽ˢ⁾) / (P(f|empty) + Σ P(f|e)) with the sum over all source phrases
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

from accord.agreement import Agreed, Alignment, Links, intersection
from accord.graph import Pairs, candidate_pairs, pair_scores
from accord.matching import MATCHINGS
from accord.model import Model
from accord.phrases import Phrases
from accord.runners import Runner
from accord.search import Ranking, best_candidates
from accord.settings import Settings

# Pairs that count for less are left out.
LEAST_WEIGHT = 1e-3
# Word order can make a pair so many nats better than the search has seen it.
ORDER_MARGIN = 3.0
# An empty phrase that explains nothing could never come back, and one that explains all neither.
LEAST_EMPTY, MOST_EMPTY = 0.05, 0.99


def posterior_agreement(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    settings: Settings,
    runner: Runner,
) -> Agreed:
    """The weighted pairs that the new parameters are counted on, and a matching of them."""
    there, forward_total = _rivals(source, target, forward, settings, runner)
    back, backward_total = _rivals(target, source, backward, settings, runner)
    least = np.log(LEAST_WEIGHT) / settings.power
    pairs = candidate_pairs(target, there, back, least - ORDER_MARGIN)
    one = _direction(source, target, forward, pairs, forward_total, runner)
    other = _direction(target, source, backward, pairs.swapped(), backward_total, runner)
    log_weights = settings.power * (one.log_q + other.log_q)
    kept = log_weights > settings.power * least
    links = Links(pairs.source[kept], pairs.target[kept], np.exp(log_weights[kept])).sorted()

    def matching(kind: str) -> Links:
        if kind == "none":
            return links
        if kind == "intersection":
            return intersection(one.alignment.phrases, other.alignment.phrases)
        worth = np.log(links.weights) - np.log(LEAST_WEIGHT)
        return links.where(MATCHINGS[kind](links.source, links.target, worth))

    counted = matching(settings.training_matching)
    if settings.training_matching != "none":
        counted = Links.certain(counted.source, counted.target)
    return Agreed(
        one.alignment,
        other.alignment,
        counted,
        counted.swapped(),
        matching(settings.matching),
        (one.empty, other.empty),
    )


def log_empty(source: Phrases, target: Phrases, model: Model) -> NDArray[np.float64]:
    """The score of the empty phrase against the sum of all others, for each length J.

    The share of target phrases that have no translation, over that of a single source phrase;
    how often J is the length of a target phrase; and each word by its share of the floors.
    """
    odds = model.empty / (1 - model.empty) * (len(source) - 1)
    lengths = np.bincount(target.lengths[1:], minlength=target.max_length + 1)
    with np.errstate(divide="ignore"):
        log_length = np.log(lengths / (len(target) - 1))
    log_floor: float = np.log(model.translation.floors[1:].sum())
    scores: NDArray[np.float64] = np.log(odds) + log_length - np.arange(len(lengths)) * log_floor
    return scores


def _rivals(
    source: Phrases, target: Phrases, model: Model, settings: Settings, runner: Runner
) -> tuple[Ranking, NDArray[np.float64]]:
    """The candidates of every target phrase with log q for scores, and log of what q is over."""
    ranking = best_candidates(source, target, model, runner, settings.candidates, sum_all=True)
    log_total = np.logaddexp(ranking.log_sums, log_empty(source, target, model)[ranking.lengths])
    log_total[ranking.lengths == 0] = 0.0
    log_q = ranking.scores - log_total[:, None]
    return ranking._replace(scores=log_q), log_total[ranking.groups]


class _Direction(NamedTuple):
    log_q: NDArray[np.float64]  # of each pair
    alignment: Alignment  # the most probable source phrase of each target phrase, or none
    empty: float  # the share of target phrases without translation


def _direction(
    source: Phrases,
    target: Phrases,
    model: Model,
    pairs: Pairs,
    log_total: NDArray[np.float64],
    runner: Runner,
) -> _Direction:
    scores = pair_scores(source, target, model, pairs, runner)
    # The sums of the search are set right for the candidates, which are seen better here.
    searched = pair_scores(source, target, model.as_searched, pairs, runner)
    totals = log_total[pairs.target]
    gain = np.exp(scores - totals) - np.exp(searched - totals)
    gains = np.bincount(pairs.target, gain, minlength=len(target))
    log_total = log_total + np.log(np.maximum(1 + gains, 1e-3))
    empty = log_empty(source, target, model)[target.lengths]
    empty[0] = log_total[0]
    share = float(np.exp(empty - log_total)[1:].mean())
    best = _most_probable(pairs, scores, empty)
    best.log_prob[:] += model.translation.log_floors(target)
    return _Direction(
        scores - log_total[pairs.target], best, min(max(share, LEAST_EMPTY), MOST_EMPTY)
    )


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
