"""The files of an adaptation, and how they are read.

They are two texts; a phrase table of another domain, a dictionary, or both; sentence pairs to tune
and to test on, if there are any; and a text for the language model. All of them are lower-cased.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.extraction import Preparation
from accord.errors import InputError, SettingError
from accord.formats.sentence_pairs import read_sentence_pairs
from accord.runs.inputs import Inputs
from accord.runs.mine import Mine, TextFile
from accord.runs.record import RunRecord
from accord.system.reading import STANDARD_INPUT, open_bytes, read_lines
from accord.translate.adaptation.starting_pairs import StartingPairs
from accord.translate.bleu import References, load_sacrebleu
from accord.translate.orthography import Orthography
from accord.translate.phrase_table import Sentence, split_sentences
from accord.translate.table_training import LinkedPair
from accord.version import __version__


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
        start = StartingPairs.read(self.outside, self.seed, self.preparations)
        dev, test = (
            SentencePairs.read(paths, self.languages, self.preparations) if paths else None
            for paths in (self.dev, self.test)
        )
        sides = TextFile(self.texts[0], source), TextFile(self.texts[1], target)
        mine = Mine(*sides, "ngram", self.phrases.min_count, self.phrases.max_words, 1)
        name = " and ".join(str(path) for path in (self.outside, self.seed) if path)
        inputs = mine.inputs(start.seed, read, seed_name=name)
        return AdaptationInputs(start.pairs, inputs.with_vectors(*self.vectors), dev, test)

    def learn_orthography(self) -> Orthography:
        """Learn how the target language is written, from the target text."""
        tokenise = Preparation(self.languages[1])
        return Orthography.learn((line for _, line in read_lines(self.texts[1])), tokenise)

    @property
    def is_cyclic(self) -> bool:
        """Whether weights are tuned on back-translations."""
        return self.cyclic or not self.dev


def _hash_file(path: Path) -> str:
    if str(path) == STANDARD_INPUT:
        raise InputError("standard input (-): expected a file, as all files are read twice")
    with open_bytes(path) as stream:
        return file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
