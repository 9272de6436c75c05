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
from accord.system.writing import write_file, write_text
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
from accord.translate.adaptation.texts import Texts, write_texts

SCORES, TRANSLATIONS = "scores.jsonl", "translations.txt"

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
        report(f"{folder.path} is finished; nothing was done")
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
        texts = self._prepare_texts()
        tuning = TuningSets(
            self.given.dev, self.plan.is_cyclic, *texts.held_out, self.plan.languages
        )
        evaluator = Evaluator(tuning, self.given.test, texts.models, self.runner)
        do = Steps(self.plan, self.given, evaluator, self.runner, self.report)
        first = self._do(FIRST, do.use_first_table)
        compared = []
        if self.plan.compare:
            for agreement in dict.fromkeys(method.agreement for method in PAPER_METHODS):
                compared.append(self._do(f"paper {agreement}", partial(do.compare, agreement)))
        learned = self._do(POSTERIOR, do.learn)
        own = [first, learned]
        if self.plan.back_off:
            own.append(self._do(BACK_OFF, partial(do.add_back_off, learned.folder)))
        best = _find_best(own)
        for number in range(1, self._count_rounds(texts) + 1):
            fill = partial(do.back_translate, learned.folder, own[-1].folder, texts.sample, number)
            own.append(self._do(f"{BACK_TRANSLATION} {number}", fill))
            best = _find_best(own)
            if best is not own[-1]:
                break
        return self._finish([first, *compared, *own[1:]], best)

    def _count_rounds(self, texts: Texts) -> int:
        """Return how many rounds of back-translation there are at most."""
        if all(texts.sample):
            return self.plan.rounds
        self.report("no sentence is long enough to be translated: there is no back-translation")
        return 0

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

    def _prepare_texts(self) -> Texts:
        """Train the language models and choose sentences, or read them."""

        def fill(folder: Path) -> None:
            self.report("language models …")
            write_texts(self.plan, folder)

        return Texts.read(self.folder.step("texts", fill))

    def _finish(self, steps: list[FinishedStep], best: FinishedStep) -> AdaptationResult:
        """Put the files of the best step in the folder, and write the results."""
        scored = [one for step in steps for one in step.scored]
        chosen = next(n for n, one in enumerate(scored) if one is best.best)
        result = summarise_steps(scored, chosen, self.given.test, self.plan.languages)
        model = TwoWayModel.read(best.folder)
        write_forward_model(self.folder.path, model.tables.trimmed(both=False), model.forward)
        lm = (self.folder.steps / "texts" / LANGUAGE_MODEL).read_bytes()
        write_file(self.folder / LANGUAGE_MODEL, lambda stream: stream.write(lm))
        self.plan.learn_orthography().save(self.folder / ORTHOGRAPHY)
        write_text(self.folder / RESULTS, [json.dumps(result.as_dict(), ensure_ascii=False)])
        self.folder.finish()
        return result


def _find_best(steps: list[FinishedStep]) -> FinishedStep:
    """Return the step with the best score on the development set; without one, the last."""
    return steps[find_best([step.best for step in steps])]
