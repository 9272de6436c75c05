"""Accord's exact search beside `sparse_dot_topn`, on the same impact matrix, in one run.

    python -m benchmarks.search --data FOLDER [--fast] [--json]

The model is that of the fourth iteration with 1,000 seeds and 20,000 noise phrases a side. One
product of the queries with the impacts, the best two (or 20) a row kept, is what sparse_dot_topn
does; Accord's search does that and adds what depends on lengths, and its iteration does both
directions and the update too. Each is timed in turn, several times; ratios are medians.
Without --data, and with --fast, on planted phrases.
"""

import json
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse
from sparse_dot_topn import sp_matmul_topn

from accord import kernels
from accord.em import State, em_iterations, initial_state
from accord.inputs import Inputs
from accord.known import Known
from accord.lengths import LengthModel
from accord.model import Model
from accord.phrases import Phrases
from accord.runners.threads import Threads
from accord.search import best_candidates, impact_postings
from accord.settings import Agreement, Settings
from benchmarks.setting import experiment, inputs, options_of

THREADS = 2
Matrices = tuple[scipy.sparse.csr_matrix, scipy.sparse.csr_matrix]


def main(arguments: list[str] | None = None) -> None:
    options = options_of(__doc__, arguments)
    noise, seeds = (1_500, 100) if options.fast else (20_000, 1_000)
    given = inputs(experiment(options), noise, seeds)
    answer = {
        "outer": measure(given, "outer", options.repeats),
        "inner": measure(given, "inner", options.repeats),
    }
    if options.json:
        print(json.dumps(answer))
        return
    print(f"{len(given.source) - 1:,} x {len(given.target) - 1:,} phrases, {THREADS} threads")
    for kind, numbers in answer.items():
        print(f"\n{kind} agreement")
        for name, value in numbers.items():
            print(f"  {name.replace('_', ' '):55s} {value:8.3f}")


def measure(given: Inputs, kind: Agreement, repeats: int) -> dict[str, float]:
    source, target = given.source, given.target
    settings = Settings(agreement=kind, iterations=4)
    known = Known.of(given.seed, source, target, settings)
    runner = Threads(THREADS)
    state = initial_state(source, target, known, settings, runner)
    for following in em_iterations(source, target, known, settings, runner, state):
        state = following
    check_answers(source, target, state.forward, runner)
    count = settings.candidates if kind == "inner" else 2
    once_more = Settings(agreement=kind, iterations=5)
    products = [
        matrices(source, target, state.forward, runner),
        matrices(target, source, state.backward, runner),
    ]

    def search() -> None:
        best_candidates(source, target, state.forward, runner, count)
        best_candidates(target, source, state.backward, runner, count)

    def iteration() -> State:
        return next(em_iterations(source, target, known, once_more, runner, state))

    def product() -> None:
        for queries, impacts in products:
            sp_matmul_topn(queries, impacts, top_n=count, n_threads=THREADS, sort=True)

    times = alternate([search, iteration, product], repeats)
    return {
        "sparse_dot_topn_seconds": median(t[2] for t in times),
        "accord_search_seconds": median(t[0] for t in times),
        "accord_iteration_seconds": median(t[1] for t in times),
        "sparse_dot_topn_seconds_over_accord_search_seconds": median(t[2] / t[0] for t in times),
        "sparse_dot_topn_seconds_over_accord_iteration_seconds": median(t[2] / t[1] for t in times),
    }


def alternate(tasks: list[Callable[[], Any]], repeats: int) -> list[list[float]]:
    """The seconds of each task, in turn, so that a busy moment meets them all."""
    times = []
    for _ in range(repeats):
        row = []
        for task in tasks:
            begun = perf_counter()
            task()
            row.append(perf_counter() - begun)
        times.append(row)
    return times


def matrices(source: Phrases, target: Phrases, model: Model, runner: Threads) -> Matrices:
    """The target phrases by their words, and the words by their impacts on source phrases."""
    postings = impact_postings(source.blocks, model.translation, runner, growths=False)
    words = len(target.vocabulary)
    ones = np.ones(len(target.words))
    counted = (ones, target.words, target.offsets)
    queries = scipy.sparse.csr_matrix(counted, (len(target), words), copy=True)
    queries.sum_duplicates()
    blocks = []
    for block, offsets in zip(source.blocks, postings.offsets, strict=True):
        own = slice(offsets[0], offsets[-1])
        heard = postings.impacts[own] * kernels.STEP, postings.places[own], offsets - offsets[0]
        blocks.append(scipy.sparse.csr_matrix(heard, (words, len(block.phrases))))
    return queries, scipy.sparse.hstack(blocks, format="csr")


def check_answers(source: Phrases, target: Phrases, model: Model, runner: Threads) -> None:
    """Both find the same best sums. Lengths are all alike for this, and NULL knows nothing."""
    first = model.translation.offsets[1]
    counted = slice(first, None)
    silent = type(model.translation)(
        np.concatenate([[0], model.translation.offsets[1:] - first]),
        model.translation.targets[counted],
        model.translation.probabilities[counted],
        model.translation.room,
        model.translation.floors,
    )
    lengths = LengthModel.uniform(source.max_length, target.max_length)
    plain = model._replace(lengths=lengths, translation=silent)
    queries, impacts = matrices(source, target, plain, runner)
    sums = sp_matmul_topn(queries, impacts, top_n=1).max(axis=1).toarray().ravel()
    ranking = best_candidates(source, target, plain, runner, 1)
    scores = ranking.scores_at(0)[ranking.groups] - plain.lengths.log_prob[1, 1]
    np.testing.assert_allclose(scores[1:], sums[1:], atol=1e-5)


if __name__ == "__main__":
    main()
