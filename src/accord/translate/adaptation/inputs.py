"""The files of an adaptation, and how they are read.

They are two texts, a phrase table of another domain, two sets of sentence pairs and a text for the
language model. All of them are lower-cased.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.extraction import Preparation
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.seed import Entry
from accord.formats.moses import SEPARATOR, read_moses
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.runs.inputs import Inputs
from accord.runs.mine import Mine, TextFile
from accord.system.arrays import pair_keys, split_keys
from accord.system.columns import Row, read_rows
from accord.system.reading import STANDARD_INPUT
from accord.translate.bleu import References, load_sacrebleu
from accord.translate.language_model.kneser_ney import train_language_model
from accord.translate.language_model.training_text import read_training_text
from accord.translate.language_model.trie import LanguageModel
from accord.translate.phrase_table import Sentence, split_sentences
from accord.translate.table_training import LinkedPair

# A word pair of the first table is in the seed if it has this share of the links of both words.
LEAST_SHARE = 0.3


class TestSet(NamedTuple):
    """Source sentences as words, and their reference translations."""

    sentences: list[Sentence]
    references: References

    @classmethod
    def read(
        cls, paths: list[Path], languages: tuple[str, str], prepare: Callable[[str], str]
    ) -> "TestSet":
        """Read a file of sentence pairs (.tsv, .tmx), or two files with one sentence per line."""
        source, target = read_sentence_pairs(paths, *languages)
        return cls(split_sentences(source, prepare), References(target, languages[1]))


class AdaptationInputs(NamedTuple):
    """Everything an adaptation starts from."""

    outside: list[LinkedPair]  # the table of the other domain
    inputs: Inputs
    dev: TestSet
    test: TestSet


@dataclass(frozen=True, kw_only=True)
class AdaptationPlan:
    """The files of an adaptation, and its settings."""

    outside: Path  # a table of another domain
    source_text: Path
    target_text: Path
    dev: list[Path]  # a file of sentence pairs, or two of lines
    test: list[Path]
    lm_text: Path
    languages: tuple[str, str]
    vectors: tuple[Path | None, Path | None] = (None, None)
    iterations: int = 10
    min_count: int = 5
    max_words: int = 4
    order: int = 4

    @property
    def preparations(self) -> tuple[Preparation, Preparation]:
        """What turns source and target text into words."""
        source, target = (Preparation(language, lower=True) for language in self.languages)
        return source, target

    def read(self, read: Callable[[int], object]) -> AdaptationInputs:
        """Read all files except the text of the language model."""
        load_sacrebleu()  # if it is missing, fail before anything is read
        source, target = self.preparations
        outside = read_outside_table(self.outside)
        dev, test = (TestSet.read(paths, self.languages, source) for paths in (self.dev, self.test))
        sides = TextFile(self.source_text, source), TextFile(self.target_text, target)
        mine = Mine(*sides, "ngram", self.min_count, self.max_words, 1)
        seed = seed_from_links(outside)
        if not seed:
            raise InputError(
                f"{self.outside}: expected pairs of single words or word links, which learning "
                "starts from, found none"
            )
        inputs = mine.inputs(seed, read, seed_name=str(self.outside))
        return AdaptationInputs(outside, inputs.with_vectors(*self.vectors), dev, test)

    def train_language_model(self) -> LanguageModel:
        """Train the language model on its text, without empty lines."""

        def prepare(block: str) -> str:
            lines = self.preparations[1](block).split("\n")
            return "".join(f"{line}\n" for line in lines if line)

        return train_language_model(read_training_text([self.lm_text], prepare=prepare), self.order)


def seed_from_links(pairs: Sequence[LinkedPair]) -> list[Entry]:
    """Return the word pairs with a sufficient share of the links of both words."""
    words = [
        (source[i], target[j])
        for source, target, links in ((p.source.split(), p.target.split(), p.links) for p in pairs)
        for i, j in links
    ]
    sides = [np.unique([pair[side] for pair in words], return_inverse=True) for side in (0, 1)]
    (sources, source_numbers), (targets, target_numbers) = sides
    keys, counts = np.unique(pair_keys(source_numbers, target_numbers), return_counts=True)
    e, f = split_keys(keys)
    shares = [counts / np.bincount(side, counts)[side] for side in (e, f)]
    kept = np.flatnonzero(np.minimum(*shares) >= LEAST_SHARE)
    return [(str(sources[e[n]]), str(targets[f[n]])) for n in kept.tolist()]


def read_outside_table(path: Path) -> list[LinkedPair]:
    """Read phrase pairs: a Moses table, or two columns. Pairs of single words are linked."""
    if str(path) == STANDARD_INPUT:
        raise InputError("standard input (-): expected a file, as the table is read twice")
    rows = (row for row in read_rows(path) if row.text.strip())
    first = next(rows, None)
    if first is None:
        raise InputError(f"{path}: expected phrase pairs, found none")
    if SEPARATOR in first.text:
        found = [(record.source, record.target, record.alignment) for record in read_moses(path)]
    else:
        found = [(*_split_columns(row), ()) for row in (first, *rows)]
    pairs = ((_prepare_phrase(s), _prepare_phrase(t), links) for s, t, links in found)
    return [
        LinkedPair(source, target, links or ([(0, 0)] if " " not in source + target else []))
        for source, target, links in pairs
    ]


def _split_columns(row: Row) -> tuple[str, str]:
    columns = [" ".join(column.split()) for column in row.columns]
    if len(columns) != 2 or not all(columns):
        raise row.error("two phrases with a tab between them, or a Moses table")
    return columns[0], columns[1]


def _prepare_phrase(phrase: str) -> str:
    """Bring a phrase into the form of the prepared texts."""
    return normalise(phrase.lower())
