"""The paper's agreement, on Viterbi alignments: every phrase has one translation or none.

Notation: m_t  the source phrase of target phrase t, 0 for none      Eq. 19-23, inner: Eq. 31
          ε  the probability of a phrase that has no translation     Eq. 3
"""

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NOTHING, Judged, PairSet
from accord.learning import word_kernels as kernels
from accord.learning.agreement import Agreed, Alignment, Links, intersection, links_of
from accord.learning.matching import MATCHINGS
from accord.learning.model import Model, word_arguments
from accord.learning.search.graph import Pairs, candidate_pairs, pair_scores
from accord.learning.search.retrieval import QUERY_SHARD, Ranking, best_candidates, on_grid
from accord.settings import Settings
from accord.system.runners import Runner


def viterbi_agreement(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    settings: Settings,
    runner: Runner,
    judged: Judged = NOTHING,
) -> Agreed:
    """Both Viterbi alignments, and the links that the new parameters are counted on."""
    swapped = judged.swapped()
    there = _candidates(source, target, forward, settings, runner, judged.rejected)
    back = _candidates(target, source, backward, settings, runner, swapped.rejected)
    one = viterbi_alignment(source, target, forward, backward, there, settings, runner)
    other = viterbi_alignment(target, source, backward, forward, back, settings, runner)
    if judged.accepted.size:
        _set_certain(source, target, forward, one, judged.accepted, runner)
        _set_certain(target, source, backward, other, swapped.accepted, runner)

    def matching(kind: str) -> Links:
        if kind == "intersection":
            return intersection(one.phrases, other.phrases).with_certain(judged.accepted)
        pairs = candidate_pairs(there, back, runner)
        if judged.any:
            pairs = pairs.judged(judged)
        best = _agreed_matching(source, target, forward, backward, pairs, kind, settings, runner)
        return best.with_certain(judged.accepted)

    found = matching(settings.matching)
    if settings.agreement == "none":
        links = links_of(one.phrases).with_certain(judged.accepted)
        back_links = links_of(other.phrases).with_certain(swapped.accepted)
    else:
        same = settings.training_matching == settings.matching
        links = found if same else matching(settings.training_matching)
        back_links = links.swapped()
    return Agreed(one, other, links, back_links, found, (forward.empty, backward.empty))


def _count(settings: Settings) -> int:
    """How many candidates are needed: without a closer look, the second best tells a tie."""
    if settings.agreement == "inner" or settings.word_model != "model1":
        return settings.candidates
    matched = {settings.matching, settings.training_matching} & set(MATCHINGS)
    return max(settings.candidates, 2) if matched else 2


def _candidates(
    source: Phrases,
    target: Phrases,
    model: Model,
    settings: Settings,
    runner: Runner,
    rejected: PairSet,
) -> Ranking:
    """The candidates of every target phrase, rejected ones left out."""
    count = _count(settings)
    if not rejected.size:
        return best_candidates(source, target, model, runner, count)
    more = int(np.bincount(rejected.target).max())
    return best_candidates(source, target, model, runner, count + more).without(rejected, count)


def _set_certain(
    source: Phrases,
    target: Phrases,
    model: Model,
    alignment: Alignment,
    accepted: PairSet,
    runner: Runner,
) -> None:
    """Let m_t = s where that is accepted; of several, the first."""
    t, first = np.unique(accepted.target, return_index=True)
    pairs = Pairs.of(PairSet(accepted.source[first], t))
    scores = pair_scores(source, target, model, pairs, runner)[0]
    alignment.phrases[pairs.target] = pairs.source
    log_floors = model.translation.log_floors(target)
    alignment.log_prob[pairs.target] = scores + log_floors[pairs.target]
    alignment.tied[pairs.target] = False


def viterbi_alignment(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    ranking: Ranking,
    settings: Settings,
    runner: Runner,
) -> Alignment:
    """m* of P(target|source), out of the candidates of each target phrase.

    By P(f|e) alone, or with word agreement where it is inner. A phrase links only if P(f|e) is
    above ε: at equal scores, the empty phrase has the lowest number.
    """
    log_floors = forward.translation.log_floors(target)
    log_epsilons = np.log(settings.epsilon) - log_floors
    if settings.agreement == "inner" or settings.word_model != "model1":
        shared = (
            *word_arguments(source, target, forward, backward),
            _length_table(forward),
            ranking.groups,
            ranking.offsets,
            ranking.phrases,
            ranking.scores,
            log_epsilons,
            settings.word_model != "model1",
            settings.agreement == "inner",
        )
        shards = runner.map(kernels.rerank, shared, items=len(target), shard=QUERY_SHARD)
        phrases, scores, tied = (np.concatenate(part) for part in zip(*shards, strict=True))
    else:
        scores, second = (ranking.scores_at(place)[ranking.groups] for place in (0, 1))
        linked = scores > log_epsilons
        phrases = np.zeros(len(target), np.int32)
        phrases[linked] = ranking.phrases[ranking.offsets[ranking.groups[linked]]]
        tied = linked & (scores == second)
    log_prob = np.where(phrases > 0, scores + log_floors, np.log(settings.epsilon))
    return Alignment(phrases, log_prob, tied)


def _length_table(model: Model) -> NDArray[np.float64]:
    I, J = (np.arange(size) for size in model.lengths.log_prob.shape)
    return on_grid(model.length_terms(I[:, None], J[None, :]))


def _agreed_matching(
    source: Phrases,
    target: Phrases,
    forward: Model,
    backward: Model,
    pairs: Pairs,
    kind: str,
    settings: Settings,
    runner: Runner,
) -> Links:
    """m̂ of Eq. 17 itself: the matching with the greatest Σ log P→ + log P← − 2·log ε."""
    log_epsilon = np.log(settings.epsilon)
    weights = (
        pair_scores(source, target, forward, pairs, runner)[0]
        + forward.translation.log_floors(target)[pairs.target]
        + pair_scores(target, source, backward, pairs.swapped(), runner)[0]
        + backward.translation.log_floors(source)[pairs.source]
        - 2 * log_epsilon
    )
    chosen = MATCHINGS[kind](pairs.source, pairs.target, weights)
    return Links.certain(pairs.source[chosen], pairs.target[chosen]).sorted()
