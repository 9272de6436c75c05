"""An adaptation from its inputs to its results, step by step.

first table        the phrase pairs of another domain, or the dictionary
paper's methods    only to compare: outer and inner agreement, and each direction alone
posterior          posterior agreement, until it has converged; the development set chooses the
                   iteration
back-off           the same with candidates for words that the table lacks
back-translation   tables trained on translations of both texts, for up to three rounds; the
                   development set chooses the round

Each step writes its model, its scores and its translations of the test set to a folder of its own,
and the next step reads them from there (`accord.translate.adaptation.folder`).
"""

import json
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from accord.runs.folder import IfExists
from accord.system.reading import read_lines
from accord.system.runners import Runner
from accord.system.writing import write_text
from accord.translate import LANGUAGE_MODEL, ORTHOGRAPHY, RESULTS
from accord.translate.adaptation.evaluation import (
    AdaptationResult,
    Evaluator,
    ScoredStep,
    ScoreRow,
    TuningSets,
    find_best,
    summarise_steps,
)
from accord.translate.adaptation.folder import AdaptationFolder
from accord.translate.adaptation.inputs import AdaptationInputs, AdaptationPlan
from accord.translate.adaptation.methods import PAPER_METHODS, POSTERIOR
from accord.translate.adaptation.model import TwoWayModel, write_forward_model
from accord.translate.adaptation.steps import BACK_OFF, BACK_TRANSLATION, FIRST, Steps
from accord.translate.language_model.arpa import read_arpa, write_arpa

BACKWARD_MODEL, SCORES, TRANSLATIONS = "backward.arpa", "scores.jsonl", "translations.txt"

ReportStep = Callable[[str], object]


def adapt(
    plan: AdaptationPlan,
    out: Path,
    runner: Runner,
    if_exists: IfExists,
    read: Callable[[AdaptationPlan], AdaptationInputs],
    report: ReportStep,
) -> AdaptationResult:
    """Do all steps that are not finished; return the results. `read` reads the inputs."""
    record, folder = plan.make_record(), AdaptationFolder(out)
    folder.check(record, if_exists)
    if if_exists == "resume" and folder.is_finished:
        report(f"{folder.path} has this very adaptation already; nothing was done")
        return AdaptationResult.read(folder / RESULTS)
    given = read(plan)
    with folder.claim(record, if_exists):
        return Adaptation(plan, given, folder, runner, report).run()


class FinishedStep(NamedTuple):
    """The folder of a step, and the scores of its tables."""

    folder: Path
    scored: list[ScoredStep]

    @classmethod
    def read(cls, folder: Path) -> "FinishedStep":
        rows = [ScoreRow(*json.loads(line)) for _, line in read_lines(folder / SCORES)]
        lines = [line for _, line in read_lines(folder / TRANSLATIONS)]
        size = len(lines) // len(rows)
        parts = (lines[n * size : (n + 1) * size] for n in range(len(rows)))
        return cls(folder, [*map(ScoredStep, rows, parts)])

    @property
    def best(self) -> ScoredStep:
        """The iteration whose tables the step has kept."""
        return self.scored[find_best(self.scored)]


class Adaptation:
    """The data of an adaptation, and where its steps are kept."""

    def __init__(
        self,
        plan: AdaptationPlan,
        given: AdaptationInputs,
        folder: AdaptationFolder,
        runner: Runner,
        report: ReportStep,
    ) -> None:
        self.plan, self.given, self.folder = plan, given, folder
        self.runner, self.report = runner, report

    def run(self) -> AdaptationResult:
        """Do all steps that are not finished, and write the results."""
        do = Steps(self.plan, self.given, self._prepare_evaluation(), self.runner, self.report)
        steps = [self._do(FIRST, do.use_first_table)]
        if self.plan.compare:
            for agreement in dict.fromkeys(method.agreement for method in PAPER_METHODS):
                steps.append(self._do(f"paper {agreement}", partial(do.compare, agreement)))
        learned = self._do(POSTERIOR, do.learn)
        steps.append(learned)
        best = learned
        if self.plan.back_off:
            best = self._do(BACK_OFF, partial(do.add_back_off, learned.folder))
            steps.append(best)
        for number in range(1, self.plan.rounds + 1):
            fill = partial(do.back_translate, learned.folder, steps[-1].folder, number)
            steps.append(self._do(f"{BACK_TRANSLATION} {number}", fill))
            if not _is_better(steps[-1], best):
                break
            best = steps[-1]
        return self._finish(steps, best)

    def _do(self, name: str, fill: Callable[[Path], list[ScoredStep]]) -> FinishedStep:
        """Do a step, unless it is finished; return what it has written."""

        def fill_folder(folder: Path) -> None:
            self.report(f"{name} …")
            scored = fill(folder)
            write_text(folder / SCORES, (json.dumps(step.row) for step in scored))
            write_text(
                folder / TRANSLATIONS, chain.from_iterable(step.translations for step in scored)
            )

        step = FinishedStep.read(self.folder.step(name.replace(" ", "-"), fill_folder))
        for one in step.scored:
            self.report(one.row.describe())
        return step

    def _prepare_evaluation(self) -> Evaluator:
        """Train the language models, or read them, and choose what is tuned on."""
        plan, given = self.plan, self.given
        held_out = plan.hold_out_sentences()

        def fill(folder: Path) -> None:
            self.report("language models …")
            models = plan.train_language_models(held_out)
            for name, model in zip((LANGUAGE_MODEL, BACKWARD_MODEL), models, strict=True):
                write_arpa(folder / name, model)

        path = self.folder.step("language-models", fill)
        models = read_arpa(path / LANGUAGE_MODEL), read_arpa(path / BACKWARD_MODEL)
        dev = None if plan.is_cyclic else given.dev
        return Evaluator(
            TuningSets(dev, *held_out, plan.languages), given.test, models, self.runner
        )

    def _finish(self, steps: list[FinishedStep], best: FinishedStep) -> AdaptationResult:
        """Put the files of the best step in the folder, and write the results."""
        scored = [one for step in steps for one in step.scored]
        chosen = next(n for n, one in enumerate(scored) if one is best.best)
        result = summarise_steps(scored, chosen, self.given.test, self.plan.languages)
        model = TwoWayModel.read(best.folder)
        write_forward_model(self.folder.path, model.tables.trimmed(both=False), model.forward)
        models = self.folder.steps / "language-models"
        (self.folder / LANGUAGE_MODEL).write_bytes((models / LANGUAGE_MODEL).read_bytes())
        self.plan.learn_orthography().save(self.folder / ORTHOGRAPHY)
        write_text(self.folder / RESULTS, [json.dumps(result.as_dict(), ensure_ascii=False)])
        self.folder.finish()
        return result


def _is_better(step: FinishedStep, best: FinishedStep) -> bool:
    """Whether the development set says so; without one, later steps are taken to be better."""
    here, before = step.best.row.dev_bleu, best.best.row.dev_bleu
    return here is None or before is None or here > before
