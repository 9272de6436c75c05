"""The search: for every target phrase its most probable source phrases, among all of them.

With the floor, log P(f|e⁽ˢ⁾) is a sum over the words of f of one term that depends on s only
by its length, and of an impact that is zero unless s holds a word with a learned translation.
So the search is retrieval: one posting list (phrases, impacts) for each target word, and the exact
best of a sum of a few lists. See docs/explanation/search.md for the derivation.
"""

from typing import NamedTuple

import numpy as np

from accord.learning.model.parameters import Model
from accord.learning.search.index import build_index, group_blocks
from accord.learning.search.queries import GroupedQueries, make_queries
from accord.learning.search.ranking import Ranking, join_shards
from accord.learning.search.search_kernels import (
    GRID,
    EarlierResults,
    Index,
    LengthScores,
    Queries,
    SearchLimits,
    SearchResult,
    search_index,
)
from accord.learning.task import Task
from accord.system.arrays import Floats, offsets_of

# Queries per shard: few enough to balance threads, and so many that its buffers cost little.
QUERY_SHARD = 2048


class SearchRound(NamedTuple):
    """A search in which only the last group of blocks is left to do, for any shard of the queries.

    The results of all queries may not fit in memory. So the caller runs the last round, with
    `search_shard` in a shard function of their own that keeps only what is needed of each shard.
    """

    queries: Queries
    phrase_index: Index
    length_scores: LengthScores
    earlier: EarlierResults
    limits: SearchLimits


def rank_candidates(
    task: Task, model: Model, limits: SearchLimits, log_empty: Floats | None = None
) -> Ranking:
    """The best source phrases of every target phrase by log P(f|e)."""
    queries = make_queries(task.source, task.target, model.translation)
    if log_empty is None:
        log_empty = np.full(task.target.max_length + 1, -np.inf)
    last_round, worth = search_all_but_last(task, model, queries, limits, log_empty)
    shards = task.runner.map(
        search_shard, (last_round,), items=len(queries), shard=QUERY_SHARD, worth=worth
    )
    found = SearchResult(*join_shards(shards))
    return Ranking(
        groups=queries.groups,
        lengths=queries.queries.lengths,
        offsets=offsets_of(found.sizes),
        phrases=found.phrases,
        scores=found.scores,
        log_sums=found.log_sums,
        limit=limits.candidates,
    )


def search_all_but_last(
    task: Task,
    model: Model,
    grouped: GroupedQueries,
    limits: SearchLimits,
    log_empty: Floats,
) -> tuple[SearchRound, float]:
    """Search all groups of blocks but the last; return the last round, and its share of the work.

    The posting lists of all phrases may not fit in memory. So they are built for one group of
    blocks at a time, and the results of each group are merged into the earlier ones.
    """
    source, runner, queries = task.source, task.runner, grouped.queries
    length_scores = _score_lengths(task, model, log_empty)
    limits = limits._replace(candidates=min(limits.candidates, len(source)))
    earlier = EarlierResults(
        np.zeros(len(grouped) + 1, np.int64),
        np.empty(0, np.int32),
        np.empty(0),
        np.full(len(grouped), -np.inf),
    )
    growths = limits.sum_all
    *groups, last_group = group_blocks(source, model.translation, runner.memory, growths=growths)
    worth = (len(task.target) - 1) / (len(groups) + 1)
    for blocks in groups:
        index = build_index(blocks, model.translation, runner, growths=growths)
        part = SearchRound(queries, index, length_scores, earlier, limits)
        shards = runner.map(
            search_shard, (part,), items=len(grouped), shard=QUERY_SHARD, worth=worth
        )
        del index, part  # before the index of the next blocks is built
        sizes, *rest = join_shards(shards)
        earlier = EarlierResults(offsets_of(sizes), *rest)
    index = build_index(last_group, model.translation, runner, growths=growths)
    return SearchRound(queries, index, length_scores, earlier, limits), worth


def search_shard(last_round: SearchRound, first: int, last: int) -> SearchResult:
    """The results of the queries first..last-1."""
    return SearchResult(*search_index(*last_round, first, last))


def _score_lengths(task: Task, model: Model, log_empty: Floats) -> LengthScores:
    lengths = np.arange(task.source.max_length + 1)
    return LengthScores(
        round_to_grid(np.log1p(model.translation.null[:, None] / (lengths + 1))),
        round_to_grid(model.lengths.log_prob),
        log_empty,
    )


def round_to_grid(nats: Floats) -> Floats:
    """Round to the grid on which all sums are exact."""
    rounded = nats / GRID
    np.rint(rounded, out=rounded)
    rounded *= GRID
    return rounded
