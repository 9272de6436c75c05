"""Accord's exact search beside baselines, on the same impact matrix, in one run.

    python -m benchmarks.search --data FOLDER [--fast] [--json]
    python -m benchmarks.search --text lctt.en-zh.tsv.xz --source-lang zh --target-lang en
                                --work FOLDER [--phrases 100000] [--seeds 1000] [--json]

The model is the one after four iterations. The baselines compute one product of the queries with
the impacts, and keep the best two (outer), 20 (inner) or 100 (posterior) per row: sparse_dot_topn;
SciPy's product in chunks of rows, and argpartition; and accumulation of posting lists in Numba.
They are given the matrices. Accord's search also builds its posting lists, and adds what depends
on lengths; for posteriors it can also sum over all phrases. Its iteration covers both directions,
the closer look and the update. Each is timed in turn, several times; ratios are medians. All use
two threads. Before that, all are checked to find the same sums, on the same model with uniform
lengths and without NULL, which the product cannot express.

With --data, 1,000 seeds and 20,000 noise phrases per side. With --text, the n-grams of up to four
words, without digits and punctuation, that are the most frequent in the first half of the source
sentences and in the second half of the target sentences; seeds come from the word alignments of the
whole text (computed once, kept in --work). With neither, and with --fast, on synthetic phrases.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse

from accord.corpus.phrases import Phrases
from accord.evidence.prior import Prior
from accord.experiments.synthesis.pipeline import extract_aligned
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.lengths import LengthModel
from accord.learning.model.parameters import Model
from accord.learning.model.state import State
from accord.learning.search import search_kernels as kernels
from accord.learning.search.index import build_index
from accord.learning.search.ranking import Ranking
from accord.learning.search.retrieval import rank_candidates
from accord.learning.search.search_kernels import SearchLimits
from accord.learning.task import Task
from accord.runs.inputs import Inputs
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads
from benchmarks.baselines import BASELINES, BestSums, Matrices, best_sums
from benchmarks.halves import add_text_flags, align_text, inputs_of, most_frequent, report
from benchmarks.harness import load_experiment, make_inputs, parse_options

THREADS = 2
ITERATIONS = 4


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments, add_flags)
    given = inputs_from(options)
    answer = {
        "outer": measure(given, "outer", 2, options.repeats),
        "inner": measure(given, "inner", Settings(agreement="inner").candidates, options.repeats),
        "posterior": measure(given, "posterior", Settings().candidates, options.repeats),
    }
    if options.json:
        print(json.dumps(answer))
        return
    print(f"{len(given.source) - 1:,} x {len(given.target) - 1:,} phrases, {THREADS} threads")
    for method, numbers in answer.items():
        print(f"\n{method} agreement")
        for name, value in numbers.items():
            print(f"  {name.replace('_', ' '):55s} {value:8.3f}")


def add_flags(parser: argparse.ArgumentParser) -> None:
    add_text_flags(parser, required=False)
    parser.add_argument("--phrases", type=int, default=100_000, help="from the text, per side")


def inputs_from(options: argparse.Namespace) -> Inputs:
    if options.fast:
        return make_inputs(load_experiment(options), 1_500, 100)
    if options.data:
        return make_inputs(load_experiment(options), 20_000, options.seeds)
    if not (options.source_lang and options.target_lang and options.work):
        raise SystemExit("--text needs --source-lang, --target-lang and --work")
    extraction = extract_aligned(align_text(options), Threads(), report)
    return inputs_of(extraction, options.seeds, most_frequent(options.phrases))


def measure(given: Inputs, method: Agreement, count: int, repeats: int) -> dict[str, float]:
    source, target = given.source, given.target
    settings = Settings(agreement=method, iterations=ITERATIONS)
    prior = Prior.of(given.seed, source, target, settings)
    runner = Threads(THREADS)
    task = Task(source, target, settings, runner)
    state = initial_state(task, prior)
    for following in em_iterations(task, prior, state):
        state = following
    report(f"{method}: {state.iteration} iterations, {len(state.agreed):,} links")
    check_answers(source, target, state.forward, runner, count)
    # Not converged, however little changes: the iteration is to be timed.
    once_more = Settings(agreement=method, iterations=ITERATIONS + 1)
    unfinished = state._replace(iteration=ITERATIONS, changed=1.0)
    products = [
        matrices(source, target, state.forward, runner),
        matrices(target, source, state.backward, runner),
    ]

    def accord(*, sum_all: bool = False) -> None:
        limits = SearchLimits(count, sum_all)
        rank_candidates(task, state.forward, limits)
        rank_candidates(task.swapped(), state.backward, limits)

    def iteration() -> State:
        return next(em_iterations(Task(source, target, once_more, runner), prior, unfinished))

    def run_baseline(name: str) -> None:
        for product in products:
            BASELINES[name](product, count, THREADS)

    names = ["sparse_dot_topn"] if method == "posterior" else list(BASELINES)
    tasks: dict[str, Callable[[], Any]] = {name: partial(run_baseline, name) for name in names}
    tasks |= {"accord": accord, "accord_iteration": iteration}
    if method == "posterior":
        tasks["accord_with_sums"] = partial(accord, sum_all=True)
    return summarise(time_alternately(tasks, repeats))


def time_alternately(tasks: dict[str, Callable[[], Any]], repeats: int) -> list[dict[str, float]]:
    """Return the seconds of each task. They alternate, so that other load affects all of them."""
    times = []
    for _ in range(repeats):
        row = {}
        for name, task in tasks.items():
            begun = perf_counter()
            task()
            row[name] = perf_counter() - begun
        times.append(row)
    return times


def summarise(times: list[dict[str, float]]) -> dict[str, float]:
    """Return medians of the seconds, and of the ratio of each baseline to Accord."""
    names = list(times[0])
    numbers = {f"{name}_seconds": median(row[name] for row in times) for name in names}
    ratios = [(name, "accord") for name in names if name in BASELINES]
    ratios.append(("sparse_dot_topn", "accord_iteration"))
    if "accord_with_sums" in names:
        ratios.append(("sparse_dot_topn", "accord_with_sums"))
        ratios.append(("accord_with_sums", "accord"))
    for name, own in ratios:
        over = median(row[name] / row[own] for row in times)
        numbers[f"{name}_seconds_over_{own}_seconds"] = over
    return numbers


def matrices(source: Phrases, target: Phrases, model: Model, runner: Threads) -> Matrices:
    """Return target phrases by words, and words by their impacts on source phrases."""
    words = len(target.vocabulary)
    ones = np.ones(len(target.words))
    counted = (ones, target.words, target.offsets)
    queries = scipy.sparse.csr_matrix(counted, (len(target), words), copy=True)
    queries.sum_duplicates()
    return queries, impact_matrix(source, words, model, runner)


def impact_matrix(
    source: Phrases, words: int, model: Model, runner: Threads
) -> scipy.sparse.csr_matrix:
    """Return Accord's posting lists as a matrix, one block of source phrases beside the other."""
    postings = build_index(source.blocks, model.translation, runner, growths=False).postings
    blocks = []
    for n, block in enumerate(source.blocks):
        offsets = postings.offsets[n * words : (n + 1) * words + 1]
        own = slice(offsets[0], offsets[-1])
        csr = postings.impacts[own] * kernels.STEP, postings.places[own], offsets - offsets[0]
        blocks.append(scipy.sparse.csr_matrix(csr, (words, len(block.phrases))))
    return scipy.sparse.hstack(blocks, format="csr")


def check_answers(
    source: Phrases, target: Phrases, model: Model, runner: Threads, count: int
) -> None:
    """Check that all find the same best sums, with uniform lengths and without NULL."""
    plain = without_lengths_and_null(source, target, model)
    product = matrices(source, target, plain, runner)
    base = plain.lengths.log_prob[1, 1]
    task = Task(source, target, Settings(), runner)
    ranking = rank_candidates(task, plain, SearchLimits(count, sum_all=True))
    expected = ranked_sums(ranking, base, count)
    for baseline in BASELINES.values():
        sums = best_sums(baseline(product, count, THREADS), count)
        np.testing.assert_allclose(sums[1:], expected[1:], atol=1e-5)
    # The sums over all phrases, for some queries; a phrase that shares no word with it adds e⁰.
    queries, impacts = product
    some = np.linspace(1, len(target) - 1, 200, dtype=np.int64)
    totals = (queries[some] @ impacts).expm1().sum(axis=1).A1 + impacts.shape[1]
    log_sums = ranking.log_sums[ranking.groups][some] - base
    np.testing.assert_allclose(log_sums, np.log(totals), atol=1e-5)


def ranked_sums(ranking: Ranking, base: float, count: int) -> BestSums:
    """Return the best sums of each target phrase, in descending order; 0 if there are fewer."""
    sums = np.stack([ranking.scores_at(place) for place in range(count)], axis=1)
    return np.maximum(sums - base, 0.0)[ranking.groups]


def without_lengths_and_null(source: Phrases, target: Phrases, model: Model) -> Model:
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
    return model._replace(lengths=lengths, translation=silent)


if __name__ == "__main__":
    main()
