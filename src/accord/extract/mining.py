"""From two texts to what `learn` takes, and from what it has learned back to the texts.

The learner is given all n-grams, as the more company a word is seen in, the more can be learned of
it; but in the results are only the phrases. (On text that is not parallel, chunks learned from
chunks alone are right far less often: benchmarks/README.md.)
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from accord.extract.contexts import SNIPPETS, contexts
from accord.extract.languages import find_language
from accord.extract.methods import Extracted, Method, Preparation, extracted_phrases
from accord.extract.segmenters import LIBRARIES
from accord.inputs import Inputs
from accord.learning import Learned
from accord.seed import Entry
from accord.writing import write_text

Tell = Callable[[int], object]


@dataclass(frozen=True)
class Side:
    """A text and how it is prepared."""

    path: Path
    prepare: Preparation

    @property
    def joiner(self) -> str:
        """What is between words, where the language is shown to people."""
        return "" if find_language(self.prepare.language).code in LIBRARIES else " "


@dataclass(frozen=True)
class Mine:
    """Two texts, and how phrases are taken out of them."""

    source: Side
    target: Side
    method: Method
    min_count: int | None
    max_words: int
    jobs: int

    def inputs(self, seed: Iterable[Entry], read: Tell) -> Inputs:
        """What is learned from."""
        source, target = (self._phrases(side, read) for side in (self.source, self.target))
        given = Inputs.of(
            [found.phrase for found in source],
            [found.phrase for found in target],
            seed,
            None,
            self.max_words,
        )
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
            contexts(
                {pair[n] for pair in pairs}, [side.path], side.prepare, side.joiner, self.jobs, read
            )
            for n, side in enumerate((self.source, self.target))
        )
        write_text(
            path,
            ("\t".join([e, f, *_three(source.get(e)), *_three(target.get(f))]) for e, f in pairs),
        )


def _three(snippets: list[str] | None) -> list[str]:
    return [*(snippets or []), "", "", ""][:SNIPPETS]
