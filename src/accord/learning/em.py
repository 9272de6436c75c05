"""EM for agreement-based learning: figure 2 of the paper.

Notation: E, F  the source and the target phrases;  d  the seed lexicon, as counts σ
          Θ⁽ᵏ⁾  the parameters of both directions after iteration k
          m̂⁽ᵏ⁾  the phrase alignment on which the two directions agree
"""

from collections.abc import Callable, Iterator

from accord.evidence.context import find_context_pairs
from accord.evidence.prior import Prior
from accord.learning.agreement import Agreed
from accord.learning.model.parameters import Models
from accord.learning.model.state import State
from accord.learning.posterior import posterior_agreement
from accord.learning.task import Task
from accord.learning.update import initial_models, update_models
from accord.learning.viterbi import viterbi_agreement
from accord.settings import Settings


def em_iterations(task: Task, prior: Prior, state: State) -> Iterator[State]:
    """Run the remaining iterations, and yield the state after each."""
    agree = agreement_method(task.settings)
    while not is_finished(state, task.settings):
        # E-step: the links on which both directions agree under Θ⁽ᵏ⁾.
        agreed = agree(task, state.models)
        # M-step: Θ⁽ᵏ⁺¹⁾ from the links and σ.
        models = update_models(task, prior, agreed, state.models)
        state = State.after(state.iteration + 1, models, agreed, state.changed_links(agreed))
        yield state


def initial_state(task: Task, prior: Prior) -> State:
    """Θ⁽⁰⁾ from the seed, cognates, similar words and contexts in phrases; no links."""
    counts = prior.seed.plus(prior.cognates).plus(prior.similar)
    # In sentences, words have more contexts than in phrases.
    if task.settings.context and not len(prior.similar.source):
        counts = counts.plus(
            find_context_pairs(task.source, task.target, counts, task.runner, prior.rejected)
        )
    return State.initial(initial_models(task, counts), len(task.source), len(task.target))


def agreement_method(settings: Settings) -> Callable[[Task, Models], Agreed]:
    """The E-step of the chosen method."""
    return posterior_agreement if settings.agreement == "posterior" else viterbi_agreement


def is_finished(state: State, settings: Settings) -> bool:
    """Whether all iterations are done, or the links have converged."""
    is_converged = settings.tolerance is not None and state.changed <= settings.tolerance
    return is_converged or state.iteration >= settings.iterations
