"""What the search says of all pairs by their posteriors, before any is looked at closely.

Notation: q→(s|t) = P(f|e⁽ˢ⁾) / (o·P(f|empty) + Σ P(f|e)) with the sum over all source phrases
          o  how much likelier the empty phrase is than a single source phrase, before f is seen

Of one direction the candidates of all phrases are kept, of the other only the pairs that both
together may bear out: of a hundred candidates, one or two.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import Phrases
from accord.learning.model import Model
from accord.learning.search.graph import Listing, Pairs, all_pairs, listed, listing
from accord.learning.search.retrieval import (
    Found,
    Queries,
    Ranking,
    joined,
    queries_of,
    scores_at,
    searched,
)
from accord.settings import Settings
from accord.system.arrays import offsets_of
from accord.system.runners import Runner

# Pairs that count for less are left out.
LEAST_WEIGHT = 1e-3
# A closer look may make a pair better than the search has seen it: so many nats are allowed for
# before it is taken.
CLOSER_LOOK = 3.0
# But it adds no more than this, or it could not be summed.
MOST_GAIN = 600.0

Array = NDArray[Any]


class Rivals(NamedTuple):
    """What one direction's search says of all candidates of each target phrase."""

    log_total: NDArray[np.float64]  # what q is over
    listed: NDArray[np.float64]  # the sum of q of its candidates


def least_listed(settings: Settings) -> float:
    """The least that the search has to say of a pair for a closer look."""
    return least_counted(settings) - CLOSER_LOOK


def least_counted(settings: Settings) -> float:
    """The least log q→·q← that counts."""
    return float(np.log(LEAST_WEIGHT) / settings.power)


def log_empty(source: Phrases, target: Phrases, model: Model) -> NDArray[np.float64]:
    """The score of the empty phrase against the sum of all others, for each length J.

    The share of target phrases that have no translation, over that of a single source phrase;
    how often J is the length of a target phrase; and each word by its share of the floors.
    """
    lengths = np.bincount(target.lengths[1:], minlength=target.max_length + 1)
    with np.errstate(divide="ignore"):
        log_length = np.log(lengths / (len(target) - 1))
    log_floor: float = np.log(model.translation.floors[1:].sum())
    words = np.arange(len(lengths)) * log_floor
    scores: NDArray[np.float64] = log_empty_odds(source, model) + log_length - words
    return scores


def log_empty_odds(source: Phrases, model: Model) -> float:
    """How much likelier the empty phrase is than a single source phrase, before f is seen."""
    return float(np.log(model.empty / (1 - model.empty) * (len(source) - 1)))


def ranked_candidates(
    source: Phrases, target: Phrases, model: Model, settings: Settings, runner: Runner
) -> tuple[Ranking, Rivals]:
    """The candidates of every target phrase, by log q."""
    queries = queries_of(source, target, model)
    shards = _searched(source, target, queries, model, settings, runner, _ranked)
    sizes, phrases, log_q, log_total, listed = joined(shards)
    groups, *_, lengths = queries
    rows = offsets_of(sizes), phrases, log_q, log_total
    ranking = Ranking(groups, lengths, *rows, most=settings.candidates)
    return ranking, Rivals(log_total[groups], listed[groups])


def paired_candidates(
    other: Ranking,
    source: Phrases,
    target: Phrases,
    model: Model,
    settings: Settings,
    runner: Runner,
) -> tuple[Pairs, Rivals]:
    """The pairs <t, s> with the candidates of the other direction, whose ranking is known."""
    queries = queries_of(source, target, model)
    least = least_listed(settings)
    given = settings.candidates, listing(other, queries.groups, least)
    shards = _searched(source, target, queries, model, settings, runner, _paired, given)
    *pairs, ends, log_total, listed = joined(shards)
    groups = queries.groups
    return (
        all_pairs(pairs, other, ends[groups], runner, least),
        Rivals(log_total[groups], listed[groups]),
    )


def _searched(
    source: Phrases,
    target: Phrases,
    queries: Queries,
    model: Model,
    settings: Settings,
    runner: Runner,
    finish: Callable[..., Any],
    given: tuple[Any, ...] = (),
) -> list[Any]:
    """finish(found, log_empty of each query, *given, first, last) of each shard of queries."""
    empty = log_empty(source, target, model)
    return searched(
        *(source, queries, model, runner, settings.candidates),
        sum_all=True,
        log_empty=empty,
        least=least_listed(settings),
        finish=finish,
        given=(empty[queries.lengths], *given),
    )


def _ranked(found: Found, log_empty: Array, first: int, last: int) -> tuple[Array, ...]:
    """The rows of a ranking by log q, in half the bytes, and what is to be known of the rivals."""
    log_empty = log_empty[first:last]
    # The sums of very long phrases are cut off; they are no less than their best candidate.
    log_sums = np.maximum(found.log_sums, scores_at(0, found.sizes, found.scores))
    log_total = np.logaddexp(log_sums, log_empty)
    log_total[np.isneginf(log_empty)] = 0.0  # of the phrase without words
    log_q = found.scores - np.repeat(log_total, found.sizes)
    row = np.repeat(np.arange(last - first), found.sizes)
    listed = np.bincount(row, np.exp(log_q), minlength=last - first)
    return found.sizes, found.phrases, log_q.astype(np.float32), log_total, listed


def _paired(
    found: Found, log_empty: Array, count: int, listing: Listing, first: int, last: int
) -> tuple[Array, ...]:
    """The pairs with the other direction's ranking, and not all that was found: of a hundred
    candidates, one or two may count in both."""
    sizes, phrases, log_q, *rivals = _ranked(found, log_empty, first, last)
    pairs = listed(offsets_of(sizes), phrases, log_q, listing, first, last)
    return *pairs, scores_at(count - 1, sizes, log_q), *rivals
