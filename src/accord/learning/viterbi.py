"""The paper's agreement, on Viterbi alignments: every phrase has one translation or none.

Notation: m_t  the source phrase of target phrase t, 0 for none      Eq. 19-23, inner: Eq. 31
          ε  the probability of a phrase without a translation       Eq. 3
"""

import numpy as np

from accord.evidence.constraints import PairSet
from accord.learning.agreement import Agreed, Alignment, Links, find_links, intersect
from accord.learning.matching import MATCHINGS
from accord.learning.model.parameters import Model, Models
from accord.learning.search.pairs import CandidatePairs, pair_candidates, score_candidates
from accord.learning.search.ranking import Ranking
from accord.learning.search.retrieval import QUERY_SHARD, rank_candidates, round_to_grid
from accord.learning.search.search_kernels import SearchLimits
from accord.learning.task import Task
from accord.learning.word_kernels import PhraseWords, Reranking, rerank
from accord.settings import Settings
from accord.system.arrays import Floats


def viterbi_agreement(task: Task, models: Models) -> Agreed:
    """Both Viterbi alignments, and the links from which the new parameters are estimated."""
    swapped = task.swapped()
    forward_ranking = _rank_allowed(task, models.forward)
    backward_ranking = _rank_allowed(swapped, models.backward)
    forward = find_viterbi_alignment(task, models, forward_ranking)
    backward = find_viterbi_alignment(swapped, models.swapped(), backward_ranking)
    accepted = task.constraints.accepted
    if accepted.size:
        _set_accepted(task, models.forward, forward)
        _set_accepted(swapped, models.backward, backward)

    def match(matching: str) -> Links:
        if matching == "intersection":
            return intersect(forward.phrases, backward.phrases).with_certain(accepted)
        pairs = pair_candidates(forward_ranking, backward_ranking, task.runner)
        if task.constraints.any:
            pairs = pairs.constrained(task.constraints)
        return match_pairs(task, models, pairs, matching).with_certain(accepted)

    settings = task.settings
    found = match(settings.matching)
    if settings.agreement == "none":
        links = find_links(forward.phrases).with_certain(accepted)
        backward_links = find_links(backward.phrases).with_certain(swapped.constraints.accepted)
    else:
        same = settings.training_matching == settings.matching
        links = found if same else match(settings.training_matching)
        backward_links = links.swapped()
    empty = models.forward.empty, models.backward.empty
    return Agreed(forward, backward, links, backward_links, found, empty)


def _count_needed(settings: Settings) -> int:
    """How many candidates are needed: if they are not reranked, the second best reveals a tie."""
    if _is_reranked(settings):
        return settings.candidates
    matched = {settings.matching, settings.training_matching} & set(MATCHINGS)
    return max(settings.candidates, 2) if matched else 2


def _is_reranked(settings: Settings) -> bool:
    return settings.agreement == "inner" or settings.word_model != "model1"


def _rank_allowed(task: Task, model: Model) -> Ranking:
    """The candidates of every target phrase, without rejected ones."""
    count = _count_needed(task.settings)
    rejected = task.constraints.rejected
    if not rejected.size:
        return rank_candidates(task, model, SearchLimits(count))
    more = int(np.bincount(rejected.target).max())
    return rank_candidates(task, model, SearchLimits(count + more)).without(rejected, count)


def _set_accepted(task: Task, model: Model, alignment: Alignment) -> None:
    """Set m_t = s for accepted pairs; if t is in several, s is the first."""
    accepted = task.constraints.accepted
    t, first = np.unique(accepted.target, return_index=True)
    pairs = CandidatePairs.none().with_pairs(PairSet(accepted.source[first], t))
    scores = score_candidates(task, model, pairs)[0]
    alignment.phrases[pairs.target] = pairs.source
    log_floors = model.translation.log_floors(task.target)
    alignment.log_prob[pairs.target] = scores + log_floors[pairs.target]
    alignment.tied[pairs.target] = False


def find_viterbi_alignment(task: Task, models: Models, ranking: Ranking) -> Alignment:
    """m* of P(target|source), chosen from the candidates of each target phrase.

    The score is P(f|e) or, with inner agreement, P(f|e) and link agreement. A phrase is linked only
    if P(f|e) is above ε: ties go to the lowest number, which is that of the empty phrase.
    """
    settings, target = task.settings, task.target
    log_floors = models.forward.translation.log_floors(target)
    log_epsilons = np.log(settings.epsilon) - log_floors
    if _is_reranked(settings):
        how = Reranking(
            _tabulate_lengths(models.forward),
            log_epsilons,
            settings.word_model != "model1",
            settings.agreement == "inner",
        )
        words = PhraseWords(task.source.ragged, target.ragged)
        shared = (models.tables, words, ranking, how)
        shards = task.runner.map(rerank, shared, items=len(target), shard=QUERY_SHARD)
        phrases, scores, tied = (np.concatenate(part) for part in zip(*shards, strict=True))
    else:
        scores, second = (ranking.scores_at(place)[ranking.groups] for place in (0, 1))
        linked = scores > log_epsilons
        phrases = np.zeros(len(target), np.int32)
        phrases[linked] = ranking.phrases[ranking.offsets[ranking.groups[linked]]]
        tied = linked & (scores == second)
    log_prob = np.where(phrases > 0, scores + log_floors, np.log(settings.epsilon))
    return Alignment(phrases, log_prob, tied)


def _tabulate_lengths(model: Model) -> Floats:
    I, J = (np.arange(size) for size in model.lengths.log_prob.shape)
    return round_to_grid(model.length_terms(I[:, None], J[None, :]))


def match_pairs(task: Task, models: Models, pairs: CandidatePairs, matching: str) -> Links:
    """m̂ of Eq. 17 itself: the matching with the greatest Σ log P→ + log P← − 2·log ε."""
    log_epsilon = np.log(task.settings.epsilon)
    weights = (
        score_candidates(task, models.forward, pairs)[0]
        + models.forward.translation.log_floors(task.target)[pairs.target]
        + score_candidates(task.swapped(), models.backward, pairs.swapped())[0]
        + models.backward.translation.log_floors(task.source)[pairs.source]
        - 2 * log_epsilon
    )
    chosen = MATCHINGS[matching](pairs.source, pairs.target, weights)
    return Links.certain(pairs.source[chosen], pairs.target[chosen]).sorted()
