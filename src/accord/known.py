"""What is known besides the phrases: the seed, and which words are forms of one another."""

from typing import NamedTuple

from scipy.sparse import csr_array

from accord.counts import Counts
from accord.phrases import Phrases
from accord.seed import SeedLexicon
from accord.settings import Settings
from accord.spelling import lent_counts, relatives_of


class Known(NamedTuple):
    """The seed counts σ, and the relatives of the words on both sides where spelling counts."""

    seed: Counts
    relatives: tuple[csr_array, csr_array] | None

    @classmethod
    def of(cls, seed: SeedLexicon, source: Phrases, target: Phrases, settings: Settings) -> "Known":
        sides = source.vocabulary, target.vocabulary
        relatives = (relatives_of(sides[0]), relatives_of(sides[1])) if settings.spelling else None
        return cls(seed.counts(*sides).times(settings.seed_weight), relatives)

    def swapped(self) -> "Known":
        """The same with the two languages exchanged."""
        relatives = self.relatives and (self.relatives[1], self.relatives[0])
        return Known(self.seed.swapped(), relatives)

    def added_to(self, counts: Counts, smoothing: float) -> Counts:
        """Counts with σ, and with what related words lend each other."""
        counts = counts.plus(self.seed)
        if self.relatives:
            counts = counts.plus(lent_counts(counts, *self.relatives, smoothing))
        return counts
