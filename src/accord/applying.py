"""A learned model on new phrases: both directions align them, and nothing is learned."""

from collections.abc import Callable
from dataclasses import asdict
from time import perf_counter

import numpy as np

from accord.counts import Counts
from accord.em import State, agree
from accord.folder import RunFolder
from accord.learning import Learned, left_in
from accord.phrases import Intake, Phrases
from accord.runners import Runner
from accord.trace import trace_row
from accord.trained import Trained
from accord.transfer import transferred
from accord.version import __version__


def apply(
    model: Trained,
    source_given: tuple[Phrases, Intake],
    target_given: tuple[Phrases, Intake],
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
    source, target = source_given[0].after(model.source), target_given[0].after(model.target)
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
        if folder.finished:
            tell(f"{folder.path} has this very run already; --force makes it again")
    begun = perf_counter()
    vocabularies = model.source.vocabulary, model.target.vocabulary
    forward = transferred(
        model.state.forward, vocabularies, source, target, Counts.none(), settings
    )
    backward = transferred(
        model.state.backward, vocabularies[::-1], target, source, Counts.none(), settings
    )
    found = agree(source, target, forward, backward, settings, runner)
    state = State(
        *(model.state.iteration, forward, backward),
        *(found.forward, found.backward, found.matching),
        *(1.0, found.log_q, found.mean_q),
    )
    trace = [trace_row(state, round(perf_counter() - begun, 3), None)]
    wanted = np.ones(len(source), bool), np.ones(len(target), bool)
    trained = Trained(
        *(source, target, state, settings),
        *(model.seed, model.held_out, model.unused),
        *(wanted, model.languages),
    )
    return left_in(folder, trained, trace)
