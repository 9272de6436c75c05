"""A learned model on new phrases: both directions align them, and nothing is learned."""

from collections.abc import Callable
from dataclasses import asdict
from time import perf_counter

import numpy as np

from accord.corpus.loading import LineCounts
from accord.corpus.phrases import Phrases
from accord.evidence.constraints import Constraints
from accord.evidence.counts import Counts
from accord.learning.em import agreement_method
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.runs.folder import RunFolder
from accord.runs.learn import Learned, left_in
from accord.runs.results import lexicon_size
from accord.runs.trace import TraceRow, trace_row
from accord.runs.trained import Trained
from accord.runs.transfer import transferred_models
from accord.system.runners import Runner
from accord.version import __version__


def apply(
    model: Trained,
    source_given: tuple[Phrases, LineCounts],
    target_given: tuple[Phrases, LineCounts],
    runner: Runner,
    folder: RunFolder | None = None,
    *,
    force: bool = False,
    tell: Callable[[str], object] = lambda _: None,
) -> Learned:
    """One phrase alignment of the new phrases, as learning makes one in every iteration.

    Words have the background that they have in all text, old and new: so a list of ten phrases is
    aligned as well as a list of a million.
    """
    settings = model.settings
    source, target = (
        source_given[0].with_history(model.source),
        target_given[0].with_history(model.target),
    )
    kept: tuple[State, list[TraceRow]] | None = None
    if folder:
        record = {
            "accord": __version__,
            "settings": asdict(settings),
            "inputs": {
                "source": source.signature,
                "target": target.signature,
                "model": model.signature,
            },
            "lines": {"source": asdict(source_given[1]), "target": asdict(target_given[1])},
        }
        if model.languages:
            record["languages"] = model.languages
        folder.claim(record, force=force, resume=True)
        kept = folder.last_state(source, target, settings)
        if folder.finished:
            tell(f"{folder.path} has this very run already; --force makes it again")
    state, trace = kept or _aligned(model, source, target, runner)
    wanted = np.ones(len(source), bool), np.ones(len(target), bool)
    trained = Trained(
        *(source, target, state, settings),
        *(model.seed, model.held_out, model.unused),
        *(wanted, model.languages),
    )
    return left_in(folder, trained, trace)


def _aligned(
    model: Trained, source: Phrases, target: Phrases, runner: Runner
) -> tuple[State, list[TraceRow]]:
    """What both directions find, and a line about it."""
    begun = perf_counter()
    settings = model.settings
    constraints = Constraints.of(model.seed, source, target)
    task = Task(source, target, settings, runner, constraints)
    models = transferred_models(model, task, Counts.none())
    agreed = agreement_method(settings)(task, models)
    state = State.after(model.state.iteration, models, agreed, changed=1.0)
    seconds = round(perf_counter() - begun, 3)
    words = lexicon_size(source, target, state, settings)
    return state, [trace_row(state, words, seconds, None)]
