"""The files of an adaptation, and how they are read.

They are two texts; a phrase table of another domain, a dictionary, or both; sentence pairs to tune
and to test on, if there are any; and a text for the language model. All of them are lower-cased.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.text.extraction import Preparation
from accord.corpus.vocabulary import normalise
from accord.errors import InputError, SettingError
from accord.evidence.seed import Entry, read_seed
from accord.formats.moses import SEPARATOR, read_moses
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.runs.inputs import Inputs
from accord.runs.mine import Mine, TextFile
from accord.runs.record import RunRecord
from accord.system.arrays import pair_keys, split_keys
from accord.system.columns import Row, read_rows
from accord.system.reading import STANDARD_INPUT, open_bytes, read_lines
from accord.translate.adaptation.back_translation import rank_sentences
from accord.translate.bleu import References, load_sacrebleu
from accord.translate.language_model.kneser_ney import train_language_model
from accord.translate.language_model.training_text import read_training_text
from accord.translate.language_model.trie import LanguageModel
from accord.translate.orthography import Orthography
from accord.translate.phrase_table import Sentence, split_sentences
from accord.translate.table_training import LinkedPair
from accord.version import __version__

# A word pair of the first table is in the seed if it has this share of the links of both words.
LEAST_SHARE = 0.3
# Lines that are prepared at a time.
BLOCK = 10_000
# Sentences of each text that cyclic tuning uses, and at most a tenth.
HELD_OUT = 1_000


class TestSet(NamedTuple):
    """Sentences as words, and their reference translations."""

    sentences: list[Sentence]
    references: References


class SentencePairs(NamedTuple):
    """Sentence pairs, to test both directions on."""

    forward: TestSet  # from the source to the target language
    backward: TestSet

    @classmethod
    def read(
        cls,
        paths: list[Path],
        languages: tuple[str, str],
        prepare: tuple[Callable[[str], str], Callable[[str], str]],
    ) -> "SentencePairs":
        """Read a file of sentence pairs (.tsv, .tmx), or two files with one sentence per line."""
        source, target = read_sentence_pairs(paths, *languages)
        return cls(
            TestSet(split_sentences(source, prepare[0]), References(target, languages[1])),
            TestSet(split_sentences(target, prepare[1]), References(source, languages[0])),
        )


class AdaptationInputs(NamedTuple):
    """Everything an adaptation starts from."""

    outside: list[LinkedPair]  # the table of the other domain, and the dictionary
    inputs: Inputs
    dev: SentencePairs | None
    test: SentencePairs | None

    @property
    def test_sentences(self) -> list[Sentence]:
        """The source sentences of the test set."""
        return self.test.forward.sentences if self.test else []


class PhraseLimits(NamedTuple):
    """Which n-grams of the texts are phrases."""

    min_count: int = 5
    max_words: int = 4


@dataclass(frozen=True, kw_only=True)
class AdaptationPlan:
    """The files of an adaptation, and its settings."""

    outside: Path | None  # a table of another domain
    texts: tuple[Path, Path]
    dev: list[Path]  # a file of sentence pairs, or two of lines; or none
    test: list[Path]
    lm_text: Path
    languages: tuple[str, str]
    seed: Path | None = None  # a dictionary
    vectors: tuple[Path | None, Path | None] = (None, None)
    iterations: int = 40  # at most, until posterior agreement has converged
    phrases: PhraseLimits = PhraseLimits()
    order: int = 4
    back_off: bool = True  # whether words without a translation get candidates
    rounds: int = 3  # of back-translation, at most
    sample: int = 100_000  # sentences of each text that are translated
    agree: bool = True  # whether both directions have to support a phrase pair in these rounds
    cyclic: bool = False  # whether weights are tuned on back-translations
    compare: bool = False  # whether the methods of the paper are evaluated as well

    def __post_init__(self) -> None:
        if self.outside is None and self.seed is None:
            raise SettingError("adapt: expected a seed dictionary or a table, found neither")

    @property
    def preparations(self) -> tuple[Preparation, Preparation]:
        """What turns source and target text into words."""
        source, target = (Preparation(language, lower=True) for language in self.languages)
        return source, target

    def make_record(self) -> RunRecord:
        """Return the version, the settings and hashes of all files: what determines the results."""
        files = {
            "source": self.texts[0],
            "target": self.texts[1],
            "table": self.outside,
            "seed": self.seed,
            "language model text": self.lm_text,
            **{f"development set {number}": path for number, path in enumerate(self.dev, 1)},
            **{f"test set {number}": path for number, path in enumerate(self.test, 1)},
            **{f"vectors {number}": path for number, path in enumerate(self.vectors, 1)},
        }
        names = "iterations", "order", "back_off", "rounds", "sample", "agree", "cyclic", "compare"
        options = {name: getattr(self, name) for name in names} | self.phrases._asdict()
        hashes = {name: path and _hash_file(path) for name, path in files.items()}
        return {
            "accord": __version__,
            "options": options | {"languages": [*self.languages]},
            "inputs": hashes,
        }

    def read(self, read: Callable[[int], object]) -> AdaptationInputs:
        """Read all files except the text of the language model."""
        load_sacrebleu()  # if it is missing, fail before anything is read
        source, target = self.preparations
        outside = [] if self.outside is None else read_outside_table(self.outside)
        outside += [] if self.seed is None else read_dictionary(self.seed, self.preparations)
        dev, test = (
            SentencePairs.read(paths, self.languages, self.preparations) if paths else None
            for paths in (self.dev, self.test)
        )
        sides = TextFile(self.texts[0], source), TextFile(self.texts[1], target)
        mine = Mine(*sides, "ngram", self.phrases.min_count, self.phrases.max_words, 1)
        seed = seed_from_links(outside)
        name = " and ".join(str(path) for path in (self.outside, self.seed) if path)
        if not seed:
            raise InputError(
                f"{name}: expected pairs of single words or word links, which learning "
                "starts from, found none"
            )
        inputs = mine.inputs(seed, read, seed_name=name)
        return AdaptationInputs(outside, inputs.with_vectors(*self.vectors), dev, test)

    def learn_orthography(self) -> Orthography:
        """Learn how the target language is written, from the target text."""
        tokenise = Preparation(self.languages[1])
        return Orthography.learn((line for _, line in read_lines(self.texts[1])), tokenise)

    @property
    def is_cyclic(self) -> bool:
        """Whether weights are tuned on back-translations."""
        return self.cyclic or not self.dev

    def hold_out_sentences(self) -> tuple[list[Sentence], list[Sentence]]:
        """Return sentences of both texts for cyclic tuning; none if there is a development set."""
        if not self.is_cyclic:
            return [], []
        source, target = self._rank_sentences()
        return source[: _count_held_out(source)], target[: _count_held_out(target)]

    def sample_sentences(self) -> tuple[list[Sentence], list[Sentence]]:
        """Return sentences of both texts for back-translation."""
        source, target = (
            ranked[_count_held_out(ranked) if self.is_cyclic else 0 :][: self.sample]
            for ranked in self._rank_sentences()
        )
        return source, target

    def _rank_sentences(self) -> tuple[list[Sentence], list[Sentence]]:
        source, target = (
            rank_sentences(_read_sentences(path, prepare))
            for path, prepare in zip(self.texts, self.preparations, strict=True)
        )
        return source, target

    def train_language_models(
        self, held_out: tuple[Sequence[Sentence], Sequence[Sentence]]
    ) -> tuple[LanguageModel, LanguageModel]:
        """Train a model of the target language on its text, and one of the source language.

        Sentences that are held out are left out: to the model, they would be too probable.
        """
        source, target = self.preparations
        return (
            self._train(self.lm_text, target, held_out[1]),
            self._train(self.texts[0], source, held_out[0]),
        )

    def _train(
        self, path: Path, prepare: Preparation, held_out: Sequence[Sentence]
    ) -> LanguageModel:
        left_out = {"", *map(" ".join, held_out)}

        def prepare_lines(block: str) -> str:
            lines = prepare(block).split("\n")
            return "".join(f"{line}\n" for line in lines if line not in left_out)

        return train_language_model(read_training_text([path], prepare=prepare_lines), self.order)


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


def read_dictionary(path: Path, prepare: tuple[Preparation, Preparation]) -> list[LinkedPair]:
    """Read the entries of a dictionary as phrase pairs, in the form of the prepared texts."""
    entries = read_seed(path).entries
    source, target = (
        of_side("".join(f"{entry[side]}\n" for entry in entries)).split("\n")
        for side, of_side in enumerate(prepare)
    )
    return [
        LinkedPair(e, f, [(0, 0)] if " " not in e + f else [])
        for e, f in zip(source, target, strict=True)
        if e and f
    ]


def _count_held_out(sentences: Sequence[Sentence]) -> int:
    return min(HELD_OUT, len(sentences) // 10)


def _hash_file(path: Path) -> str:
    if str(path) == STANDARD_INPUT:
        raise InputError("standard input (-): expected a file, as all files are read twice")
    with open_bytes(path) as stream:
        return file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


def _read_sentences(path: Path, prepare: Preparation) -> Iterator[str]:
    """Yield the lines of a text as space-separated words."""
    lines = (f"{line}\n" for _, line in read_lines(path))
    while block := "".join(islice(lines, BLOCK)):
        yield from prepare(block).split("\n")


def _split_columns(row: Row) -> tuple[str, str]:
    columns = [" ".join(column.split()) for column in row.columns]
    if len(columns) != 2 or not all(columns):
        raise row.error("two phrases with a tab between them, or a Moses table")
    return columns[0], columns[1]


def _prepare_phrase(phrase: str) -> str:
    """Bring a phrase into the form of the prepared texts."""
    return normalise(phrase.lower())
