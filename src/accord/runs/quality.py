"""How good the results of a run are, and whether the run has failed.

A run has failed if it finds no phrase pairs, or if it finds the right translation of fewer than one
in five held-out seed words. Held-out words are not learned from. They are mostly frequent words, so
the results for them are better than for others. The estimated precision of the phrase pairs is
their mean confidence.
"""

from dataclasses import asdict, dataclass

from accord.evidence.seed import SeedLexicon
from accord.runs.results import LexiconEntry, PhrasePair

# Fewer held-out words are too few to conclude anything.
FEWEST_WORDS = 3
# A run with a lower recall of held-out words has failed.
LEAST_RECALL = 0.2
ADVICE = (
    "More phrases, a larger seed, or text of the same kind on both sides would help; with few "
    "phrases, try --agreement inner."
)


@dataclass(frozen=True)
class Quality:
    """The quality of a run, by its held-out words and by the confidence of its pairs."""

    held_out: int  # source words
    found: int  # how many of them are in the lexicon
    right: int  # how many of them have a translation of the seed as their best one
    phrase_pairs: int
    expected_precision: float | None  # of the phrase pairs; None if they have no confidence

    @classmethod
    def of(
        cls, held_out: SeedLexicon, lexicon: list[LexiconEntry], phrases: list[PhrasePair]
    ) -> "Quality":
        gold = set(held_out.entries)
        best: dict[str, LexiconEntry] = {}
        for entry in lexicon:
            other = best.get(entry.source)
            if other is None or entry.forward * entry.backward > other.forward * other.backward:
                best[entry.source] = entry
        words = {source for source, _ in gold}
        found = [best[word] for word in words if word in best]
        confidence = [pair.confidence for pair in phrases if pair.confidence is not None]
        return cls(
            len(words),
            len(found),
            sum((entry.source, entry.target) in gold for entry in found),
            len(phrases),
            sum(confidence) / len(confidence) if confidence else None,
        )

    @property
    def recall(self) -> float | None:
        return self.right / self.held_out if self.held_out else None

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def failed(self) -> bool:
        """Whether the results cannot be trusted."""
        if not self.phrase_pairs:
            return True
        return self.held_out >= FEWEST_WORDS and (self.recall or 0.0) < LEAST_RECALL

    def as_dict(self) -> dict[str, float | None]:
        """Return the numbers as in quality.json."""
        measured = {"precision": self.precision, "recall": self.recall, "failed": self.failed}
        return asdict(self) | measured

    def __str__(self) -> str:
        return self.describe()

    def describe(self, *, advice: bool = True) -> str:
        """Return the quality in words; if the run has failed, with advice."""
        sentences = []
        if self.held_out:
            sentences.append(
                f"Held-out seed words: {self.held_out:,}; translated: {self.found:,}; "
                f"correct: {self.right:,}."
            )
        if self.expected_precision is not None and not self.failed:
            sentences.append(
                f"Estimated precision of the phrase pairs: {self.expected_precision:.0%}."
            )
        if self.failed:
            sentences.append("This run has failed: its results cannot be trusted.")
        if self.failed and advice:
            sentences.append(ADVICE)
        return " ".join(sentences)
