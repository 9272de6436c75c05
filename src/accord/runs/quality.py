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


@dataclass(frozen=True, repr=False)
class Quality:
    """The quality of a run, by its held-out words and by the confidence of its pairs.

    Attributes
    ----------
    held_out : int
        Number of held-out source words.
    found : int
        How many of them are in the lexicon.
    right : int
        How many of them have a translation of the seed as their best one.
    phrase_pairs : int
        Number of phrase pairs.
    expected_precision : float or None
        Estimated precision of the phrase pairs; None if they have no confidence.
    """

    held_out: int
    found: int
    right: int
    phrase_pairs: int
    expected_precision: float | None

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
        """Share of the held-out words whose best translation is right; None without such words."""
        return self.right / self.held_out if self.held_out else None

    @property
    def precision(self) -> float | None:
        """Share of the held-out words in the lexicon whose best translation is right."""
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

    def __repr__(self) -> str:
        """Return the numbers, and below them what they mean."""
        numbers = ", ".join(
            f"{name}={round(value, 3) if isinstance(value, float) else value}"
            for name, value in self.as_dict().items()
        )
        return f"Quality({numbers})\n{self.describe()}".rstrip()

    def describe(self, *, advice: bool = True) -> str:
        """Return the quality in sentences; if the run has failed, with advice."""
        return " ".join(self.list_sentences(advice=advice))

    def list_sentences(self, *, advice: bool = True) -> list[str]:
        """Return what `describe` says, one sentence or piece of advice per item."""
        sentences = []
        if self.held_out:
            numbers = f"{self.held_out:,}; translated: {self.found:,}; correct: {self.right:,}"
            sentences.append(f"Held-out seed words: {numbers}.")
        if self.failed:
            sentences.append("This run has failed: its results cannot be trusted.")
            return [*sentences, ADVICE] if advice else sentences
        if self.expected_precision is not None:
            sentences.append(
                f"Estimated precision of the phrase pairs: {self.expected_precision:.0%}."
            )
        return sentences
