"""Applying a learned model to new phrases: both directions align them, and nothing is learned."""

from collections.abc import Callable
from contextlib import nullcontext
from time import perf_counter

import numpy as np

from accord.corpus.loading import LoadedCorpus
from accord.corpus.phrases import Phrases
from accord.evidence.constraints import Constraints
from accord.evidence.counts import Counts
from accord.evidence.seed import SeedLexicon
from accord.learning.em import agreement_method
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.runs.folder import RunFolder, RunResults
from accord.runs.learn import finish_run
from accord.runs.record import record_application
from accord.runs.results import count_word_pairs
from accord.runs.trace import TraceRow, make_trace_row
from accord.runs.trained import Trained
from accord.runs.transfer import transfer_models, transfer_odds
from accord.system.runners import Runner


def apply_model(
    model: Trained,
    corpora: tuple[LoadedCorpus, LoadedCorpus],
    runner: Runner,
    folder: RunFolder | None = None,
    *,
    force: bool = False,
    tell: Callable[[str], object] = lambda _: None,
) -> RunResults:
    """Align the new phrases once, as learning does in every iteration.

    The background frequencies of words are those of all text, old and new, so that ten phrases are
    aligned as well as a million.
    """
    settings = model.settings
    source = corpora[0].phrases.with_history(model.source)
    target = corpora[1].phrases.with_history(model.target)
    kept: tuple[State, list[TraceRow]] | None = None
    record = record_application(model, corpora, (source, target))
    with folder.claim(record, "replace" if force else "resume") if folder else nullcontext():
        if folder:
            kept = folder.read_last_state(source, target, settings)
            if folder.is_finished:
                tell(f"{folder.path} has this very run already; nothing was done (see --force)")
        state, trace = kept or _align(model, source, target, runner)
        trained = model._replace(
            source=source,
            target=target,
            state=state,
            odds=transfer_odds(model, source, target),
            wanted=(np.ones(len(source), np.bool_), np.ones(len(target), np.bool_)),
            signature="",
        )
        # Held-out words measure how well a run has learned; this one has learned nothing.
        return finish_run(folder, trained, trace, held_out=SeedLexicon(()))


def _align(
    model: Trained, source: Phrases, target: Phrases, runner: Runner
) -> tuple[State, list[TraceRow]]:
    """Return the state after the alignment, and a trace of one row."""
    begun = perf_counter()
    settings = model.settings
    constraints = Constraints.of(model.seed, source, target)
    odds = transfer_odds(model, source, target)
    task = Task(source, target, settings, runner, constraints, odds)
    models = transfer_models(model, task, Counts.none())
    agreed = agreement_method(settings)(task, models)
    state = State.after(model.state.iteration, models, agreed, changed=1.0)
    seconds = round(perf_counter() - begun, 3)
    words = count_word_pairs(task, state)
    return state, [make_trace_row(state, words, seconds, None)]
