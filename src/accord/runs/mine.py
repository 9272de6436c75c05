"""From two texts to the inputs of `learn`, and from its results back to the texts.

The learner gets the chunks and all single words. All n-grams would be several times as many, and
teach it little: what a word means is learned from the sentences it occurs in, and in n-grams, the
posterior of a frequent word is divided among hundreds of overlapping phrases.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from accord.corpus.loading import LineCounts, LoadedCorpus
from accord.corpus.text import ExtractionMethod
from accord.corpus.text.concordance import find_contexts
from accord.corpus.text.extraction import (
    CHUNKS_AND_WORDS,
    LEAST_COUNT,
    ExtractedPhrases,
    Preparation,
    count_phrases,
)
from accord.corpus.text.languages import find_language
from accord.corpus.text.tokenisers import load_detokeniser
from accord.errors import InputError
from accord.evidence.cooccurrence import Cooccurrences, count_cooccurrences
from accord.evidence.seed import Entry, ReviewedEntry, SeedLexicon, attach_status
from accord.runs.folder import RunResults
from accord.runs.inputs import GivenDictionary, Inputs
from accord.runs.tsv import Contexts, write_contexts
from accord.system.reading import STANDARD_INPUT
from accord.system.runners.threads import Threads

# Is called with the bytes of each block that was read.
Reading = Callable[[int], object]


@dataclass(frozen=True)
class TextFile:
    """A text and how it is prepared."""

    path: Path
    prepare: Preparation

    def __post_init__(self) -> None:
        if str(self.path) == STANDARD_INPUT:
            raise InputError("standard input (-): expected a file, as the text is read twice")
        self.prepare("")  # a missing package is better reported before the other text is read

    def find_snippets(
        self, phrases: Iterable[str], jobs: int, read: Reading
    ) -> dict[str, list[str]]:
        """Return snippets in which the phrases occur, as the language is written."""
        found = find_contexts(phrases, [self.path], self.prepare, jobs, read)
        join = load_detokeniser(find_language(self.prepare.language).code)
        return {phrase: [*map(join, snippets)] for phrase, snippets in found.items()}


@dataclass(frozen=True)
class Mine:
    """Two texts, and how phrases are extracted from them."""

    source: TextFile
    target: TextFile
    method: ExtractionMethod
    min_count: int | None
    max_words: int
    jobs: int

    def inputs(
        self,
        seed: Sequence[Entry | ReviewedEntry],
        read: Reading,
        decisions: SeedLexicon | None = None,
        seed_name: str = "seed",
    ) -> Inputs:
        """Read both texts. Decisions refer to pairs as they were learned, and are not prepared."""
        sides = self.source, self.target
        found = [self._extract(side, read) for side in sides]
        source, target = (self._load(side) for side in found)
        # The words of the seed have to be prepared like those of the texts.
        one, other = (
            side.prepare("".join(f"{entry[n]}\n" for entry in seed)).split("\n")
            for n, side in enumerate(sides)
        )
        words = zip(seed, one, other, strict=False)  # the last line end is followed by ""
        prepared = [attach_status(e, f, entry[2:]) for entry, e, f in words if e and f]
        dictionary = GivenDictionary(
            SeedLexicon.of(prepared), decisions, seed_name, self.source.prepare.lower
        )
        inputs = Inputs.combine((source, target), dictionary, self.max_words)
        codes = self._find_codes()
        return replace(
            inputs,
            languages=codes,
            options=self.options,
            sentences=self._count_words(found, inputs),
        )

    @property
    def options(self) -> dict[str, object]:
        """How phrases are extracted, by the names of the options of `accord mine`."""
        source, target = self._find_codes()
        prepare = self.source.prepare
        return {
            "source_lang": source,
            "target_lang": target,
            "method": self.method,
            "min_count": LEAST_COUNT[self.method] if self.min_count is None else self.min_count,
            "lower": prepare.lower,
            "nfkc": prepare.nfkc,
            "pretokenized": prepare.pretokenised,
        }

    def _find_codes(self) -> tuple[str, str]:
        source, target = (
            find_language(side.prepare.language).code for side in (self.source, self.target)
        )
        return source, target

    def _count_words(
        self, found: list[ExtractedPhrases], inputs: Inputs
    ) -> tuple[Cooccurrences, Cooccurrences] | None:
        """Return which words occur together in the sentences, by the ids of the inputs."""
        counted = []
        for side, phrases in zip(found, (inputs.source, inputs.target), strict=True):
            if side.tokens is None:
                return None
            number = side.phrases.vocabulary.map_to(phrases.vocabulary)
            tokens = np.where(side.tokens > 0, number[side.tokens], side.tokens)
            counted.append(count_cooccurrences(tokens, Threads(self.jobs)))
        return counted[0], counted[1]

    def _extract(self, side: TextFile, read: Reading) -> ExtractedPhrases:
        return count_phrases(
            [side.path],
            CHUNKS_AND_WORDS if self.method == "chunk" else self.method,
            side.prepare,
            min_count=self.min_count,
            max_words=self.max_words,
            jobs=self.jobs,
            read=read,
        )

    def _load(self, found: ExtractedPhrases) -> LoadedCorpus:
        lines = LineCounts(len(found), len(found), duplicates=0, empty=0, too_long=0)
        return LoadedCorpus(
            found.phrases, lines, found.is_whole if self.method == "chunk" else None
        )

    @property
    def has_contexts(self) -> bool:
        """Whether the files are running text, in which phrases have a context."""
        return self.method in ("chunk", "ngram", "lines")

    def write_contexts(self, path: Path, learned: RunResults, read: Reading) -> None:
        """Write contexts.tsv for reviewers: first the phrase pairs, then the word pairs."""
        pairs = dict.fromkeys(
            [pair[:2] for pair in learned.phrases] + [entry[:2] for entry in learned.lexicon]
        )
        source, target = (
            side.find_snippets({pair[n] for pair in pairs}, self.jobs, read)
            for n, side in enumerate((self.source, self.target))
        )
        contexts = (Contexts(tuple(source.get(e, ())), tuple(target.get(f, ()))) for e, f in pairs)
        write_contexts(path, zip(pairs, contexts, strict=True))
