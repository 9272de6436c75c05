"""The search: for every target phrase its most probable source phrases, out of all.

With the floor, log P(f|e⁽ˢ⁾) is a sum over the words of f of one term that depends on s only
by its length, and of an impact that is zero unless s holds a word with a learned translation.
So the search is retrieval: a posting list (phrases, impacts) for each target word, and the exact
best of a sum of a few lists. See docs/paper.md for the derivation.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord import kernels
from accord.model import Model
from accord.phrases import Phrases
from accord.runners import Runner
from accord.translation import TranslationModel

# Items a shard: small enough to balance threads, large enough for its buffers to cost nothing.
WORD_SHARD = 1024
QUERY_SHARD = 2048


class Postings(NamedTuple):
    """For each block of source phrases and target word f, the phrases that know f, and what it
    adds to their scores."""

    offsets: NDArray[np.int64]  # a row for each block
    places: NDArray[np.int32]  # in the block
    impacts: NDArray[np.int32]
    growths: NDArray[np.float32]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of phrases that know each target word."""
        sizes: NDArray[np.int64] = np.diff(self.offsets).sum(axis=0)
        return sizes


class Queries(NamedTuple):
    """Target phrases as the search sees them: words that no phrase knows are left out."""

    words: NDArray[np.int32]
    offsets: NDArray[np.int64]
    lengths: NDArray[np.int32]


class Ranking(NamedTuple):
    """The best source phrases for every target phrase: t has the rows groups[t] of the others.

    Target phrases that differ only in words that nobody knows have the same answer. Scores are
    log P(f|e) over the floors of f.
    """

    groups: NDArray[np.int64]
    lengths: NDArray[np.int32]  # J of each row
    phrases: NDArray[np.int32]  # the best first; 0 after the last
    scores: NDArray[np.float64]
    log_sums: NDArray[np.float64]  # log Σₛ P(f|e⁽ˢ⁾) over all phrases, where it was asked for


def best_candidates(
    source: Phrases,
    target: Phrases,
    model: Model,
    runner: Runner,
    count: int,
    *,
    sum_all: bool = False,
) -> Ranking:
    """The `count` best source phrases by log P(f|e)."""
    translation = model.translation
    postings = impact_postings(source, translation, runner)
    groups, queries = grouped_queries(target, postings, translation)
    lengths = np.arange(source.max_length + 1)
    log_base = np.log1p(translation.null[:, None] / (lengths + 1))
    numbers = [block.phrases for block in source.blocks]
    shared = (
        *queries,
        *postings,
        on_grid(log_base),
        on_grid(model.lengths.log_prob),
        np.cumsum([0, *map(len, numbers)]),
        np.array([block.length for block in source.blocks]),
        np.concatenate(numbers),
        min(count, len(source)),
        sum_all,
    )
    shards = runner.map(
        kernels.best_phrases,
        shared,
        items=len(queries.lengths),
        shard=QUERY_SHARD,
        worth=len(target) - 1,
    )
    return Ranking(
        groups, queries.lengths, *(np.concatenate(part) for part in zip(*shards, strict=True))
    )


def impact_postings(source: Phrases, translation: TranslationModel, runner: Runner) -> Postings:
    """The posting list of every target word in every block."""
    words = len(translation.floors)
    shards = []
    for block in source.blocks:
        occurrences = block.offsets, block.places, block.counts
        shared = (
            *translation.by_target,
            translation.null,
            *occurrences,
            block.length,
            len(block.phrases),
        )
        shards += runner.map(kernels.impact_postings, shared, items=words, shard=WORD_SHARD)
    sizes, *rest = (np.concatenate(part) for part in zip(*shards, strict=True))
    ends = np.cumsum(sizes).reshape(-1, words)
    begins = np.concatenate([[0], ends[:-1, -1]])
    return Postings(np.column_stack([begins, ends]), *rest)


def grouped_queries(
    target: Phrases, postings: Postings, translation: TranslationModel
) -> tuple[NDArray[np.int64], Queries]:
    """The distinct queries, sorted so that neighbours begin alike, and the query of each phrase.

    In a query the words with the longest lists come first: these are shared by most.
    """
    sizes = postings.sizes
    known = (sizes > 0) | (translation.null > 0)
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
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return groups, Queries(words, offsets, lengths)


def on_grid(nats: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rounded to the grid on which all sums are exact."""
    return np.rint(nats / kernels.GRID) * kernels.GRID
