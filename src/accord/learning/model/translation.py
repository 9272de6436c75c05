"""The translation model p(f|e) of IBM Model 1, sparse.

Notation: e  a source word, 0 is the NULL word;  f  a target word;  s  the word smoothing
          p(f|e) = room(e)·floor(f) + c(f|e) / (Σ_f' c(f'|e) + s)       Eq. 27

The paper does not define p(f|e) for a pair that was never counted. If it were zero, a phrase with
an unknown word could never be linked, and no new word would be learned. Here every pair has a
floor, including the counted ones. It is not probability mass taken from others, so rows sum to
more than 1, and it cancels in the comparison of two phrases if neither has evidence.

It cancels completely when everything is divided by it: p(f|e) = floor(f)·(room(e) + ratio). So the
kernels only need the ratios of the learned parts to the floor.

Without smoothing, as in the paper, room(e) is 1. With it, p(f|e) has a Dirichlet prior: a word
with many counted translations has little room for others, and a word without a translation is
likely to belong to another one without. The search assumes that the room of all words is 1; the
word model uses the room of each.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from accord.corpus.numbering_kernels import sort_by_number
from accord.corpus.phrases import Phrases
from accord.corpus.vocabulary import NULL
from accord.errors import SettingError
from accord.evidence.constraints import PairSet
from accord.evidence.counts import Counts
from accord.learning.coverage_kernels import WordEntries
from accord.learning.search.search_kernels import TargetEntries
from accord.learning.word_kernels import TranslationTable
from accord.settings import LEAST_FLOOR, Settings
from accord.system.arrays import Floats, Ids, Integers, Offsets, find_keys, pair_keys

# Scores are rounded to 2⁻³² nats, and log1p(x) is less than x.
NO_EFFECT = 2.0**-33
# However often a word was counted, it may have one more translation. NULL has many rare ones.
MIN_ROOM, NULL_ROOM = 0.1, 0.3


def make_floors(target: Phrases, settings: Settings) -> Floats:
    """floor(f) of every target word: the same for all, or in proportion to its frequency.

    By frequency, a match on a rare word counts for more than one on a frequent word.
    """
    if settings.background == "flat":
        return np.full(len(target.vocabulary), settings.floor)
    frequency = target.frequency.astype(np.float64)
    total = float(frequency.sum())
    frequency[NULL] = 1.0  # never used, but must not be zero
    floors: Floats = settings.floor * frequency / total
    if floors[1:].min(initial=1.0, where=frequency[1:] > 0) < LEAST_FLOOR:
        raise SettingError(
            f"floor: must be at least {LEAST_FLOOR * total:.2g} for {total:,.0f} words with the "
            f"background frequency, found {settings.floor}; increase it, or choose flat"
        )
    return floors


@dataclass(frozen=True, eq=False)
class TranslationModel:
    """The learned part of p(f|e): word e has targets[offsets[e]:offsets[e + 1]], ascending."""

    offsets: Offsets
    targets: Ids
    probabilities: Floats
    room: Floats  # of each source word
    floors: Floats  # of each target word

    @classmethod
    def from_counts(
        cls, counts: Counts, source_words: int, floors: Floats, prune: float, smoothing: float
    ) -> "TranslationModel":
        """Eq. 27, without entries below `prune`; the counts include those of the prior.

        With inner agreement the counts of unlikely pairs keep shrinking. Those too small to
        change any score are always dropped.
        """
        sums = np.bincount(counts.source, counts.values, minlength=source_words) + smoothing
        probabilities = counts.values / sums[counts.source]
        kept = probabilities >= prune
        kept &= probabilities >= NO_EFFECT * floors[counts.target]
        offsets = np.searchsorted(counts.source[kept], np.arange(source_words + 1))
        room = np.ones(source_words)
        if smoothing > 0:
            room = np.maximum(smoothing / sums, MIN_ROOM)
            room[NULL] = NULL_ROOM
        return cls(offsets, counts.target[kept], probabilities[kept], room, floors)

    def without(self, rejected: PairSet) -> "TranslationModel":
        """Reduce these pairs to the floor."""
        if not rejected.size:
            return self
        kept = ~rejected.contains(self.sources, self.targets)
        offsets = np.concatenate([[0], np.cumsum(kept)])[self.offsets]
        return replace(
            self,
            offsets=offsets,
            targets=self.targets[kept],
            probabilities=self.probabilities[kept],
        )

    @cached_property
    def ratios(self) -> Floats:
        """The learned parts over the floors of their target words."""
        return self.probabilities / self.floors[self.targets]

    @property
    def table(self) -> TranslationTable:
        """As kernels take it."""
        return TranslationTable(self.offsets, self.targets, self.ratios, self.room)

    @property
    def entries(self) -> WordEntries:
        """The learned probabilities, as kernels take them."""
        return WordEntries(self.offsets, self.targets, self.probabilities)

    @cached_property
    def sources(self) -> Ids:
        """The source word of each entry."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def null(self) -> Floats:
        """The ratio of NULL, for every f."""
        row = slice(self.offsets[NULL], self.offsets[NULL + 1])
        dense = np.zeros(len(self.floors))
        dense[self.targets[row]] = self.ratios[row]
        return dense

    @cached_property
    def _keys(self) -> Offsets:
        return pair_keys(self.sources, self.targets)

    def probability(self, e: Integers, f: Integers) -> Floats:
        """p(f|e) of each of these pairs, including the floor: never 0, and at most 1."""
        p: Floats = self.room[e] * self.floors[f] + self.learned_probability(e, f)
        return np.minimum(p, 1.0, out=p)

    def learned_probability(self, e: Integers, f: Integers) -> Floats:
        """The learned part of p(f|e) of each of these pairs: 0 for pairs that are not learned."""
        places, known = find_keys(self._keys, pair_keys(e, f))
        p = np.zeros(len(e))
        p[known] = self.probabilities[places[known]]
        return p

    @cached_property
    def by_target(self) -> TargetEntries:
        """The transpose, as the search takes it."""
        first = self.offsets[NULL + 1]
        offsets, places = sort_by_number(self.targets[first:], len(self.floors))
        sources, ratios = self.sources[first:][places], self.ratios[first:][places]
        return TargetEntries(offsets, sources, ratios, self.null)

    def log_floors(self, target: Phrases) -> Floats:
        """Σⱼ log floor(fⱼ) of every target phrase, which turns a score into log P(f|e)."""
        logs = np.log(self.floors)[target.words]
        return np.concatenate([[0.0], np.add.reduceat(logs, target.offsets[1:-1])])


class SharedEntries(NamedTuple):
    """Word pairs that both directions have learned, sorted by e and then f; without NULL."""

    e: Ids
    f: Ids
    forward: Floats  # p(f|e)
    backward: Floats  # p(e|f)


def find_shared_entries(forward: TranslationModel, backward: TranslationModel) -> SharedEntries:
    """The word pairs that both directions have learned."""
    keys = pair_keys(forward.sources, forward.targets)
    backward_keys = pair_keys(backward.targets, backward.sources)
    _, there, back = np.intersect1d(keys, backward_keys, return_indices=True)
    e, f = forward.sources[there], forward.targets[there]
    kept = (e != NULL) & (f != NULL)
    there, back = there[kept], back[kept]
    return SharedEntries(
        e[kept], f[kept], forward.probabilities[there], backward.probabilities[back]
    )
