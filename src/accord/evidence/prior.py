"""What is known besides the phrases: the seed, what people have judged, which words are forms of
one another, vectors."""

from typing import NamedTuple

from scipy.sparse import csr_array

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import NO_PAIRS, NOTHING, Judged, PairSet
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon
from accord.evidence.spelling import alike_words, lent_counts, relatives_of
from accord.evidence.vectors import Vectors, similar_words
from accord.settings import Settings


class Known(NamedTuple):
    """The seed counts σ; where spelling counts, the relatives of the words on both sides and the
    words alike in both; vectors where they were given, with what is similar by them; and the
    pairs of words that people have rejected, and of phrases that they have judged."""

    seed: Counts
    relatives: tuple[csr_array, csr_array] | None = None
    alike: Counts = Counts.none()
    vectors: tuple[Vectors, Vectors] | None = None
    similar: Counts = Counts.none()
    rejected: PairSet = NO_PAIRS
    judged: Judged = NOTHING

    @classmethod
    def of(
        cls,
        seed: SeedLexicon,
        source: Phrases,
        target: Phrases,
        settings: Settings,
        vectors: tuple[Vectors, Vectors] | None = None,
    ) -> "Known":
        sides = source.vocabulary, target.vocabulary
        known = cls(
            seed.counts(*sides).times(settings.seed_weight),
            vectors=vectors,
            rejected=PairSet.numbered(seed.rejected, sides[0].index, sides[1].index),
            judged=Judged.of(seed, source, target),
        )
        known = known._replace(seed=known.allowed(known.seed))
        if not settings.spelling:
            return known
        relatives = relatives_of(sides[0]), relatives_of(sides[1])
        return known._replace(relatives=relatives, alike=known.allowed(alike_words(*sides)))

    def mapped(self, lexicon: Counts) -> "Known":
        """With the words that are similar when the vectors are mapped by this lexicon."""
        assert self.vectors
        return self._replace(similar=self.allowed(similar_words(*self.vectors, lexicon)))

    def swapped(self) -> "Known":
        """The same with the two languages exchanged."""
        return Known(
            self.seed.swapped(),
            self.relatives and (self.relatives[1], self.relatives[0]),
            self.alike.swapped(),
            self.vectors and (self.vectors[1], self.vectors[0]),
            self.similar.swapped(),
            self.rejected.swapped(),
            self.judged.swapped(),
        )

    def allowed(self, counts: Counts) -> Counts:
        """Counts without those of rejected pairs."""
        if not self.rejected.size:
            return counts
        kept = ~self.rejected.among(counts.source, counts.target)
        return Counts(counts.source[kept], counts.target[kept], counts.values[kept])

    def added_to(self, counts: Counts, smoothing: float) -> Counts:
        """Counts with σ, with what related words lend each other, and what all else says."""
        counts = self.allowed(counts).plus(self.seed)
        if self.relatives:
            lent = lent_counts(counts, *self.relatives, smoothing)
            counts = counts.plus(self.allowed(lent))
        return counts.plus(self.alike).plus(self.similar)
