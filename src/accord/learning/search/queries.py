"""Target phrases as queries of the search."""

from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.learning.model.translation import TranslationModel
from accord.learning.search.search_kernels import Queries
from accord.system.arrays import Offsets, offsets_of


class GroupedQueries(NamedTuple):
    """Distinct queries; target phrase t is query groups[t].

    Target phrases of the same length that differ only in words without a translation in any source
    phrase are one query.
    """

    groups: Offsets
    queries: Queries

    def __len__(self) -> int:
        return len(self.queries.lengths)


def make_queries(source: Phrases, target: Phrases, translation: TranslationModel) -> GroupedQueries:
    """The distinct queries, sorted so that neighbours share prefixes.

    In a query the words with the longest posting lists come first, since most queries share them.
    """
    sizes = bound_list_sizes(source, translation)
    translated = (sizes > 0) | (translation.null > 0)
    # Words by descending size of their list, numbered from 1; 0 pads the rows below.
    by_size = np.argsort(-sizes, kind="stable")
    rank = np.empty(len(sizes), np.int32)
    rank[by_size] = np.arange(1, len(sizes) + 1)

    kept = translated[target.words]
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
    return GroupedQueries(groups, Queries(words, offsets_of(counts), lengths))


def bound_list_sizes(source: Phrases, translation: TranslationModel) -> Offsets:
    """An upper bound on the length of each target word's posting list."""
    entries = translation.by_target
    ends = np.concatenate([[0], np.cumsum(source.occurrences[entries.sources])])
    sizes: Offsets = np.diff(ends[entries.offsets])
    return sizes
