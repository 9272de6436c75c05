"""How well a run has done, as far as it can tell by itself.

Some words of the seed are held out: they are not learned from, and what the run has found for
them tells how much of the rest is found, and right. They are as a rule frequent words, on which
it does better than on others. Of the phrase pairs, their own probabilities say how many are right.
"""

from dataclasses import asdict, dataclass
from typing import Any

from accord.evidence.seed import SeedLexicon
from accord.runs.results import LexiconEntry, PhrasePair

# With fewer words held out, nothing can be said.
FEWEST_WORDS = 3
# A run that finds the right translation of fewer of the words held out has failed.
LEAST_RECALL = 0.2
ADVICE = (
    "More phrases or a larger seed help, or text of the same kind on both sides; with few phrases, "
    "so does --agreement inner."
)


@dataclass(frozen=True)
class Quality:
    """What the words held out and the pairs' own probabilities say."""

    held_out: int  # source words
    found: int  # of them, in the lexicon
    right: int  # of these, first with a translation that the seed has
    phrase_pairs: int
    expected_precision: float | None  # of the phrase pairs; None where they have no probabilities

    @classmethod
    def of(
        cls, held_out: SeedLexicon, lexicon: list[LexiconEntry], phrases: list[PhrasePair]
    ) -> "Quality":
        true = set(held_out.entries)
        best: dict[str, LexiconEntry] = {}
        for entry in lexicon:
            other = best.get(entry.source)
            if other is None or entry.forward * entry.backward > other.forward * other.backward:
                best[entry.source] = entry
        words = {source for source, _ in true}
        found = [best[word] for word in words if word in best]
        sure = [pair.confidence for pair in phrases if pair.confidence is not None]
        return cls(
            len(words),
            len(found),
            sum((entry.source, entry.target) in true for entry in found),
            len(phrases),
            sum(sure) / len(sure) if sure else None,
        )

    @property
    def recall(self) -> float | None:
        return self.right / self.held_out if self.held_out else None

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def failed(self) -> bool:
        """Whether what was found is not to be trusted."""
        if not self.phrase_pairs:
            return True
        return self.held_out >= FEWEST_WORDS and (self.recall or 0.0) < LEAST_RECALL

    def as_dict(self) -> dict[str, Any]:
        measured = {"precision": self.precision, "recall": self.recall, "failed": self.failed}
        return asdict(self) | measured

    def __str__(self) -> str:
        return self.told()

    def told(self, *, advice: bool = True) -> str:
        """In words; with advice for whoever has learned."""
        told = []
        if self.held_out:
            told.append(
                f"Of {self.held_out:,} seed words held out, {self.found:,} have a translation in "
                f"the lexicon, {self.right:,} the one of the seed."
            )
        if self.expected_precision is not None and not self.failed:
            told.append(f"About {self.expected_precision:.0%} of the phrase pairs are right.")
        if self.failed:
            told.append("This run has failed: what it found is not to be trusted.")
        if self.failed and advice:
            told.append(ADVICE)
        return " ".join(told)
