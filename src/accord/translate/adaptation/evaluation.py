"""The paper's Table 4: what each method finds, iteration by iteration, and how well it translates.

The weights of a method are tuned on the development set with the table of its last iteration, and
are the same for all its iterations. Iteration 0 is the first table, with weights of its own.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from accord.formats.moses import TableRow, write_table
from accord.system.runners import Runner
from accord.system.writing import write_folder, write_text
from accord.translate import LANGUAGE_MODEL, RESULTS, TABLE, WEIGHTS
from accord.translate.adaptation.inputs import AdaptationInputs, AdaptationPlan, TestSet
from accord.translate.adaptation.methods import learn_tables
from accord.translate.decoder import Decoder, ScoredTranslation
from accord.translate.language_model.arpa import write_arpa
from accord.translate.language_model.trie import LanguageModel
from accord.translate.phrase_table import NeededPhrases, PhraseTable, ScoredPair
from accord.translate.table_training import LinkedPair, train_table
from accord.translate.tuning import tune_weights
from accord.translate.weights import Weights, write_weights

# The number of translations of each sentence that tuning chooses from in a round.
N_BEST = 50
FIRST = "first table"

# The files of the folder.
FILES = (TABLE, LANGUAGE_MODEL, WEIGHTS, RESULTS)

ReportStep = Callable[[str], object]


class BleuRow(NamedTuple):
    """A cell of Table 4: the phrase pairs after an iteration, and the BLEU of the test set."""

    method: str
    iteration: int  # 0 for the first table
    pairs: int
    bleu: float


class AdaptationResult(NamedTuple):
    """Table 4, and what makes it comparable."""

    rows: list[BleuRow]
    signature: str
    p_values: dict[str, float]  # of the difference to the last method

    def as_dict(self) -> dict[str, Any]:
        return self._asdict() | {"rows": [row._asdict() for row in self.rows]}


class TableStep(NamedTuple):
    """The part of a table that the sentences need, and the number of pairs it was trained on."""

    iteration: int
    pairs: int
    table: list[ScoredPair]


class TablesByMethod(NamedTuple):
    """The tables of all methods, and the phrase pairs of the last method in the end."""

    steps: dict[str, list[TableStep]]
    pairs: list[LinkedPair]


class EvaluatedTables(NamedTuple):
    """Table 4, and the weights of the last method."""

    result: AdaptationResult
    weights: Weights


def adapt_and_evaluate(
    given: AdaptationInputs,
    plan: AdaptationPlan,
    runner: Runner,
    out: Path,
    report: ReportStep = lambda _: None,
) -> AdaptationResult:
    """Compute Table 4, and write the final table and weights of the last method to a folder."""
    results: list[AdaptationResult] = []

    def fill(folder: Path) -> None:
        report("Language model")
        lm = plan.train_language_model()
        write_arpa(folder / LANGUAGE_MODEL, lm)
        learned = learn_all_tables(given, plan.iterations, runner, report)
        result, weights = evaluate_tables(learned, TranslationSystem(given, lm, runner), report)
        write_weights(folder / WEIGHTS, weights)
        rows = (
            TableRow(s, t, (a, b, c, d))
            for s, t, (a, b, c, d) in train_table(learned.pairs, runner)
        )
        write_table(folder / TABLE, rows)
        content = result.as_dict() | {"languages": plan.languages}
        write_text(folder / RESULTS, [json.dumps(content)])
        results.append(result)

    write_folder(out, fill)
    return results[0]


def learn_all_tables(
    given: AdaptationInputs, iterations: int, runner: Runner, report: ReportStep
) -> TablesByMethod:
    """Learn the tables of all iterations of all methods."""
    sentences = [*given.dev.sentences, *given.test.sentences]
    pairs = given.outside
    steps = {FIRST: [TableStep(0, len(pairs), train_table(pairs, runner))]}
    for learned in learn_tables(given.outside, given.inputs, iterations, sentences, runner):
        pairs = learned.pairs
        report(f"{learned.method}, iteration {learned.iteration}: {len(pairs):,} pairs")
        step = TableStep(learned.iteration, len(pairs), learned.table)
        steps.setdefault(learned.method, []).append(step)
    return TablesByMethod(steps, pairs)


def evaluate_tables(
    learned: TablesByMethod, system: "TranslationSystem", report: ReportStep
) -> EvaluatedTables:
    """Translate the test set with each of the tables, and compute BLEU."""
    references = system.given.test.references
    rows, last = [], dict[str, list[str]]()
    signature, weights, method = "", Weights(), FIRST
    for method, steps in learned.steps.items():
        report(f"{method}: tuning")
        weights = system.tune(steps[-1].table)
        for iteration, pairs, table in steps:
            last[method] = system.translate(table, weights)
            score, signature = references.bleu(last[method])
            rows.append(BleuRow(method, iteration, pairs, score))
            report(f"{method}, iteration {iteration}: BLEU {score:.2f}")
    result = AdaptationResult(rows, signature, references.p_values(last, method))
    return EvaluatedTables(result, weights)


class TranslationSystem:
    """Translates the two sets with one table after the other."""

    def __init__(self, given: AdaptationInputs, lm: LanguageModel, runner: Runner) -> None:
        self.given, self.lm, self.runner = given, lm, runner

    def tune(self, table: Sequence[ScoredPair]) -> Weights:
        """Return the weights that are tuned on the development set."""
        dev = self.given.dev
        needed = _select_needed(table, dev)

        def translate(weights: Weights) -> list[list[ScoredTranslation]]:
            return Decoder(needed, self.lm, weights).translate(dev.sentences, self.runner, N_BEST)

        return tune_weights(translate, dev.references, Weights()).weights

    def translate(self, table: Sequence[ScoredPair], weights: Weights) -> list[str]:
        """Return the translation of each sentence of the test set."""
        test = self.given.test
        decoder = Decoder(_select_needed(table, test), self.lm, weights)
        return [best[0].words for best in decoder.translate(test.sentences, self.runner)]


def _select_needed(table: Sequence[ScoredPair], some: TestSet) -> PhraseTable:
    needed = NeededPhrases(some.sentences)
    return PhraseTable.of((pair for pair in table if pair[0] in needed), some.sentences)
