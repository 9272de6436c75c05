"""What the agreement methods learn from the two texts, iteration by iteration.

The words of the first table, which is of another domain, are the seed, and its phrase pairs are
kept. Each iteration of learning finds phrase pairs in the two texts. Together with those kept they
are a small parallel corpus, on which a phrase table is trained.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import Constraints
from accord.evidence.counts import Counts
from accord.evidence.prior import Prior
from accord.learning.agreement import Links, find_links
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.inputs import Inputs
from accord.runs.learn import add_similar_words
from accord.settings import Agreement, Settings
from accord.system.runners import Runner
from accord.translate.adaptation.back_off import WordKnowledge, make_back_off_table
from accord.translate.phrase_table import ScoredPair
from accord.translate.table_training import LinkedPair

POSTERIOR = "posterior"
# A phrase table needs many pairs: the language model rejects wrong ones. Improbable pairs count
# little: each counts by a power of its confidence. Both numbers were chosen on the development set
# of zh-en (docs/benchmarks.md).
MIN_CONFIDENCE, CONFIDENCE_POWER = 0.1, 2.0


class PaperMethod(NamedTuple):
    """A column of the paper's Table 4."""

    name: str
    agreement: Agreement
    choose_links: Callable[[State], Links]


PAPER_METHODS = (
    PaperMethod("source → target", "none", lambda one: find_links(one.forward_alignment.phrases)),
    PaperMethod(
        "target → source", "none", lambda one: find_links(one.backward_alignment.phrases).swapped()
    ),
    PaperMethod("outer", "outer", lambda one: one.agreed),
    PaperMethod("inner", "inner", lambda one: one.agreed),
)
# The paper ends after ten iterations.
PAPER_ITERATIONS = 10


class LearnedPairs(NamedTuple):
    """The phrase pairs of a method after an iteration."""

    method: str
    iteration: int
    pairs: list[LinkedPair]


class Learner:
    """Learns from the two texts by one agreement method."""

    def __init__(self, inputs: Inputs, settings: Settings, runner: Runner) -> None:
        self.inputs, self.settings, self.runner = inputs, settings, runner
        source, target = inputs.source, inputs.target
        seed, _ = inputs.split_seed(settings)
        prior = Prior.of(seed, source, target, settings)
        self.prior, self.similar = add_similar_words(prior, inputs, settings, runner)
        constraints = Constraints.of(seed, source, target)
        self.task = Task(source, target, settings, runner, constraints, self.prior.odds)

    def iterate(self) -> Iterator[State]:
        """Yield the state after each iteration."""
        return em_iterations(self.task, self.prior, initial_state(self.task, self.prior))

    def link_words(self, state: State, links: Links) -> list[LinkedPair]:
        """Return the linked phrase pairs, with links between words that are each other's best."""
        source, target = self.inputs.source, self.inputs.target
        sides = PhraseWords(source.ragged, target.ragged)
        pairs = PhrasePairs(links.source, links.target)
        _, _, offsets, i, j = align_words(state.models.tables, sides, pairs)
        words = [*zip(i.tolist(), j.tolist(), strict=True)]
        weights = (links.weights**CONFIDENCE_POWER).tolist()
        numbers = zip(links.source.tolist(), links.target.tolist(), weights, strict=True)
        return [
            LinkedPair(source[s], target[t], words[offsets[n] : offsets[n + 1]], weight)
            for n, (s, t, weight) in enumerate(numbers)
        ]

    def make_back_off_table(self, state: State) -> list[ScoredPair]:
        """Return candidates for all words; how probable they are is fitted on agreed pairs."""
        source, target = self.inputs.source, self.inputs.target
        known = WordKnowledge(source, target, self.similar, self.prior.cognates)
        agreed = _list_word_pairs(source, target, state.agreed)
        # The comparison of words has learned from the seed, and overestimates its entries.
        is_seed = self.prior.seed.has(agreed.source, agreed.target)
        return make_back_off_table(known, agreed.where(~is_seed), self.runner)


def learn_by_posterior(inputs: Inputs, iterations: int, runner: Runner) -> Learner:
    """Return what learns by posterior agreement, until it has converged."""
    # Translations are evaluated by BLEU: no part of the seed need be held out.
    settings = Settings(
        agreement="posterior",
        iterations=iterations,
        held_out=0.0,
        matching="none",
        min_confidence=MIN_CONFIDENCE,
    )
    return Learner(inputs, settings, runner)


def learn_as_in_paper(
    agreement: Agreement, inputs: Inputs, runner: Runner
) -> Iterator[LearnedPairs]:
    """Yield what the paper's methods with this agreement have learned after each iteration."""
    settings = Settings(
        agreement=agreement, iterations=PAPER_ITERATIONS, tolerance=None, held_out=0.0
    )
    learner = Learner(inputs, settings, runner)
    for state in learner.iterate():
        for method in PAPER_METHODS:
            if method.agreement == agreement:
                pairs = learner.link_words(state, method.choose_links(state))
                yield LearnedPairs(method.name, state.iteration, pairs)


def _list_word_pairs(source: Phrases, target: Phrases, links: Links) -> Counts:
    """Return the linked pairs of single words, with their confidence."""
    single = np.flatnonzero(
        (source.lengths[links.source] == 1) & (target.lengths[links.target] == 1)
    )
    return Counts.total(
        source.words[source.offsets[links.source[single]]],
        target.words[target.offsets[links.target[single]]],
        links.weights[single],
    )
