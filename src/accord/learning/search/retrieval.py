"""The search: for every target phrase its most probable source phrases, out of all.

With the floor, log P(f|e⁽ˢ⁾) is a sum over the words of f of one term that depends on s only
by its length, and of an impact that is zero unless s holds a word with a learned translation.
So the search is retrieval: a posting list (phrases, impacts) for each target word, and the exact
best of a sum of a few lists. See docs/paper.md for the derivation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.phrases import NULL, Block, Phrases
from accord.errors import SettingError
from accord.evidence.constraints import PairSet
from accord.learning.model import Model
from accord.learning.model.translation import TranslationModel
from accord.learning.search import search_kernels as kernels
from accord.system.arrays import offsets_of
from accord.system.runners import Runner

# Items a shard: small enough to balance threads, large enough for its buffers to cost nothing.
WORD_SHARD = 1024
QUERY_SHARD = 2048


class Postings(NamedTuple):
    """For each of some blocks of source phrases and target word f, the phrases that know f, and
    what it adds to their scores."""

    offsets: NDArray[np.int64]  # a row for each block
    places: NDArray[np.int32]  # in the block
    impacts: NDArray[np.int32]
    growths: NDArray[np.float32]  # where sums are asked for


# Bytes of a posting, and of its growth; twice, as they are made in shards, and then put together.
POSTING_BYTES, GROWTH_BYTES = 2 * (4 + 4), 2 * 4


class Queries(NamedTuple):
    """Target phrases as the search sees them: words that no phrase knows are left out, and those
    that differ in nothing else are one query: that of t is groups[t]."""

    groups: NDArray[np.int64]
    words: NDArray[np.int32]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int32]


class Ranking(NamedTuple):
    """The best source phrases for every target phrase: t has the row of its query, groups[t].

    Row r is phrases[offsets[r]:offsets[r + 1]], the best first. Scores are log P(f|e) over the
    floors of f.
    """

    groups: NDArray[np.int64]
    lengths: NDArray[np.int32]  # J of each row
    offsets: NDArray[np.int64]
    phrases: NDArray[np.int32]
    scores: NDArray[np.floating[Any]]
    log_sums: NDArray[np.float64]  # log Σₛ P(f|e⁽ˢ⁾) over all phrases, where it was asked for
    most: int  # so many candidates a row at most

    def scores_at(self, place: int) -> NDArray[np.float64]:
        """The score at this place of each row, 0 for the best; -inf where the row has ended."""
        return scores_at(place, np.diff(self.offsets), self.scores)

    @property
    def ends(self) -> NDArray[np.float64]:
        """The score of no more than which all are that a row has not; -inf if it has all."""
        return self.scores_at(self.most - 1)

    def without(self, rejected: PairSet, most: int) -> "Ranking":
        """Without these pairs <s, t>, and with `most` candidates a row at most. A target phrase
        that has one of them gets a row of its own."""
        own = np.unique(rejected.target)
        old = np.concatenate([np.arange(len(self.lengths)), self.groups[own]])
        groups = self.groups.copy()
        groups[own] = len(self.lengths) + np.arange(len(own))
        sizes = np.diff(self.offsets)[old]
        row = np.repeat(np.arange(len(old)), sizes)
        places = np.arange(len(row)) + np.repeat(self.offsets[old] - offsets_of(sizes)[:-1], sizes)
        target = np.concatenate([np.full(len(self.lengths), NULL), own])
        kept = ~rejected.among(self.phrases[places], target[row])
        # How many are kept before each place, over all rows and in its own.
        before = np.concatenate([[0], np.cumsum(kept)])
        kept &= before[:-1] - before[offsets_of(sizes)[row]] < most
        return Ranking(
            *(groups, self.lengths[old]),
            offsets_of(np.bincount(row[kept], minlength=len(old))),
            *(self.phrases[places[kept]], self.scores[places[kept]]),
            *(self.log_sums[old], most),
        )


class Found(NamedTuple):
    """The rows of a ranking that a shard of queries has found."""

    sizes: NDArray[np.int64]
    phrases: NDArray[np.int32]
    scores: NDArray[np.float64]
    log_sums: NDArray[np.float64]


def scores_at(
    place: int, sizes: NDArray[np.int64], scores: NDArray[np.floating[Any]]
) -> NDArray[np.float64]:
    """The score at this place of each row, 0 for the best; -inf where the row has ended."""
    at = np.full(len(sizes), -np.inf)
    long_enough = sizes > place
    at[long_enough] = scores[(np.cumsum(sizes) - sizes)[long_enough] + place]
    return at


def best_candidates(
    source: Phrases,
    target: Phrases,
    model: Model,
    runner: Runner,
    count: int,
    *,
    sum_all: bool = False,
    log_empty: NDArray[np.float64] | None = None,
    least: float = -np.inf,
) -> Ranking:
    """The `count` best source phrases by log P(f|e)."""
    queries = queries_of(source, target, model)
    if log_empty is None:
        log_empty = np.full(target.max_length + 1, -np.inf)
    shards = searched(
        source, queries, model, runner, count, sum_all=sum_all, log_empty=log_empty, least=least
    )
    sizes, phrases, scores, log_sums = joined(shards)
    return Ranking(
        queries.groups, queries.lengths, offsets_of(sizes), phrases, scores, log_sums, count
    )


def searched(
    source: Phrases,
    queries: Queries,
    model: Model,
    runner: Runner,
    count: int,
    *,
    sum_all: bool,
    log_empty: NDArray[np.float64],
    least: float,
    finish: Callable[..., Any] | None = None,
    given: tuple[Any, ...] = (),
) -> list[Any]:
    """The best of all queries, in shards; or finish(found, *given, first, last) of each shard, as
    all that is found may be more than is wanted in memory.

    With sums, phrases are left out whose score over the sum, and the score log_empty[J] of the
    empty phrase where there is one, is under `least`.
    """
    rows = len(queries.lengths)
    translation = model.translation
    lengths = np.arange(source.max_length + 1)
    tables = (
        on_grid(np.log1p(translation.null[:, None] / (lengths + 1))),
        on_grid(model.lengths.log_prob),
        log_empty,
    )
    found = Found(
        np.zeros(rows, np.int64), np.empty(0, np.int32), np.empty(0), np.full(rows, -np.inf)
    )
    # Posting lists of all phrases may be too much for the memory: so they are made for some
    # blocks at a time, and what is found there joins what was found before.
    parts = block_groups(source, translation, runner.memory, growths=sum_all)
    for number, blocks in enumerate(parts, 1):
        numbers = [block.phrases for block in blocks]
        shared = (
            finish if number == len(parts) else None,
            given,
            *(queries.words, queries.offsets, queries.lengths),
            *impact_postings(blocks, translation, runner, growths=sum_all),
            *tables,
            offsets_of(np.array([*map(len, numbers)])),
            np.array([block.length for block in blocks]),
            np.concatenate(numbers),
            *(offsets_of(found.sizes), *found[1:]),
            *(min(count, len(source)), sum_all, least),
        )
        worth = (len(queries.groups) - 1) / len(parts)
        shards = runner.map(_searched, shared, items=rows, shard=QUERY_SHARD, worth=worth)
        del shared  # before there is the index of the next blocks
        if number < len(parts):
            found = Found(*joined(shards))
    return shards


def _searched(finish: Callable[..., Any] | None, given: tuple[Any, ...], *arguments: Any) -> Any:
    found = Found(*kernels.best_phrases(*arguments))
    return finish(found, *given, *arguments[-2:]) if finish else found


def joined(shards: list[Any]) -> tuple[NDArray[Any], ...]:
    """What all shards have of each thing, one thing after the other; the shards are used up."""
    things = [list(parts) for parts in zip(*shards, strict=True)]
    shards.clear()
    return tuple(np.concatenate(things.pop(0)) for _ in range(len(things)))


def list_sizes(source: Phrases, translation: TranslationModel) -> NDArray[np.int64]:
    """How long the posting list of each target word is at most."""
    offsets, sources, _ = translation.by_target
    ends = np.concatenate([[0], np.cumsum(source.occurrences[sources])])
    sizes: NDArray[np.int64] = np.diff(ends[offsets])
    return sizes


def block_groups(
    source: Phrases, translation: TranslationModel, memory: int, *, growths: bool
) -> list[list[Block]]:
    """The blocks in their order, as many at a time as have room for their posting lists."""
    entries = np.diff(translation.offsets)
    entries[NULL] = 0
    groups: list[list[Block]] = []
    taken = 0
    for block in source.blocks:
        postings = int(np.diff(block.offsets) @ entries)
        needed = (POSTING_BYTES + growths * GROWTH_BYTES) * postings + 8 * len(translation.floors)
        if needed > memory:
            raise SettingError(
                f"memory: must be at least {-(-needed // 2**10):,}K, for the index of a block of "
                f"{len(block.phrases):,} phrases, found {memory // 2**10:,}K; a run that has a "
                "folder can go on with more (--resume)"
            )
        if not groups or taken + needed > memory:
            groups.append([])
            taken = 0
        groups[-1].append(block)
        taken += needed
    return groups


def impact_postings(
    blocks: list[Block], translation: TranslationModel, runner: Runner, *, growths: bool
) -> Postings:
    """The posting list of every target word in each of the blocks."""
    words = len(translation.floors)
    shards = []
    for block in blocks:
        occurrences = block.offsets, block.places, block.counts
        shared = (
            *translation.by_target,
            translation.null,
            *occurrences,
            block.length,
            len(block.phrases),
            growths,
        )
        shards += runner.map(kernels.impact_postings, shared, items=words, shard=WORD_SHARD)
    sizes, *rest = (np.concatenate(part) for part in zip(*shards, strict=True))
    ends = np.cumsum(sizes).reshape(-1, words)
    begins = np.concatenate([[0], ends[:-1, -1]])
    return Postings(np.column_stack([begins, ends]), *rest)


def queries_of(source: Phrases, target: Phrases, model: Model) -> Queries:
    """The distinct queries, sorted so that neighbours begin alike.

    In a query the words with the longest lists come first: these are shared by most.
    """
    sizes = list_sizes(source, model.translation)
    known = (sizes > 0) | (model.translation.null > 0)
    # Words by falling size of their list, numbered from 1; 0 fills up the rows below.
    by_size = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), np.int32)
    rank[by_size] = np.arange(1, len(sizes) + 1)

    kept = known[target.words]
    phrase = np.repeat(np.arange(len(target)), target.lengths)[kept]
    ranks = rank[target.words[kept]]
    order = np.lexsort((ranks, phrase))
    counts = np.bincount(phrase, minlength=len(target))
    column = np.arange(len(phrase)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = np.zeros((len(target), counts.max() + 1), np.int32)
    rows[phrase[order], column] = ranks[order]
    rows[:, -1] = target.lengths
    order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    groups = np.empty(len(rows), np.int64)
    groups[order] = np.cumsum(new) - 1

    counts, lengths, rows = counts[order][new], rows[new, -1], rows[new, :-1]
    words = by_size[rows[rows > 0] - 1].astype(np.int32)
    return Queries(groups, words, offsets_of(counts), lengths)


def on_grid(nats: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to the grid on which all sums are exact."""
    return np.rint(nats / kernels.GRID) * kernels.GRID
