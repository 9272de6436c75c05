"""The files of an adaptation, and how they are read: two texts, a table of another domain, two sets
of sentence pairs and a text for the language model. All is lower-cased."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.formats.moses import SEPARATOR, read_moses
from accord.runs.inputs import Inputs
from accord.runs.mine import Mine, TextFile
from accord.system.reading import STANDARD_INPUT, place, read_lines
from accord.translate.adaptation import seed_of
from accord.translate.bleu import sacrebleu_class
from accord.translate.language_model import LanguageModel
from accord.translate.language_model.kneser_ney import model_of
from accord.translate.language_model.text import read_sentences
from accord.translate.testset import TestSet
from accord.translate.training import LinkedPair


class Given(NamedTuple):
    """All that is adapted with."""

    outside: list[LinkedPair]
    inputs: Inputs
    dev: TestSet
    test: TestSet


class Plan(NamedTuple):
    """The files, and how they are read."""

    outside: Path
    source_text: Path
    target_text: Path
    dev: list[Path]  # a file of sentence pairs, or two of lines
    test: list[Path]
    lm_text: Path
    languages: tuple[str, str]
    vectors: tuple[Path | None, Path | None]
    iterations: int
    min_count: int
    max_words: int
    order: int

    @property
    def prepare(self) -> tuple[Preparation, Preparation]:
        source, target = (Preparation(language, lower=True) for language in self.languages)
        return source, target

    def read(self, read: Callable[[int], object]) -> Given:
        sacrebleu_class()  # what is missing is better missed before anything is read
        source, target = self.prepare
        outside = read_outside(self.outside)
        dev, test = (TestSet.read(paths, self.languages, source) for paths in (self.dev, self.test))
        sides = TextFile(self.source_text, source), TextFile(self.target_text, target)
        mine = Mine(*sides, "ngram", self.min_count, self.max_words, 1)
        seed = seed_of(outside)
        if not seed:
            raise InputError(
                f"{self.outside}: expected pairs of single words or word links, which learning "
                "starts from, found none"
            )
        inputs = mine.inputs(seed, read, seed_name=str(self.outside))
        return Given(outside, inputs.with_vectors(*self.vectors), dev, test)

    def language_model(self) -> LanguageModel:
        """Of the text, in words; empty lines are no sentences of it."""

        def words(block: str) -> str:
            return "".join(f"{line}\n" for line in self.prepare[1](block).split("\n") if line)

        return model_of(read_sentences([self.lm_text], prepare=words), self.order)


def read_outside(path: Path) -> list[LinkedPair]:
    """Phrase pairs: a Moses table, or two columns. Single words are linked to each other."""
    if str(path) == STANDARD_INPUT:
        raise InputError("standard input (-): expected a file, as the table is read twice")
    lines = ((number, line) for number, line in read_lines(path) if line.strip())
    first = next(lines, None)
    if first is None:
        raise InputError(f"{path}: expected phrase pairs, found none")
    if SEPARATOR in first[1]:
        found = [(record.source, record.target, record.alignment) for record in read_moses(path)]
    else:
        found = [(*_columns(path, *line), ()) for line in (first, *lines)]
    pairs = ((_as_texts(s), _as_texts(t), links) for s, t, links in found)
    return [
        LinkedPair(source, target, links or ([(0, 0)] if " " not in source + target else []))
        for source, target, links in pairs
    ]


def _columns(path: Path, number: int, line: str) -> tuple[str, str]:
    columns = [" ".join(column.split()) for column in line.split("\t")]
    if len(columns) != 2 or not all(columns):
        raise InputError(
            f"{place(path, number)}: expected two phrases with a tab between them, or a Moses "
            f"table, found {line[:60]!r}"
        )
    return columns[0], columns[1]


def _as_texts(phrase: str) -> str:
    """As the texts are, once they are prepared."""
    return normalise(phrase.lower())
