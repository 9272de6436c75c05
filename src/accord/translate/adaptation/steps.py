"""The steps of an adaptation. Each fills the folder that it is given, and returns its scores."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from accord.formats.annotations import format_alignment, parse_alignment
from accord.learning.model.state import State
from accord.settings import Agreement
from accord.system.columns import read_rows, write_rows
from accord.system.runners import Runner
from accord.translate.adaptation.back_translation import Translations, train_on_translations
from accord.translate.adaptation.evaluation import Evaluator, ScoredStep, ScoreRow, find_best
from accord.translate.adaptation.inputs import AdaptationInputs, AdaptationPlan
from accord.translate.adaptation.methods import (
    POSTERIOR,
    LearnedPairs,
    Learner,
    learn_as_in_paper,
    learn_by_posterior,
)
from accord.translate.adaptation.model import TwoWayModel, read_back_off, write_pairs
from accord.translate.adaptation.system import Tables
from accord.translate.decoder import DecoderLimits
from accord.translate.phrase_table import ScoredPair, Sentence
from accord.translate.table_training import LinkedPair, train_table
from accord.translate.word_alignment import TranslatedText

FIRST, BACK_OFF, BACK_TRANSLATION = "first table", "back-off", "back-translation"
PAIRS, CANDIDATES = "pairs.tsv.gz", "candidates.gz"
# Translations that tables are trained on are many, and may be rougher than others.
ROUGH = DecoderLimits(stack=20)


class Steps:
    """What the steps of an adaptation do."""

    def __init__(
        self,
        plan: AdaptationPlan,
        given: AdaptationInputs,
        evaluator: Evaluator,
        runner: Runner,
        report: Callable[[str], object],
    ) -> None:
        self.plan, self.given, self.evaluator = plan, given, evaluator
        self.runner, self.report = runner, report

    def use_first_table(self, folder: Path) -> list[ScoredStep]:
        """Use the phrase pairs of the other domain, and the dictionary."""
        begun = perf_counter()
        tables = Tables(train_table(self.given.outside, self.runner))
        model, bleu = self.evaluator.tune_both(tables, None)
        model.write(folder)
        return [
            self._score(model, (FIRST, 0, len(self.given.outside)), bleu, perf_counter() - begun)
        ]

    def compare(self, agreement: Agreement, _: Path) -> list[ScoredStep]:
        """Score all iterations of the paper's methods with this agreement.

        The weights of a method are tuned with the table of its last iteration.
        """
        inputs = replace(self.given.inputs, vectors=None)
        found: dict[str, list[tuple[LearnedPairs, float]]] = {}
        begun = perf_counter()
        for learned in learn_as_in_paper(agreement, inputs, self.runner):
            found.setdefault(learned.method, []).append((learned, perf_counter() - begun))
            begun = perf_counter()
        scored = []
        for iterations in found.values():
            tables = Tables(train_table(self._add_outside(iterations[-1][0].pairs), self.runner))
            weights = self.evaluator.tune_forward(tables, None)[0]
            for learned, seconds in iterations:
                pairs = self._add_outside(learned.pairs)
                model = TwoWayModel(Tables(train_table(pairs, self.runner)), weights, weights)
                bleu = self.evaluator.measure_dev_bleu(model.tables, weights)
                step = learned.method, learned.iteration, len(pairs)
                scored.append(self._score(model, step, bleu, seconds))
        return scored

    def learn(self, folder: Path) -> list[ScoredStep]:
        """Learn by posterior agreement, and keep the iteration that translates best.

        Also writes what later steps need: the phrase pairs, and the candidates of words.
        """
        learner = learn_by_posterior(self.given.inputs, self.plan.iterations, self.runner)
        states: list[tuple[State, float]] = []
        begun = perf_counter()
        for state in learner.iterate():
            states.append((state, perf_counter() - begun))
            self.report(
                f"{POSTERIOR}, iteration {state.iteration}: {len(state.agreed):,} phrase pairs, "
                f"{state.changed:.1%} of the links changed"
            )
            begun = perf_counter()
        model, _ = self.evaluator.tune_both(self._train(learner, states[-1][0]), None)
        if not self.evaluator.tuning.dev:
            states = states[-1:]  # nothing can choose among the iterations
        scored = []
        for state, seconds in states:
            tables = self._train(learner, state)
            bleu = self.evaluator.measure_dev_bleu(tables, model.forward)
            step = POSTERIOR, state.iteration, len(self.given.outside) + len(state.agreed)
            scored.append(self._score(model._replace(tables=tables), step, bleu, seconds))
        best = states[find_best(scored)][0]
        model._replace(tables=self._train(learner, best)).write(folder)
        write_linked_pairs(folder / PAIRS, self._list_pairs(learner, best))
        if self.plan.back_off and (candidates := learner.make_back_off_table(best)):
            write_pairs(folder / CANDIDATES, candidates)
        return scored

    def add_back_off(self, learned: Path, folder: Path) -> list[ScoredStep]:
        """Add candidates for words that the table lacks."""
        begun = perf_counter()
        model = TwoWayModel.read(learned)
        tables = self._back_off_from(learned, model.tables.main)
        model, bleu = self.evaluator.tune_both(tables, model)
        model.write(folder)
        pairs = sum(1 for _ in read_rows(learned / PAIRS))
        return [self._score(model, (BACK_OFF, 0, pairs), bleu, perf_counter() - begun)]

    def back_translate(
        self,
        learned: Path,
        previous: Path,
        sample: tuple[Sequence[Sentence], Sequence[Sentence]],
        number: int,
        folder: Path,
    ) -> list[ScoredStep]:
        """Train tables on translations of both texts by the model of the previous step."""
        begun = perf_counter()
        model = TwoWayModel.read(previous)
        known = read_linked_pairs(learned / PAIRS)
        source, target = sample
        forward, backward = (
            system._replace(limits=ROUGH)
            for system in (self.evaluator.forward, self.evaluator.backward)
        )
        written = forward.translate(model.tables, model.forward, source)
        of_source = TranslatedText.of(source, written)
        self.report(f"{BACK_TRANSLATION} {number}: {len(source):,} source sentences translated")
        written = backward.translate(model.tables.swapped(), model.backward, target)
        of_target = TranslatedText.of(target, written).swapped()
        self.report(f"{BACK_TRANSLATION} {number}: {len(target):,} target sentences translated")
        texts = Translations(of_source, of_target)
        table = train_on_translations(known, texts, self.runner, agree=self.plan.agree)
        tables = self._back_off_from(learned, table)
        model, bleu = self.evaluator.tune_both(tables, model)
        model.write(folder)
        pairs = len(source) + len(target) + len(known)
        return [self._score(model, (BACK_TRANSLATION, number, pairs), bleu, perf_counter() - begun)]

    def _back_off_from(self, learned: Path, main: Sequence[ScoredPair]) -> Tables:
        """Return a table together with the candidates of the words that it lacks."""
        if not self.plan.back_off:
            return Tables(main)
        return Tables(main, read_back_off(learned / CANDIDATES)).trimmed()

    def _add_outside(self, pairs: list[LinkedPair]) -> list[LinkedPair]:
        return [*self.given.outside, *pairs]

    def _list_pairs(self, learner: Learner, state: State) -> list[LinkedPair]:
        return self._add_outside(learner.link_words(state, state.agreed))

    def _train(self, learner: Learner, state: State) -> Tables:
        return Tables(train_table(self._list_pairs(learner, state), self.runner))

    def _score(
        self, model: TwoWayModel, step: tuple[str, int, int], bleu: float | None, seconds: float
    ) -> ScoredStep:
        """Score a model of a step, given its method, iteration and number of pairs.

        The time is that of learning or training, without that of scoring.
        """
        tables = model.tables
        entries = len(tables.main) + len(tables.back_off or ())
        row = ScoreRow(*step, entries, None, bleu, None, None, round(seconds, 1))
        return self.evaluator.score(tables, model.forward, row)


def write_linked_pairs(path: Path, pairs: list[LinkedPair]) -> None:
    """Write phrase pairs with their word links and weights, as tab-separated columns."""
    write_rows(
        path,
        (
            (pair.source, pair.target, format_alignment(tuple(pair.links)), f"{pair.weight:.6g}")
            for pair in pairs
        ),
    )


def read_linked_pairs(path: Path) -> list[LinkedPair]:
    """Read what `write_linked_pairs` has written."""
    rows = (row.columns for row in read_rows(path))
    return [
        LinkedPair(source, target, parse_alignment(links) or (), float(weight))
        for source, target, links, weight in rows
    ]
