"""The search by posteriors: which pairs may count in both directions.

Notation: q→(s|t) = P(f|e⁽ˢ⁾) / (o·P(f|empty) + Σ P(f|e)), where the sum is over all source phrases
          o  how much more likely the empty phrase is than a single source phrase, a priori

One direction keeps the candidates of all phrases. The other keeps only the pairs that may count in
both directions, which are one or two percent of its candidates.
"""

from typing import NamedTuple

import numpy as np

from accord.learning.model.parameters import Model
from accord.learning.search.pair_kernels import FoundRows
from accord.learning.search.pairs import (
    CandidatePairs,
    OtherDirection,
    PairedCandidates,
    add_remaining,
    pair_found_rows,
)
from accord.learning.search.queries import GroupedQueries, make_queries
from accord.learning.search.ranking import Ranking, join_shards, scores_at
from accord.learning.search.retrieval import (
    QUERY_SHARD,
    SearchRound,
    search_all_but_last,
    search_shard,
)
from accord.learning.search.search_kernels import SearchLimits
from accord.learning.task import Task
from accord.settings import Settings
from accord.system.arrays import Floats, Floats32, Ids, Mask, Offsets, offsets_of

# Pairs that count for less are left out.
MIN_WEIGHT = 1e-3
# The word model may score a pair higher than the search did, by this many nats.
SEARCH_MARGIN = 3.0


class Competition(NamedTuple):
    """The denominator of q for each target phrase, by the search in one direction."""

    log_total: Floats  # its logarithm
    listed: Floats  # the sum of q over the candidates
    log_empty: Floats  # the score of the empty phrase


class RankedShard(NamedTuple):
    """The candidates of some queries, the best first, and the competition of each query."""

    sizes: Offsets  # how many each query has
    phrases: Ids
    log_q: Floats32
    log_total: Floats
    listed: Floats


class PairedShard(NamedTuple):
    """The candidate pairs of some queries, and the competition of each query."""

    source: Ids  # as in `PairedCandidates`
    target: Ids
    in_both: Mask
    cutoffs: Floats  # an upper bound on log q of phrases that are not candidates
    log_total: Floats
    listed: Floats


def counting_threshold(settings: Settings) -> float:
    """The least log q→·q← that counts."""
    return float(np.log(MIN_WEIGHT) / settings.power)


def listing_threshold(settings: Settings) -> float:
    """The least log q→·q← by the search for which a pair is scored by the word model."""
    return counting_threshold(settings) - SEARCH_MARGIN


def score_empty_phrase(task: Task, model: Model) -> Floats:
    """The score of the empty phrase as a competitor of all source phrases, for each length J.

    It generates a length J as often as target phrases have it, and a word by its share of the
    floors. Scores are relative to the floors, so each word adds minus the log of their sum.
    """
    target = task.target
    lengths = np.bincount(target.lengths[1:], minlength=target.max_length + 1)
    with np.errstate(divide="ignore"):
        log_length = np.log(lengths / (len(target) - 1))
    log_floor: float = np.log(model.translation.floors[1:].sum())
    words = np.arange(len(lengths)) * log_floor
    scores: Floats = empty_phrase_log_odds(task, model) + log_length - words
    return scores


def empty_phrase_log_odds(task: Task, model: Model) -> float:
    """log o: by how much the empty phrase is more likely than one source phrase, a priori."""
    return float(np.log(model.empty / (1 - model.empty) * (len(task.source) - 1)))


def rank_by_posterior(task: Task, model: Model) -> tuple[Ranking, Competition]:
    """The candidates of every target phrase, by log q."""
    queries = make_queries(task.source, task.target, model.translation)
    last_round, worth = _search(task, model, queries)
    shards = task.runner.map(
        _rank_shard, (last_round,), items=len(queries), shard=QUERY_SHARD, worth=worth
    )
    found = RankedShard(*join_shards(shards))
    ranking = Ranking(
        groups=queries.groups,
        lengths=queries.queries.lengths,
        offsets=offsets_of(found.sizes),
        phrases=found.phrases,
        scores=found.log_q,
        log_sums=found.log_total,
        limit=task.settings.candidates,
    )
    return ranking, _compete(task, queries, last_round, found)


def pair_by_posterior(
    task: Task, model: Model, other: Ranking
) -> tuple[CandidatePairs, Competition]:
    """The pairs <t, s> that may count in both directions, given the ranking of the other one."""
    queries = make_queries(task.source, task.target, model.translation)
    direction = OtherDirection.of(other, queries.groups, listing_threshold(task.settings))
    last_round, worth = _search(task, model, queries)
    shards = task.runner.map(
        _pair_shard,
        (last_round, task.settings.candidates, direction),
        items=len(queries),
        shard=QUERY_SHARD,
        worth=worth,
    )
    found = PairedShard(*join_shards(shards))
    pairs = PairedCandidates(found.source, found.target, found.in_both)
    cutoffs = found.cutoffs[queries.groups]
    every = add_remaining(pairs, direction, cutoffs, task.runner)
    return every, _compete(task, queries, last_round, found)


def _search(task: Task, model: Model, queries: GroupedQueries) -> tuple[SearchRound, float]:
    threshold = listing_threshold(task.settings)
    limits = SearchLimits(task.settings.candidates, sum_all=True, least=threshold)
    log_empty = score_empty_phrase(task, model)
    return search_all_but_last(task, model, queries, limits, log_empty)


def _compete(
    task: Task, queries: GroupedQueries, searched: SearchRound, found: RankedShard | PairedShard
) -> Competition:
    """The competition of every target phrase, from that of every query."""
    log_empty = searched.length_scores.log_empty[task.target.lengths]
    groups = queries.groups
    return Competition(found.log_total[groups], found.listed[groups], log_empty)


def _rank_shard(last_round: SearchRound, first: int, last: int) -> RankedShard:
    """Search the last round for the queries first..last-1."""
    found = search_shard(last_round, first, last)
    log_empty = last_round.length_scores.log_empty[last_round.queries.lengths[first:last]]
    # The sums of very long phrases are capped, but not less than their best candidate.
    log_sums = np.maximum(found.log_sums, scores_at(0, found.sizes, found.scores))
    log_total = np.logaddexp(log_sums, log_empty)
    log_total[np.isneginf(log_empty)] = 0.0  # of the phrase without words
    log_q = found.scores - np.repeat(log_total, found.sizes)
    row = np.repeat(np.arange(last - first), found.sizes)
    listed = np.bincount(row, np.exp(log_q), minlength=last - first).astype(np.float64)
    # 32 bits are precise enough here, and save memory.
    log_q = log_q.astype(np.float32)
    return RankedShard(found.sizes, found.phrases, log_q, log_total, listed)


def _pair_shard(
    last_round: SearchRound, count: int, other: OtherDirection, first: int, last: int
) -> PairedShard:
    """The same, but instead of all candidates only the pairs that may count in both directions."""
    found = _rank_shard(last_round, first, last)
    rows = FoundRows(offsets_of(found.sizes), found.phrases, found.log_q)
    pairs = pair_found_rows(rows, other, first, last)
    cutoffs = scores_at(count - 1, found.sizes, found.log_q)
    return PairedShard(*pairs, cutoffs, found.log_total, found.listed)
