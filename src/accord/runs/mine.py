"""From two texts to what `learn` takes, and from what it has learned back to the texts.

The learner is given all n-grams, as the more company a word is seen in, the more can be learned of
it (benchmarks/README.md says how much that is worth); but in the results are only the phrases.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from accord.corpus.text.concordance import SNIPPETS, contexts
from accord.corpus.text.extraction import Extracted, Method, Preparation, extracted_phrases
from accord.corpus.text.languages import find_language
from accord.corpus.text.tokenisers import load_detokeniser
from accord.errors import InputError
from accord.evidence.seed import Entry, ReviewedEntry, SeedLexicon, attach_status
from accord.runs.inputs import Inputs
from accord.runs.learn import Learned
from accord.system.reading import STANDARD_INPUT
from accord.system.writing import write_text

Tell = Callable[[int], object]


@dataclass(frozen=True)
class Side:
    """A text and how it is prepared."""

    path: Path
    prepare: Preparation

    def __post_init__(self) -> None:
        if str(self.path) == STANDARD_INPUT:
            raise InputError("standard input (-): expected a file, as the text is read twice")
        self.prepare("")  # what is missing is better missed before the other text is read

    def snippets(self, phrases: Iterable[str], jobs: int, read: Tell) -> dict[str, list[str]]:
        """Where the phrases stand, as people write the language: some without spaces."""
        found = contexts(phrases, [self.path], self.prepare, jobs, read)
        joined = load_detokeniser(find_language(self.prepare.language).code)
        return {phrase: [*map(joined, snippets)] for phrase, snippets in found.items()}


@dataclass(frozen=True)
class Mine:
    """Two texts, and how phrases are taken out of them."""

    source: Side
    target: Side
    method: Method
    min_count: int | None
    max_words: int
    jobs: int

    def inputs(
        self,
        seed: Sequence[Entry | ReviewedEntry],
        read: Tell,
        decisions: SeedLexicon | None = None,
        seed_name: str = "seed",
    ) -> Inputs:
        """What is learned from. Decisions are on pairs as they were learned, and stay as they
        are."""
        sides = self.source, self.target
        source, target = (self._phrases(side, read) for side in sides)
        # The words of the seed have to be as those of the texts are.
        one, other = (
            side.prepare("".join(f"{entry[n]}\n" for entry in seed)).split("\n")
            for n, side in enumerate(sides)
        )
        words = zip(seed, one, other, strict=False)  # after the last line there is nothing
        given = Inputs.of(
            [found.phrase for found in source],
            [found.phrase for found in target],
            [attach_status(e, f, entry[2:]) for entry, e, f in words if e and f],
            None,
            self.max_words,
            decisions=decisions,
            seed_name=seed_name,
        )
        codes = [find_language(side.prepare.language).code for side in sides]
        given = replace(given, languages=(codes[0], codes[1]))
        if self.method != "chunk":
            return given
        return given.with_wanted(
            *((found.phrase for found in side if found.whole) for side in (source, target))
        )

    def _phrases(self, side: Side, read: Tell) -> list[Extracted]:
        return extracted_phrases(
            [side.path],
            "ngram" if self.method == "chunk" else self.method,
            side.prepare,
            min_count=self.min_count,
            max_words=self.max_words,
            jobs=self.jobs,
            read=read,
        )

    @property
    def has_contexts(self) -> bool:
        """Whether the files are texts, in which phrases have a context."""
        return self.method in ("chunk", "ngram", "lines")

    def write_contexts(self, path: Path, learned: Learned, read: Tell) -> None:
        """A line for each pair, of phrases and then of words: source, target, three snippets of
        either, for whoever has to judge it. What there is not is empty."""
        pairs = dict.fromkeys(
            [pair[:2] for pair in learned.phrases] + [entry[:2] for entry in learned.lexicon]
        )
        source, target = (
            side.snippets({pair[n] for pair in pairs}, self.jobs, read)
            for n, side in enumerate((self.source, self.target))
        )
        write_text(
            path,
            ("\t".join([e, f, *_three(source.get(e)), *_three(target.get(f))]) for e, f in pairs),
        )


def _three(snippets: list[str] | None) -> list[str]:
    return [*(snippets or []), "", "", ""][:SNIPPETS]
