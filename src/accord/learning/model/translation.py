"""The translation model p(f|e) of IBM Model 1, sparse.

Notation: e  a source word, 0 is the NULL word;  f  a target word;  s  the word smoothing
          p(f|e) = room(e)·floor(f) + c(f|e) / (Σ_f' c(f'|e) + s)       Eq. 27

The paper does not say what p(f|e) is for a pair that was never counted. With zero, a phrase that
holds an unknown word could never be linked and no new word be learned. Here every pair has a
floor, the counted ones too: it is no probability mass taken from others, so the rows sum to more
than 1, and the floor cancels out of the comparison of two phrases wherever neither has evidence.

It cancels altogether when everything is divided by it. So the kernels know only the ratios of
the learned parts to the floor, and p(f|e) = floor(f)·(room(e) + ratio).

Without smoothing, as in the paper, room(e) is 1. With it, p(f|e) is that of a Dirichlet prior: a
word whose translations have been counted often has little room left for others, and a word that
has no translation yet goes with one that has none either. The search does not know of it, and
takes 1 for all words; whatever looks closer does.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.corpus.numbering_kernels import sort_by_number
from accord.corpus.phrases import NULL, Phrases
from accord.evidence.constraints import PairSet
from accord.evidence.counts import Counts
from accord.settings import Settings

# Both directions give a strong pair so much, in the geometric mean.
STRONG = 0.3
# No score is rounded to less than 2⁻³² nats, and log1p(x) is less than x.
NO_EFFECT = 2.0**-33
# However often a word was counted, it may have a translation more; NULL has many, but few of each.
LEAST_ROOM, NULL_ROOM = 0.1, 0.3

Table = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], NDArray[np.float64]]


def floors_of(target: Phrases, settings: Settings) -> NDArray[np.float64]:
    """floor(f) of every target word: the same for all, or a share of how frequent each is.

    By frequency, a match on a rare word says more than one on a word that is everywhere.
    """
    if settings.background == "flat":
        return np.full(len(target.vocabulary), settings.floor)
    frequency = target.frequency.astype(np.float64)
    total = float(frequency.sum())
    frequency[NULL] = 1.0  # never asked for, never zero
    return settings.floor * frequency / total


@dataclass(frozen=True, eq=False)
class TranslationModel:
    """The learned part of p(f|e): word e has targets[offsets[e]:offsets[e + 1]], ascending."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float64]
    room: NDArray[np.float64]  # of each source word
    floors: NDArray[np.float64]  # of each target word

    @classmethod
    def from_counts(
        cls,
        counts: Counts,
        source_words: int,
        floors: NDArray[np.float64],
        prune: float,
        smoothing: float,
    ) -> "TranslationModel":
        """Eq. 27; then entries under `prune` are dropped.

        With inner agreement the counts of unlikely pairs shrink without end. Those too small to
        change any score are dropped whatever is to be pruned.
        """
        sums = np.bincount(counts.source, counts.values, minlength=source_words) + smoothing
        probabilities = counts.values / sums[counts.source]
        kept = (probabilities >= prune) & (probabilities >= NO_EFFECT * floors[counts.target])
        offsets = np.searchsorted(counts.source[kept], np.arange(source_words + 1))
        room = np.ones(source_words)
        if smoothing > 0:
            room = np.maximum(smoothing / sums, LEAST_ROOM)
            room[NULL] = NULL_ROOM
        return cls(offsets, counts.target[kept], probabilities[kept], room, floors)

    def without(self, rejected: PairSet) -> "TranslationModel":
        """With no more than the floor for these pairs."""
        if not rejected.size:
            return self
        kept = ~rejected.among(self.sources, self.targets)
        offsets = np.concatenate([[0], np.cumsum(kept)])[self.offsets]
        return replace(
            self,
            offsets=offsets,
            targets=self.targets[kept],
            probabilities=self.probabilities[kept],
        )

    @cached_property
    def ratios(self) -> NDArray[np.float64]:
        """The learned parts over the floors of their target words."""
        return self.probabilities / self.floors[self.targets]

    @property
    def table(self) -> "Table":
        """As the kernels take it."""
        return self.offsets, self.targets, self.ratios, self.room

    @cached_property
    def sources(self) -> NDArray[np.int32]:
        """The source word of each entry."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def null(self) -> NDArray[np.float64]:
        """The ratios of NULL, for every f."""
        row = slice(self.offsets[NULL], self.offsets[NULL + 1])
        dense = np.zeros(len(self.floors))
        dense[self.targets[row]] = self.ratios[row]
        return dense

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """A number for each entry's e and f, ascending."""
        return self.sources.astype(np.int64) * len(self.floors) + self.targets

    def probability(
        self, e: NDArray[np.integer[Any]], f: NDArray[np.integer[Any]]
    ) -> NDArray[np.float64]:
        """p(f|e) of each of these pairs: never 0, and 1 at most, which the floor may go beyond."""
        wanted = e.astype(np.int64) * len(self.floors) + f
        places = np.searchsorted(self._keys[:-1], wanted)
        known = self._keys[places] == wanted if len(self._keys) else np.zeros(len(wanted), np.bool_)
        p: NDArray[np.float64] = self.room[e] * self.floors[f]
        p[known] += self.probabilities[places[known]]
        return np.minimum(p, 1.0, out=p)

    @cached_property
    def by_target(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """The transpose without NULL: for each f the offsets, the words e and the ratios."""
        first = self.offsets[NULL + 1]
        offsets, places = sort_by_number(self.targets[first:], len(self.floors))
        return offsets, self.sources[first:][places], self.ratios[first:][places]

    def log_floors(self, target: Phrases) -> NDArray[np.float64]:
        """Σⱼ log floor(fⱼ) of every target phrase: what is to be added to a score in ratios."""
        logs = np.log(self.floors)[target.words]
        return np.concatenate([[0.0], np.add.reduceat(logs, target.offsets[1:-1])])


def shared_entries(
    forward: TranslationModel, backward: TranslationModel
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """(e, f, p(f|e), p(e|f)) of the pairs that both directions have learned, NULL left out."""
    size = len(forward.floors)
    keys = forward.sources.astype(np.int64) * size + forward.targets
    back_keys = backward.targets.astype(np.int64) * size + backward.sources
    shared, there, back = np.intersect1d(keys, back_keys, return_indices=True)
    e, f = np.divmod(shared, size)
    own = (e != NULL) & (f != NULL)
    return e[own], f[own], forward.probabilities[there[own]], backward.probabilities[back[own]]


def strong_pairs(forward: TranslationModel, backward: TranslationModel) -> Counts:
    """The pairs that both directions believe in."""
    e, f, p, q = shared_entries(forward, backward)
    strength = np.sqrt(p * q)
    strong = strength >= STRONG
    return Counts(e[strong].astype(np.int32), f[strong].astype(np.int32), strength[strong])
