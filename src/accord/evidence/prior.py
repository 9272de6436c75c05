"""Prior evidence about word pairs, which is added to the counts from the phrases."""

from typing import NamedTuple

from scipy.sparse import csr_array

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NO_PAIRS, PairSet
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon
from accord.evidence.spelling import find_cognates, find_variants, transfer_counts
from accord.settings import Settings


class Prior(NamedTuple):
    """Pseudo-counts of word pairs, and what they are derived from."""

    seed: Counts  # σ
    variants: tuple[csr_array, csr_array] | None = None  # morphological variants, on both sides
    cognates: Counts = Counts.none()
    similar: Counts = Counts.none()  # the nearest words by sentences and vectors
    odds: Counts = Counts.none()  # how much all this adds to the log odds of word pairs
    rejected: PairSet = NO_PAIRS  # word pairs that reviewers have rejected

    @classmethod
    def of(
        cls,
        seed: SeedLexicon,
        source: Phrases,
        target: Phrases,
        settings: Settings,
    ) -> "Prior":
        sides = source.vocabulary, target.vocabulary
        prior = cls(
            seed.pseudo_counts(*sides).times(settings.seed_weight),
            rejected=PairSet.from_entries(seed.rejected, sides[0].index, sides[1].index),
        )
        prior = prior._replace(seed=prior.without_rejected(prior.seed))
        if not settings.spelling:
            return prior
        return prior._replace(
            variants=(find_variants(sides[0]), find_variants(sides[1])),
            cognates=prior.without_rejected(find_cognates(*sides)),
        )

    def with_similar_words(self, similar: Counts, odds: Counts) -> "Prior":
        """The same evidence, that from sentences and vectors, and the odds by all of it."""
        return self._replace(
            similar=self.without_rejected(similar), odds=self.without_rejected(odds)
        )

    def swapped(self) -> "Prior":
        """The same evidence with the two languages exchanged."""
        return Prior(
            self.seed.swapped(),
            self.variants and (self.variants[1], self.variants[0]),
            self.cognates.swapped(),
            self.similar.swapped(),
            self.odds.swapped(),
            self.rejected.swapped(),
        )

    def without_rejected(self, counts: Counts) -> Counts:
        """Remove the counts of rejected pairs."""
        if not self.rejected.size:
            return counts
        return counts.where(~self.rejected.contains(counts.source, counts.target))

    def added_to(self, counts: Counts, smoothing: float) -> Counts:
        """Add to word counts: σ, transfers between variants, cognates and similar words."""
        counts = self.without_rejected(counts).plus(self.seed)
        if self.variants:
            transferred = transfer_counts(counts, *self.variants, smoothing)
            counts = counts.plus(self.without_rejected(transferred))
        return counts.plus(self.cognates).plus(self.similar)
