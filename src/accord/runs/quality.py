"""How good the results of a run are, and whether the run has failed.

New pairs are neither in the seed nor identical strings. How many of them are right is estimated
from their confidence, separately for phrase pairs and for words.

A run has failed if it finds next to nothing new, or if held-out seed words show that its
confidence is wrong. Held-out words are not learned from. The seed has only some of their
translations, so a run is expected to find at least a third as many of these as its confidence says;
it has failed if it finds so few that this would happen by chance in less than one of a hundred
runs.
With the paper's methods, which have no confidence, a run has failed if it finds the right
translation of fewer than one in five held-out words.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass

from scipy.special import bdtr

from accord.evidence.seed import Entry, SeedLexicon
from accord.runs.results import LexiconEntry, PhrasePair

# Fewer held-out words are too few to conclude anything.
FEWEST_WORDS = 3
# A run without confidence and with a lower recall of held-out words has failed.
LEAST_RECALL = 0.2
# With so many held-out words, a run that finds anything finds some of them.
MANY_WORDS = 5
# The least share of the expected translations that a dictionary lists.
LISTED = 1 / 3
SIGNIFICANCE = 0.01
# What is said of new pairs, by how many there are and by how many of them are right.
FEWEST_PAIRS, GOOD, FAIR = 20, 0.8, 0.6
ADVICE = (
    "More text, a larger seed (accord seed makes one from a dictionary), or text of the same kind "
    "in both languages would help; with lists of few phrases, try --agreement inner."
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
    new_pairs, new_words : int
        Number of new phrase pairs and of new word pairs: neither in the seed nor identical strings.
    expected_of_new_pairs, expected_of_new_words : float or None
        Their estimated precision.
    expected_right : float or None
        How many of the held-out words should have a right translation by its confidence.
    """

    held_out: int
    found: int
    right: int
    phrase_pairs: int
    expected_precision: float | None
    new_pairs: int = 0
    expected_of_new_pairs: float | None = None
    new_words: int = 0
    expected_of_new_words: float | None = None
    expected_right: float | None = None

    @classmethod
    def of(
        cls,
        held_out: SeedLexicon,
        lexicon: Collection[LexiconEntry],
        phrases: Collection[PhrasePair],
        known: Iterable[Entry] = (),
    ) -> "Quality":
        """Measure the results; the known pairs are those of the seed."""
        gold, seed = set(held_out.entries), set(known)
        best: dict[str, LexiconEntry] = {}
        for entry in lexicon:
            other = best.get(entry.source)
            if other is None or _score(entry) > _score(other):
                best[entry.source] = entry
        words = sorted({source for source, _ in gold})
        found = [best[word] for word in words if word in best]
        new_pairs = [pair for pair in phrases if is_new(pair, seed)]
        new_words = [pair for pair in lexicon if is_new(pair, seed)]
        expected = _mean_confidence(found)
        return cls(
            held_out=len(words),
            found=len(found),
            right=sum((entry.source, entry.target) in gold for entry in found),
            phrase_pairs=len(phrases),
            expected_precision=_mean_confidence(phrases),
            new_pairs=len(new_pairs),
            expected_of_new_pairs=_mean_confidence(new_pairs),
            new_words=len(new_words),
            expected_of_new_words=_mean_confidence(new_words),
            expected_right=None if expected is None else expected * len(found),
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
        """Whether the results cannot be trusted, or are nothing new."""
        if not self.phrase_pairs:
            return True
        if self.expected_precision is None:
            return self.held_out >= FEWEST_WORDS and (self.recall or 0.0) < LEAST_RECALL
        return not self.new_pairs or self.finds_too_little or self.contradicts_confidence

    @property
    def finds_too_little(self) -> bool:
        """Whether there are few new pairs, and no translation of any held-out word."""
        return self.new_pairs < FEWEST_PAIRS and self.held_out >= MANY_WORDS and not self.found

    @property
    def contradicts_confidence(self) -> bool:
        """Whether far fewer held-out words are right than the confidence says."""
        if not self.found or self.expected_right is None:
            return False
        share = LISTED * self.expected_right / self.found
        return bool(bdtr(self.right, self.found, share) < SIGNIFICANCE)

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
            sentences.append(f"This run has failed: {self.describe_failure()}.")
            return [*sentences, ADVICE] if advice else sentences
        for name, number, expected in (
            ("phrase pairs", self.new_pairs, self.expected_of_new_pairs),
            ("word pairs", self.new_words, self.expected_of_new_words),
        ):
            if self.expected_precision is not None:
                sentences.append(f"New {name}: {describe_new(number, expected)}.")
        return sentences

    def describe_failure(self) -> str:
        """Return why the run has failed."""
        if not self.phrase_pairs:
            return "it found no phrase pairs"
        if self.expected_precision is not None and not self.new_pairs:
            return "it found nothing new"
        if self.finds_too_little:
            return "it found next to nothing"
        return "its results cannot be trusted, by the held-out seed words"


def describe_new(number: int, expected: float | None) -> str:
    """Return how many new pairs there are, how many are right, and what to do about it."""
    if expected is None:
        return "none"
    if number < FEWEST_PAIRS:
        return f"only {number:,}, too few to say how many are right (check each)"
    expected = round(expected, 2)  # as it is shown
    share = f"{number:,}, about {expected:.0%} right"
    if expected >= GOOD:
        return f"{share} (good)"
    return f"{share} ({'check them' if expected >= FAIR else 'check each'})"


def is_new(pair: LexiconEntry | PhrasePair, seed: set[Entry]) -> bool:
    return pair.source != pair.target and pair[:2] not in seed


def _score(entry: LexiconEntry) -> float:
    if entry.confidence is not None:
        return entry.confidence
    return entry.forward * entry.backward


def _mean_confidence(pairs: Collection[LexiconEntry] | Collection[PhrasePair]) -> float | None:
    confidence = [pair.confidence for pair in pairs if pair.confidence is not None]
    return sum(confidence) / len(confidence) if confidence else None
