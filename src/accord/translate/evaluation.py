"""The paper's Table 4: what each method finds, iteration by iteration, and how well it translates.

The weights of a method are tuned on the development set with the table of its last iteration, and
are the same for all its iterations; those of the first table, iteration 0, with that table.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from accord.formats.moses import TableRow, write_table
from accord.system.runners import Runner
from accord.system.writing import write_folder, write_text
from accord.translate.adaptation import corpora
from accord.translate.decoder import Decoder, Translation
from accord.translate.language_model import LanguageModel
from accord.translate.language_model.arpa.writing import write_arpa
from accord.translate.plan import Given, Plan
from accord.translate.table import Needed, PhraseTable, ScoredPair
from accord.translate.testset import TestSet
from accord.translate.training import LinkedPair, trained_table
from accord.translate.tuning import tune
from accord.translate.weights import Weights, write_weights

# Translations of a sentence that tuning chooses from, each time.
LISTED = 50
FIRST = "first table"

Tell = Callable[[str], object]


class Row(NamedTuple):
    """A cell of the table: the phrase pairs after an iteration, and the BLEU of the test set. The
    first table is iteration 0."""

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


class Step(NamedTuple):
    """What the sentences need of a table, and how many pairs it is of."""

    iteration: int
    pairs: int
    table: list[ScoredPair]


class Found(NamedTuple):
    """What all methods have found; the last has these pairs in the end."""

    steps: dict[str, list[Step]]
    pairs: list[LinkedPair]


class Evaluated(NamedTuple):
    """The table, and the weights of the last method."""

    result: Result
    weights: Weights


def adapted(
    given: Given,
    plan: Plan,
    runner: Runner,
    out: Path,
    tell: Tell = lambda _: None,
) -> Result:
    """The whole table; the folder gets what the last method has in the end."""
    results: list[Result] = []

    def fill(folder: Path) -> None:
        tell("Language model")
        lm = plan.language_model()
        write_arpa(folder / "lm.arpa", lm)
        found = search(given, plan.iterations, runner, tell)
        result, weights = evaluated(found, System(given, lm, runner), tell)
        write_weights(folder / "weights.ini", weights)
        rows = (
            TableRow(s, t, _four(scores)) for s, t, scores in trained_table(found.pairs, runner)
        )
        write_table(folder / "table.gz", rows)
        kept = result.as_dict() | {"languages": plan.languages}
        write_text(folder / "results.json", [json.dumps(kept)])
        results.append(result)

    write_folder(out, fill)
    return results[0]


def search(given: Given, iterations: int, runner: Runner, tell: Tell) -> Found:
    """The tables of all iterations of all methods."""
    sentences = [*given.dev.sentences, *given.test.sentences]
    pairs = given.outside
    steps = {FIRST: [Step(0, len(pairs), trained_table(pairs, runner))]}
    for corpus in corpora(given.outside, given.inputs, iterations, sentences, runner):
        pairs = corpus.linked
        tell(f"{corpus.method}, iteration {corpus.iteration}: {len(pairs):,} pairs")
        step = Step(corpus.iteration, len(pairs), corpus.table)
        steps.setdefault(corpus.method, []).append(step)
    return Found(steps, pairs)


def evaluated(found: Found, system: "System", tell: Tell) -> Evaluated:
    """BLEU of the test set by each of the tables."""
    references = system.given.test.references
    rows, last = [], dict[str, list[str]]()
    signature, weights, method = "", Weights(), FIRST
    for method, steps in found.steps.items():
        tell(f"{method}: tuning")
        weights = system.tuned(steps[-1].table)
        for iteration, pairs, table in steps:
            last[method] = system.translated(table, weights)
            score, signature = references.bleu(last[method])
            rows.append(Row(method, iteration, pairs, score))
            tell(f"{method}, iteration {iteration}: BLEU {score:.2f}")
    return Evaluated(Result(rows, signature, references.p_values(last, method)), weights)


class System:
    """Translates the two sets, with one table after the other."""

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
