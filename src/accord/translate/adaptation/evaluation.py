"""How well the tables of an adaptation translate: weights, scores and samples.

Weights are tuned on a development set. Without one, they are tuned on sentences of both texts and
their translations by the model itself (cyclic tuning): those are what is translated, and the real
sentences are the references.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.system.runners import Runner
from accord.translate.adaptation.inputs import SentencePairs, TestSet
from accord.translate.adaptation.model import TwoWayModel
from accord.translate.adaptation.system import Tables, TranslationSystem
from accord.translate.bleu import References
from accord.translate.language_model.trie import LanguageModel
from accord.translate.phrase_table import Sentence
from accord.translate.weights import Weights

# The test sentences that are shown as samples.
SAMPLES = 20


class ScoreRow(NamedTuple):
    """How well the tables of a step translate. Scores are None without the sentence pairs."""

    method: str
    iteration: int  # of learning, or the round of back-translation; 0 for other steps
    pairs: int  # phrase pairs that the table is trained on
    entries: int  # phrase pairs of both tables
    unknown: float | None  # share of test words that no table translates by themselves
    dev_bleu: float | None
    bleu: float | None
    chrf: float | None
    seconds: float  # that the step took

    @property
    def name(self) -> str:
        """The method, with the iteration if there are several."""
        return f"{self.method} {self.iteration}" if self.iteration else self.method

    def describe(self) -> str:
        """Return the most important numbers as a line."""
        scores = (("development BLEU", self.dev_bleu), ("BLEU", self.bleu), ("chrF2", self.chrf))
        parts = [f"{name} {score:.2f}" for name, score in scores if score is not None]
        return ", ".join([f"{self.name}: {self.entries:,} table entries", *parts])


class ScoredStep(NamedTuple):
    """The scores of a step, and its translations of the test set."""

    row: ScoreRow
    translations: list[str]


class TuningSets(NamedTuple):
    """What weights are tuned on: sentence pairs, or sentences of either text."""

    dev: SentencePairs | None  # also chooses among steps
    is_cyclic: bool
    source: Sequence[Sentence]  # sentences that are in no language model
    target: Sequence[Sentence]
    languages: tuple[str, str]

    @property
    def pairs(self) -> SentencePairs | None:
        """The sentence pairs, unless tuning is cyclic."""
        return None if self.is_cyclic else self.dev


class Evaluator:
    """Tunes weights for tables, and scores them."""

    def __init__(
        self,
        tuning: TuningSets,
        test: SentencePairs | None,
        models: tuple[LanguageModel, LanguageModel],
        runner: Runner,
    ) -> None:
        self.tuning, self.test = tuning, test
        self.forward, self.backward = (TranslationSystem(lm, runner) for lm in models)

    def tune_forward(
        self, tables: Tables, start: TwoWayModel | None
    ) -> tuple[Weights, float | None]:
        """Return the tuned weights, and the BLEU of the development set if there is one."""
        begin = start.forward if start else Weights()
        if self.tuning.pairs:
            tuned = self.forward.tune(tables, self.tuning.pairs.forward, begin)
            return tuned.weights, 100 * max(tuned.history)
        written = self.backward.translate(
            tables.swapped(), start.backward if start else Weights(), self.tuning.target
        )
        dev = _make_test_set(
            [translation.words for translation in written],
            self.tuning.target,
            self.tuning.languages[1],
        )
        weights = self.forward.tune(tables, dev, begin).weights
        return weights, self.measure_dev_bleu(tables, weights)

    def tune_both(
        self, tables: Tables, start: TwoWayModel | None
    ) -> tuple[TwoWayModel, float | None]:
        """Tune the weights of both directions; return the BLEU of the forward one, too."""
        forward, bleu = self.tune_forward(tables, start)
        begin = start.backward if start else Weights()
        if self.tuning.pairs:
            dev = self.tuning.pairs.backward
        else:
            written = self.forward.translate(tables, forward, self.tuning.source)
            words = [translation.words for translation in written]
            dev = _make_test_set(words, self.tuning.source, self.tuning.languages[0])
        backward = self.backward.tune(tables.swapped(), dev, begin).weights
        return TwoWayModel(tables, forward, backward), bleu

    def measure_dev_bleu(self, tables: Tables, weights: Weights) -> float | None:
        """Return the BLEU of the development set with these weights, if there is one."""
        if not self.tuning.dev:
            return None
        dev = self.tuning.dev.forward
        translations = self.forward.translate(tables, weights, dev.sentences)
        return dev.references.bleu([one.words for one in translations]).score

    def score(self, tables: Tables, weights: Weights, row: ScoreRow) -> ScoredStep:
        """Translate the test set, and add its scores to the row."""
        if not self.test:
            return ScoredStep(row, [])
        sentences, references = self.test.forward
        words = [one.words for one in self.forward.translate(tables, weights, sentences)]
        scored = row._replace(
            unknown=tables.measure_unknown(sentences),
            bleu=references.bleu(words).score,
            chrf=references.chrf(words).score,
        )
        return ScoredStep(scored, words)


def _make_test_set(written: list[str], real: Sequence[Sentence], language: str) -> TestSet:
    references = References([" ".join(sentence) for sentence in real], language)
    return TestSet([words.split() for words in written], references)


class AdaptationResult(NamedTuple):
    """The scores of all steps, and what makes them comparable."""

    rows: list[ScoreRow]
    chosen: int  # the row of the tables in the folder
    signatures: dict[str, str]  # of the scores
    p_values: dict[str, float]  # of the difference between each step and the chosen one
    samples: list[dict[str, str]]  # test sentences, their references and translations
    languages: tuple[str, str]

    def as_dict(self) -> dict[str, object]:
        return self._asdict() | {"rows": [row._asdict() for row in self.rows]}

    @classmethod
    def read(cls, path: Path) -> "AdaptationResult":
        """Read what `as_dict` has made, from JSON."""
        try:
            content = json.loads(path.read_bytes())
            rows = [ScoreRow(**row) for row in content.pop("rows")]
            return cls(rows, **content)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"{path}: expected the results of adapt, found none that can be read; adapt again"
            ) from None


def summarise_steps(
    steps: Sequence[ScoredStep], chosen: int, test: SentencePairs | None, languages: tuple[str, str]
) -> AdaptationResult:
    """Compare all steps with the chosen one, on the test set if there is one."""
    rows = [step.row for step in steps]
    if not test:
        return AdaptationResult(rows, chosen, {}, {}, [], languages)
    references, names = test.forward.references, [row.name for row in rows]
    # Of a method with several iterations, the last one.
    last = {row.method: number for number, row in enumerate(rows) if number != chosen}
    compared = {names[number]: steps[number].translations for number in last.values()}
    compared[names[chosen]] = steps[chosen].translations
    signatures = {
        "BLEU": references.bleu(steps[chosen].translations).signature,
        "chrF2": references.chrf(steps[chosen].translations).signature,
    }
    samples = [
        {"source": source, "reference": reference}
        | {name: translations[n] for name, translations in compared.items()}
        for n, (source, reference) in enumerate(
            zip(test.backward.references.texts[:SAMPLES], references.texts, strict=False)
        )
    ]
    p_values = references.p_values(compared, names[chosen])
    return AdaptationResult(rows, chosen, signatures, p_values, samples, languages)


def find_best(scored: Sequence[ScoredStep]) -> int:
    """Return the step with the best score on the development set; without one, the last."""
    scores = [step.row.dev_bleu for step in scored]
    known = [score for score in scores if score is not None]
    return scores.index(max(known)) if known else len(scored) - 1
