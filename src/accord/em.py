"""Viterbi EM for agreement-based learning: the paper's figure 2.

Notation: E, F  the source and the target phrases;  d  the seed lexicon, as counts σ
          Θ⁽ᵏ⁾  the parameters of both directions after iteration k
          m̂⁽ᵏ⁾  the Viterbi phrase alignment on which the two directions agree
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from accord.agreement import Links, intersection, links_of
from accord.counts import Counts
from accord.model import Model
from accord.phrases import Phrases
from accord.runners import Runner
from accord.search import Alignment, viterbi_alignment
from accord.settings import Settings
from accord.update import initial_model, updated_model


class State(NamedTuple):
    """All there is after an iteration."""

    iteration: int
    forward: Model  # P(target|source)
    backward: Model  # P(source|target)
    forward_alignment: Alignment  # a source phrase for each target phrase
    backward_alignment: Alignment  # a target phrase for each source phrase
    changed: float  # the share of the links, both ways, that were others one iteration before

    @property
    def agreed(self) -> Links:
        return intersection(self.forward_alignment.phrases, self.backward_alignment.phrases)


def viterbi_em(
    source: Phrases,
    target: Phrases,
    seed_counts: Counts,
    settings: Settings,
    runner: Runner,
    state: State,
) -> Iterator[State]:
    """The state after each iteration that is still to be made."""
    while not finished(state, settings):
        theta = state.forward, state.backward
        swapped = state.backward, state.forward
        forward = viterbi_alignment(source, target, *theta, settings, runner)
        backward = viterbi_alignment(target, source, *swapped, settings, runner)
        if settings.agreement == "none":
            links, swapped_links = links_of(forward.phrases), links_of(backward.phrases)
        else:
            links = intersection(forward.phrases, backward.phrases)
            swapped_links = links.swapped()
        state = State(
            state.iteration + 1,
            updated_model(source, target, links, *theta, seed_counts, settings),
            updated_model(target, source, swapped_links, *swapped, seed_counts.swapped(), settings),
            forward,
            backward,
            changed(state, forward, backward),
        )
        yield state


def initial_state(
    source: Phrases, target: Phrases, seed_counts: Counts, settings: Settings
) -> State:
    """Θ⁽⁰⁾ and no links."""
    return State(
        0,
        initial_model(source, target, seed_counts, settings),
        initial_model(target, source, seed_counts.swapped(), settings),
        Alignment.empty(len(target)),
        Alignment.empty(len(source)),
        math.inf,
    )


def finished(state: State, settings: Settings) -> bool:
    """Whether all iterations are made, or the links have come to rest."""
    at_rest = settings.tolerance is not None and state.changed <= settings.tolerance
    return at_rest or state.iteration >= settings.iterations


def changed(before: State, forward: Alignment, backward: Alignment) -> float:
    """The share of the links, both ways, that were others before."""
    pairs = [
        (forward.phrases, before.forward_alignment.phrases),
        (backward.phrases, before.backward_alignment.phrases),
    ]
    differing = sum(int(np.count_nonzero(now != then)) for now, then in pairs)
    links = sum(int(np.count_nonzero((now > 0) | (then > 0))) for now, then in pairs)
    return differing / links if links else 0.0
