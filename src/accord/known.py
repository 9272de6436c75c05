"""What is known besides the phrases: the seed, which words are forms of one another, vectors."""

from typing import NamedTuple

from scipy.sparse import csr_array

from accord.counts import Counts
from accord.phrases import Phrases
from accord.seed import SeedLexicon
from accord.settings import Settings
from accord.spelling import lent_counts, relatives_of
from accord.vectors import Vectors, similar_words


class Known(NamedTuple):
    """The seed counts σ; the relatives of the words on both sides where spelling counts; and
    vectors where they were given, with what words are similar by them."""

    seed: Counts
    relatives: tuple[csr_array, csr_array] | None
    vectors: tuple[Vectors, Vectors] | None = None
    similar: Counts = Counts.none()

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
        relatives = (relatives_of(sides[0]), relatives_of(sides[1])) if settings.spelling else None
        return cls(seed.counts(*sides).times(settings.seed_weight), relatives, vectors)

    def mapped(self, lexicon: Counts) -> "Known":
        """With the words that are similar when the vectors are mapped by this lexicon."""
        assert self.vectors
        return self._replace(similar=similar_words(*self.vectors, lexicon))

    def swapped(self) -> "Known":
        """The same with the two languages exchanged."""
        relatives = self.relatives and (self.relatives[1], self.relatives[0])
        vectors = self.vectors and (self.vectors[1], self.vectors[0])
        return Known(self.seed.swapped(), relatives, vectors, self.similar.swapped())

    def added_to(self, counts: Counts, smoothing: float) -> Counts:
        """Counts with σ, with what related words lend each other, and with what vectors say."""
        counts = counts.plus(self.seed)
        if self.relatives:
            counts = counts.plus(lent_counts(counts, *self.relatives, smoothing))
        if self.vectors:
            counts = counts.plus(self.similar)
        return counts
