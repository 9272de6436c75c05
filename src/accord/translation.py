"""The translation model p(f|e) of IBM Model 1, sparse.

Notation: e  a source word, 0 is the NULL word;  f  a target word
          p(f|e) = floor + c(f|e) / Σ_f' c(f'|e)                        Eq. 27

The paper does not say what p(f|e) is for a pair that was never counted. With zero, a phrase that
holds an unknown word could never be linked and no new word be learned. Here every pair has the
floor, the counted ones too: it is no probability mass taken from others, so the rows sum to more
than 1, and the floor cancels out of the comparison of two phrases wherever neither has evidence.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from accord.counts import Counts
from accord.phrases import NULL

# Scores are rounded to 2⁻³² nats, and log1p(x) is less than x.
NO_EFFECT = 2.0**-33


@dataclass(frozen=True, eq=False)
class TranslationModel:
    """The learned part of p(f|e): word e has targets[offsets[e]:offsets[e + 1]], ascending."""

    offsets: NDArray[np.int64]
    targets: NDArray[np.int32]
    probabilities: NDArray[np.float64]
    target_words: int
    floor: float

    @classmethod
    def from_counts(
        cls, counts: Counts, source_words: int, target_words: int, floor: float, prune: float
    ) -> "TranslationModel":
        """Eq. 27; then entries under `prune`·floor, which the floor outweighs, are dropped.

        With inner agreement the counts of unlikely pairs shrink without end. Those too small to
        change any score are dropped whatever is to be pruned.
        """
        sums = np.bincount(counts.source, counts.values, minlength=source_words)
        probabilities = counts.values / sums[counts.source]
        kept = probabilities >= max(prune, NO_EFFECT) * floor
        offsets = np.searchsorted(counts.source[kept], np.arange(source_words + 1))
        return cls(offsets, counts.target[kept], probabilities[kept], target_words, floor)

    @property
    def table(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64], float]:
        """As the kernels take it."""
        return self.offsets, self.targets, self.probabilities, self.floor

    @cached_property
    def sources(self) -> NDArray[np.int32]:
        """The source word of each entry."""
        return np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def null(self) -> NDArray[np.float64]:
        """The learned part of p(f|NULL), for every f."""
        row = slice(self.offsets[NULL], self.offsets[NULL + 1])
        dense = np.zeros(self.target_words)
        dense[self.targets[row]] = self.probabilities[row]
        return dense

    @cached_property
    def by_target(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """The transpose without NULL: for each f the offsets, the words e and p(f|e)."""
        first = self.offsets[NULL + 1]
        order = first + np.argsort(self.targets[first:], kind="stable")
        offsets = np.searchsorted(self.targets[order], np.arange(self.target_words + 1))
        return offsets, self.sources[order], self.probabilities[order]
