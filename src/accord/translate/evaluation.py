"""The paper's Table 4: what each method finds, iteration by iteration, and how well it translates.

The weights of a method are tuned on the development set with the table of its last iteration, and
are the same for all its iterations; those of the first table, iteration 0, with that table.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import InputError
from accord.extract.methods import Preparation
from accord.extract.mining import Mine, Side
from accord.formats.moses import SEPARATOR, read_moses, write_table
from accord.inputs import Inputs
from accord.reading import place, read_blocks, read_lines
from accord.runners import Runner
from accord.translate.adaptation import METHODS, Method, corpora, seed_of
from accord.translate.bleu import bleu, p_values
from accord.translate.decoder import Decoder, Translation
from accord.translate.lm import LanguageModel
from accord.translate.lm.arpa.writing import write_arpa
from accord.translate.lm.kneser_ney import model_of
from accord.translate.lm.text import read_sentences
from accord.translate.table import Needed, PhraseTable, ScoredPair
from accord.translate.testset import TestSet
from accord.translate.training import LinkedPair, trained_table
from accord.translate.tuning import tune
from accord.translate.weights import Weights, write_weights
from accord.writing import write_folder, write_text

# Translations of a sentence that tuning chooses from, each time.
LISTED = 50
WORDS = "lm.txt"

Tell = Callable[[str], object]


class Given(NamedTuple):
    """All that is adapted with."""

    outside: list[LinkedPair]
    inputs: Inputs
    dev: TestSet
    test: TestSet


class Row(NamedTuple):
    """A cell of the table: the phrase pairs after an iteration, and the BLEU of the test set. The
    first table has no method, and iteration 0."""

    method: str
    iteration: int
    pairs: int
    bleu: float


class Result(NamedTuple):
    """The table, and what it needs to be compared."""

    rows: list[Row]
    signature: str
    p_values: dict[str, float]  # of the difference to the last method

    def as_dict(self) -> dict[str, Any]:
        return self._asdict() | {"rows": [row._asdict() for row in self.rows]}


class Plan(NamedTuple):
    """The files, and how they are read."""

    outside: Path
    source_text: Path
    target_text: Path
    dev: Path
    test: Path
    lm_text: Path
    languages: tuple[str, str]
    iterations: int
    min_count: int
    max_words: int
    order: int

    @property
    def prepare(self) -> tuple[Preparation, Preparation]:
        source, target = (Preparation(language, lower=True) for language in self.languages)
        return source, target

    def read(self, read: Callable[[int], object]) -> Given:
        source, target = self.prepare
        outside = read_outside(self.outside)
        dev, test = (TestSet.read([path], self.languages, source) for path in (self.dev, self.test))
        sides = Side(self.source_text, source), Side(self.target_text, target)
        mine = Mine(*sides, "ngram", self.min_count, self.max_words, 1)
        return Given(outside, mine.inputs(seed_of(outside), read), dev, test)

    def language_model(self, folder: Path) -> LanguageModel:
        """Of the text, in words."""
        words = folder / WORDS
        prepare = self.prepare[1]
        lines = (line for _, text in read_blocks(self.lm_text) for line in _lines(prepare(text)))
        write_text(words, lines)
        return model_of(read_sentences([words], lambda _: None), self.order)


def read_outside(path: Path) -> list[LinkedPair]:
    """Phrase pairs: a Moses table, or two columns. Single words are linked to each other."""
    first = next((line for _, line in read_lines(path) if line.strip()), "")
    if SEPARATOR in first:
        found = [(record.source, record.target, record.alignment) for record in read_moses(path)]
    else:
        found = [(*_columns(path, number, line), ()) for number, line in read_lines(path)]
    pairs = [
        LinkedPair(source, target, links or ([(0, 0)] if " " not in source + target else []))
        for source, target, links in ((s.lower(), t.lower(), links) for s, t, links in found)
    ]
    if not pairs:
        raise InputError(f"{path}: expected phrase pairs, found none")
    return pairs


def _columns(path: Path, number: int, line: str) -> tuple[str, str]:
    columns = [" ".join(column.split()) for column in line.split("\t")]
    if len(columns) != 2 or not all(columns):
        raise InputError(
            f"{place(path, number)}: expected two phrases with a tab between them, or a Moses "
            f"table, found {line[:60]!r}"
        )
    return columns[0], columns[1]


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


class Tables(NamedTuple):
    """What the sentences need of the tables of one method, iteration by iteration."""

    sizes: list[tuple[int, int]]  # the iteration, and how many pairs it has
    tables: list[list[ScoredPair]]


class System:
    """Translates the two sets, with a table after the other."""

    def __init__(self, given: Given, lm: LanguageModel, runner: Runner) -> None:
        self.given, self.lm, self.runner = given, lm, runner

    def tuned(self, table: Sequence[ScoredPair]) -> Weights:
        dev = self.given.dev
        needed = _needed(table, dev)

        def translate(weights: Weights) -> list[list[Translation]]:
            return Decoder(needed, self.lm, weights).translate(dev.sentences, self.runner, LISTED)

        return tune(translate, dev.references, Weights()).weights

    def translated(self, table: Sequence[ScoredPair], weights: Weights) -> list[str]:
        test = self.given.test
        decoder = Decoder(_needed(table, test), self.lm, weights)
        return [best[0].words for best in decoder.translate(test.sentences, self.runner)]


def _needed(table: Sequence[ScoredPair], some: TestSet) -> PhraseTable:
    needed = Needed(some.sentences)
    return PhraseTable.of((pair for pair in table if pair[0] in needed), some.sentences)


def _four(scores: Sequence[float]) -> tuple[float, float, float, float]:
    a, b, c, d = scores
    return a, b, c, d


def evaluated(
    given: Given,
    plan: Plan,
    runner: Runner,
    out: Path,
    tell: Tell = lambda _: None,
    methods: Sequence[Method] = METHODS,
) -> Result:
    """The whole table; the folder gets what the last method has in the end."""
    results: list[Result] = []

    def fill(folder: Path) -> None:
        tell("Language model")
        lm = plan.language_model(folder)
        write_arpa(folder / "lm.arpa", lm)
        (folder / WORDS).unlink()
        system = System(given, lm, runner)
        sentences = [*given.dev.sentences, *given.test.sentences]
        first = trained_table(given.outside, runner)
        found = {"": Tables([(0, len(given.outside))], [first])}
        last: list[LinkedPair] = []
        for corpus in corpora(
            given.outside, given.inputs, plan.iterations, sentences, runner, methods
        ):
            tell(f"{corpus.method}, iteration {corpus.iteration}: {len(corpus.linked):,} pairs")
            kept = found.setdefault(corpus.method, Tables([], []))
            kept.sizes.append((corpus.iteration, len(corpus.linked)))
            kept.tables.append(corpus.table)
            last = corpus.linked
        rows, outputs = [], {}
        signature, weights = "", Weights()
        references = given.test.references
        for method, (sizes, tables) in found.items():
            tell(f"Tuning {method or 'the first table'}")
            weights = system.tuned(tables[-1])
            for (iteration, pairs), table in zip(sizes, tables, strict=True):
                outputs[method] = system.translated(table, weights)
                score, signature = bleu(outputs[method], references)
                rows.append(Row(method, iteration, pairs, score))
                tell(f"{method or 'first table'}, iteration {iteration}: BLEU {score:.2f}")
        best = methods[-1].name
        others = {name or "first table": output for name, output in outputs.items()}
        results.append(Result(rows, signature, p_values(others, best, references)))
        write_weights(folder / "weights.ini", weights)
        full = trained_table(last, runner)
        rows_of_it = ((s, t, *_four(scores), "", 1.0) for s, t, scores in full)
        write_table(folder / "table.gz", rows_of_it)
        write_text(folder / "results.json", [json.dumps(results[0].as_dict())])

    write_folder(out, fill)
    return results[0]
