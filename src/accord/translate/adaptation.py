"""Domain adaptation, the paper's section 4.2: from a small table of another domain to a table of
this one, by text that is not parallel.

The words of the first table are the seed, its phrase pairs are kept. Each iteration of learning
finds phrase pairs in the two texts; together with those kept they are a small parallel corpus, a
phrase table is trained on it, and it translates the test set.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from accord.corpus.phrases import Phrases
from accord.evidence.constraints import Constraints
from accord.evidence.prior import Prior
from accord.evidence.seed import Entry
from accord.learning.agreement import Links, find_links
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.state import State
from accord.learning.task import Task
from accord.learning.word_kernels import PhrasePairs, PhraseWords, align_words
from accord.runs.inputs import Inputs
from accord.settings import Agreement, Settings
from accord.system.runners import Runner
from accord.translate.table import Needed, ScoredPair, Sentence
from accord.translate.training import LinkedPair, trained_table

# A word pair of the first table is in the seed if it has this share of the links of both words.
LEAST_SHARE = 0.3

# Which pairs a method finds, out of a state.
Found = Callable[[State], Links]


class Method(NamedTuple):
    """A column of the paper's Table 4."""

    name: str
    agreement: Agreement
    found: Found
    vectors: bool = False  # whether those of the inputs are further evidence


METHODS = (
    Method("source → target", "none", lambda state: find_links(state.forward_alignment.phrases)),
    Method(
        "target → source",
        "none",
        lambda state: find_links(state.backward_alignment.phrases).swapped(),
    ),
    Method("outer", "outer", lambda state: state.agreed),
    Method("inner", "inner", lambda state: state.agreed),
    Method("best", "posterior", lambda state: state.agreed),
)
# A further column, where there are vectors.
WITH_VECTORS = Method("vectors", "posterior", lambda state: state.agreed, vectors=True)


class Corpus(NamedTuple):
    """The phrase pairs after an iteration, and what some sentences need of their table."""

    method: str
    iteration: int
    linked: list[LinkedPair]
    table: list[ScoredPair]


def seed_of(pairs: Sequence[LinkedPair]) -> list[Entry]:
    """The word pairs that are linked often enough, for both their words."""
    words = [
        (source[i], target[j])
        for source, target, links in ((p.source.split(), p.target.split(), p.links) for p in pairs)
        for i, j in links
    ]
    sides = [np.unique([pair[side] for pair in words], return_inverse=True) for side in (0, 1)]
    (sources, e), (targets, f) = sides
    keys, counts = np.unique(e.astype(np.int64) * len(targets) + f, return_counts=True)
    e, f = np.divmod(keys, len(targets))
    shares = [counts / np.bincount(side, counts)[side] for side in (e, f)]
    kept = np.flatnonzero(np.minimum(*shares) >= LEAST_SHARE)
    return [(str(sources[e[n]]), str(targets[f[n]])) for n in kept.tolist()]


def methods_for(inputs: Inputs) -> tuple[Method, ...]:
    return (*METHODS, WITH_VECTORS) if inputs.vectors else METHODS


def corpora(
    outside: Sequence[LinkedPair],
    inputs: Inputs,
    iterations: int,
    sentences: Sequence[Sentence],
    runner: Runner,
) -> Iterator[Corpus]:
    """What each method has after each iteration, of use for these sentences."""
    needed = Needed(sentences)
    methods = methods_for(inputs)
    for agreement, vectors in dict.fromkeys((m.agreement, m.vectors) for m in methods):
        # What translates is judged by its translations: no seed need be held out.
        settings = Settings(
            agreement=agreement, iterations=iterations, tolerance=None, held_out=0.0
        )
        given = inputs if vectors else replace(inputs, vectors=None)
        for state in _states(given, settings, runner):
            for method in methods:
                if (method.agreement, method.vectors) == (agreement, vectors):
                    found = linked_pairs(inputs.source, inputs.target, state, method.found(state))
                    pairs = [*outside, *found]
                    table = trained_table(pairs, runner, needed)
                    yield Corpus(method.name, state.iteration, pairs, table)


def _states(inputs: Inputs, settings: Settings, runner: Runner) -> Iterator[State]:
    source, target = inputs.source, inputs.target
    seed, _ = inputs.split_seed(settings)
    task = Task(source, target, settings, runner, Constraints.of(seed, source, target))
    prior = Prior.of(seed, source, target, settings, inputs.vectors)
    return em_iterations(task, prior, initial_state(task, prior))


def linked_pairs(source: Phrases, target: Phrases, state: State, links: Links) -> list[LinkedPair]:
    """The pairs with the words that are each other's best."""
    sides = PhraseWords(source.ragged, target.ragged)
    pairs = PhrasePairs(links.source, links.target)
    _, _, offsets, i, j = align_words(state.models.tables, sides, pairs)
    words = [*zip(i.tolist(), j.tolist(), strict=True)]
    return [
        LinkedPair(source[s], target[t], words[offsets[n] : offsets[n + 1]])
        for n, (s, t) in enumerate(zip(links.source.tolist(), links.target.tolist(), strict=True))
    ]
