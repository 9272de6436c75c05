"""The methods of the paper's Table 4, and the phrase pairs each has after every iteration.

The words of the first table, which is of another domain, are the seed, and its phrase pairs are
kept. Each iteration of learning finds phrase pairs in the two texts. Together with those kept they
are a small parallel corpus, on which a phrase table is trained.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import Constraints
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
from accord.translate.phrase_table import NeededPhrases, ScoredPair, Sentence
from accord.translate.table_training import LinkedPair, train_table

# A phrase table needs many pairs: the language model rejects wrong ones.
MIN_CONFIDENCE = 0.2


class AdaptationMethod(NamedTuple):
    """A column of the paper's Table 4."""

    name: str
    agreement: Agreement
    choose_links: Callable[[State], Links]
    with_vectors: bool = False  # whether the vectors of the inputs are used as evidence


METHODS = (
    AdaptationMethod(
        "source → target", "none", lambda state: find_links(state.forward_alignment.phrases)
    ),
    AdaptationMethod(
        "target → source",
        "none",
        lambda state: find_links(state.backward_alignment.phrases).swapped(),
    ),
    AdaptationMethod("outer", "outer", lambda state: state.agreed),
    AdaptationMethod("inner", "inner", lambda state: state.agreed),
    AdaptationMethod("posterior", "posterior", lambda state: state.agreed),
)
# An additional column if there are vectors.
WITH_VECTORS = AdaptationMethod(
    "vectors", "posterior", lambda state: state.agreed, with_vectors=True
)


class LearnedTable(NamedTuple):
    """The phrase pairs of a method after an iteration, and the needed part of their table."""

    method: str
    iteration: int
    pairs: list[LinkedPair]
    table: list[ScoredPair]


def methods_for(inputs: Inputs) -> tuple[AdaptationMethod, ...]:
    return (*METHODS, WITH_VECTORS) if inputs.vectors else METHODS


def learn_tables(
    outside: Sequence[LinkedPair],
    inputs: Inputs,
    iterations: int,
    sentences: Sequence[Sentence],
    runner: Runner,
) -> Iterator[LearnedTable]:
    """Yield the table of each method after each iteration, as needed for these sentences."""
    needed = NeededPhrases(sentences)
    methods = methods_for(inputs)
    for agreement, with_vectors in dict.fromkeys((m.agreement, m.with_vectors) for m in methods):
        # Translations are evaluated by BLEU: no part of the seed need be held out.
        settings = Settings(
            agreement=agreement, iterations=iterations, tolerance=None, held_out=0.0
        )
        if agreement == "posterior":
            settings = settings.update({"min_confidence": MIN_CONFIDENCE})
        given = inputs if with_vectors else replace(inputs, vectors=None)
        same = [m for m in methods if (m.agreement, m.with_vectors) == (agreement, with_vectors)]
        for state in _run_em(given, settings, runner):
            for method in same:
                found = link_words(inputs.source, inputs.target, state, method.choose_links(state))
                pairs = [*outside, *found]
                table = train_table(pairs, runner, needed)
                yield LearnedTable(method.name, state.iteration, pairs, table)


def _run_em(inputs: Inputs, settings: Settings, runner: Runner) -> Iterator[State]:
    source, target = inputs.source, inputs.target
    seed, _ = inputs.split_seed(settings)
    task = Task(source, target, settings, runner, Constraints.of(seed, source, target))
    prior = add_similar_words(Prior.of(seed, source, target, settings), inputs, settings, runner)
    task = task._replace(odds=prior.odds)
    return em_iterations(task, prior, initial_state(task, prior))


def link_words(source: Phrases, target: Phrases, state: State, links: Links) -> list[LinkedPair]:
    """Return the linked phrase pairs, with links between words that are each other's best."""
    sides = PhraseWords(source.ragged, target.ragged)
    pairs = PhrasePairs(links.source, links.target)
    _, _, offsets, i, j = align_words(state.models.tables, sides, pairs)
    words = [*zip(i.tolist(), j.tolist(), strict=True)]
    return [
        LinkedPair(source[s], target[t], words[offsets[n] : offsets[n + 1]])
        for n, (s, t) in enumerate(zip(links.source.tolist(), links.target.tolist(), strict=True))
    ]
