"""Candidate pairs, from the rankings of both directions, and their scores by the word model.

Notation: <s, t>  a pair that is among the best candidates of s or of t
          scores  log P(f|e) relative to the floors of f, which are the same for every s
"""

from typing import NamedTuple

import numpy as np

from accord.evidence.constraints import NO_PAIRS, Constraints, PairSet
from accord.learning.model.parameters import Model
from accord.learning.search.pair_kernels import FoundRows, pair_remaining, pair_rows
from accord.learning.search.ranking import Ranking, join_shards
from accord.learning.search.retrieval import QUERY_SHARD
from accord.learning.task import Task
from accord.learning.word_kernels import PhrasePairs, score_pairs
from accord.system.arrays import Floats, Ids, Mask, Offsets, Ragged, offsets_of
from accord.system.runners import Runner

PAIR_SHARD = 65_536
PHRASE_SHARD = 8_192


class CandidatePairs(NamedTuple):
    """Candidate pairs <s, t>, sorted by s and then t."""

    source: Ids
    target: Ids
    forward: Mask  # whether s is a candidate of t
    backward: Mask  # whether t is a candidate of s

    def swapped(self) -> "CandidatePairs":
        """The same pairs in the same order, with the two languages exchanged."""
        return CandidatePairs(self.target, self.source, self.backward, self.forward)

    def sorted(self) -> "CandidatePairs":
        order = np.lexsort((self.target, self.source))
        return CandidatePairs(
            self.source[order], self.target[order], self.forward[order], self.backward[order]
        )

    @classmethod
    def none(cls) -> "CandidatePairs":
        return cls(*NO_PAIRS, np.empty(0, np.bool_), np.empty(0, np.bool_))

    def with_pairs(self, pairs: PairSet) -> "CandidatePairs":
        """Add pairs that are candidates in neither direction, unless they are there already."""
        new = pairs.where(~PairSet.of(self.source, self.target).contains(*pairs))
        if not new.size:
            return self
        neither = np.zeros(new.size, np.bool_)
        return CandidatePairs(
            np.concatenate([self.source, new.source]),
            np.concatenate([self.target, new.target]),
            np.concatenate([self.forward, neither]),
            np.concatenate([self.backward, neither]),
        ).sorted()

    def where(self, kept: Mask | Offsets) -> "CandidatePairs":
        """These pairs only."""
        return CandidatePairs(
            self.source[kept], self.target[kept], self.forward[kept], self.backward[kept]
        )

    def constrained(self, constraints: Constraints) -> "CandidatePairs":
        """The pairs that reviewers have left open, and those that they have accepted."""
        kept = constraints.leaves_open(self.source, self.target)
        return self.where(kept).with_pairs(constraints.accepted)


class PairedCandidates(NamedTuple):
    """Pairs <s, t> of which t is a candidate of s."""

    source: Ids
    target: Ids
    in_both: Mask  # whether s is also a candidate of t


class OtherDirection(NamedTuple):
    """What is needed to pair rows of candidates t with the phrases s that they belong to."""

    members: Ragged  # the phrases s of each row
    ranking: Ranking  # the candidates s of every t
    least: float  # pairs whose two scores cannot add up to this are left out

    @classmethod
    def of(cls, ranking: Ranking, groups: Offsets, least: float) -> "OtherDirection":
        """For phrases s that have the rows groups[s]."""
        members = np.argsort(groups, kind="stable").astype(np.int32)
        return cls(Ragged(members, offsets_of(np.bincount(groups))), ranking, least)


def pair_candidates(
    forward: Ranking, backward: Ranking, runner: Runner, least: float = -np.inf
) -> CandidatePairs:
    """The candidates of either direction whose two scores may add up to `least`."""
    rows = FoundRows(backward.offsets, backward.phrases, backward.scores)
    other = OtherDirection.of(forward, backward.groups, least)
    items = len(backward.lengths)
    shards = runner.map(_pair_ranking, (rows, other), items=items, shard=QUERY_SHARD)
    cutoffs = backward.cutoffs[backward.groups]
    return add_remaining(PairedCandidates(*join_shards(shards)), other, cutoffs, runner)


def _pair_ranking(
    rows: FoundRows, other: OtherDirection, first: int, last: int
) -> PairedCandidates:
    shard = rows._replace(offsets=rows.offsets[first : last + 1])
    return pair_found_rows(shard, other, first, last)


def pair_found_rows(
    rows: FoundRows, other: OtherDirection, first: int, last: int
) -> PairedCandidates:
    """The pairs of the rows first..last-1, which `rows` contains; other rows are not needed."""
    members, ranking, least = other
    return PairedCandidates(*pair_rows(members, rows, ranking, least, first, last))


def add_remaining(
    found: PairedCandidates, other: OtherDirection, cutoffs: Floats, runner: Runner
) -> CandidatePairs:
    """Add the pairs that are candidates in the other direction only.

    A phrase that is not a candidate of s has a score of at most cutoffs[s].
    """
    source, target, in_both = found
    order = np.lexsort((target, source))
    paired = Ragged(target[order], offsets_of(np.bincount(source, minlength=len(cutoffs))))
    shared = (other.ranking, cutoffs, paired, other.least)
    items = len(other.ranking.groups)
    shards = runner.map(pair_remaining, shared, items=items, shard=PHRASE_SHARD)
    more_source, more_target = join_shards(shards)
    return CandidatePairs(
        np.concatenate([source, more_source]),
        np.concatenate([target, more_target]),
        np.concatenate([in_both, np.ones(len(more_source), np.bool_)]),
        np.concatenate([np.ones(len(source), np.bool_), np.zeros(len(more_source), np.bool_)]),
    ).sorted()


def score_candidates(task: Task, model: Model, pairs: CandidatePairs) -> tuple[Floats, Floats]:
    """(the score of each pair by the word model, its less accurate score by the search)."""
    source, target = task.source, task.target
    numbers = PhrasePairs(pairs.source, pairs.target)
    shared = (model.tables, source.ragged, target.ragged, numbers)
    shards = task.runner.map(score_pairs, shared, items=len(pairs.source), shard=PAIR_SHARD)
    by_word_model, searched = (
        np.concatenate([np.empty(0), *(shard[part] for shard in shards)]) for part in (0, 1)
    )
    by_lengths = model.length_terms(source.lengths[pairs.source], target.lengths[pairs.target])
    return by_word_model + by_lengths, searched + by_lengths
