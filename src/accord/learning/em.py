"""EM for agreement-based learning: the paper's figure 2.

Notation: E, F  the source and the target phrases;  d  the seed lexicon, as counts σ
          Θ⁽ᵏ⁾  the parameters of both directions after iteration k
          m̂⁽ᵏ⁾  the phrase alignment on which the two directions agree
"""

from collections.abc import Callable, Iterator

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.context import context_pairs
from accord.evidence.prior import Known
from accord.learning.agreement import Agreed, Alignment
from accord.learning.model.state import State
from accord.learning.model.translation import strong_pairs
from accord.learning.posterior import posterior_agreement
from accord.learning.update import initial_model, updated_model
from accord.learning.viterbi import viterbi_agreement
from accord.settings import Settings
from accord.system.runners import Runner


def em_iterations(
    source: Phrases,
    target: Phrases,
    known: Known,
    settings: Settings,
    runner: Runner,
    state: State,
) -> Iterator[State]:
    """The state after each iteration that is still to be made."""
    agree = agreement_of(settings)
    while not finished(state, settings):
        theta = state.forward, state.backward
        found = agree(source, target, *theta, settings, runner, known.judged)
        forward_empty, backward_empty = found.empty
        if known.vectors:
            known = known.mapped(
                strong_pairs(state.forward.translation, state.backward.translation)
            )
        new_forward = updated_model(
            *(source, target, found.forward_links, forward_empty),
            *(state.forward, state.backward, known),
            *(settings, runner),
        )
        new_backward = updated_model(
            *(target, source, found.backward_links, backward_empty),
            *(state.backward, state.forward, known.swapped()),
            *(settings, runner),
        )
        state = State(
            state.iteration + 1,
            new_forward,
            new_backward,
            found.forward,
            found.backward,
            found.matching,
            changed(state, found.forward, found.backward),
            found.log_q,
            found.mean_q,
        )
        yield state


def initial_state(
    source: Phrases, target: Phrases, known: Known, settings: Settings, runner: Runner
) -> State:
    """Θ⁽⁰⁾, from the seed and what spelling, and vectors or context, make of it, and no links."""
    counts = known.seed.plus(known.alike)
    if known.vectors:
        counts = counts.plus(known.mapped(counts).similar)
    elif settings.context:
        counts = counts.plus(context_pairs(source, target, counts, runner, known.rejected))
    return State.at_first(
        *(source, target),
        initial_model(source, target, counts, settings),
        initial_model(target, source, counts.swapped(), settings),
    )


def agreement_of(settings: Settings) -> Callable[..., Agreed]:
    """What finds links in each iteration: a function of both corpora, both models, the settings,
    the runner and what people have judged."""
    return posterior_agreement if settings.agreement == "posterior" else viterbi_agreement


def finished(state: State, settings: Settings) -> bool:
    """Whether all iterations are made, or the links have come to rest."""
    at_rest = settings.tolerance is not None and state.changed <= settings.tolerance
    return at_rest or state.iteration >= settings.iterations


def changed(before: State, forward: Alignment, backward: Alignment) -> float:
    """The share of the links, both ways, that were others before; all, while there are none."""
    pairs = [
        (forward.phrases, before.forward_alignment.phrases),
        (backward.phrases, before.backward_alignment.phrases),
    ]
    differing = sum(int(np.count_nonzero(now != then)) for now, then in pairs)
    links = sum(int(np.count_nonzero((now > 0) | (then > 0))) for now, then in pairs)
    return differing / links if links else 1.0
