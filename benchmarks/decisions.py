"""The value of reviewers' decisions: F1 after a few of them, simulated with gold.

    python -m benchmarks.decisions --data FOLDER [--suffix .xz] [--noise N] [--seeds N]
                                   [--decisions N …] [--fast] [--json]

A run is learned, and its phrase pairs are sorted as on the review page (most informative first).
The first N are accepted if they are gold pairs and rejected if not, and the run is learned again
with these decisions; and the same with N random pairs. *without learning* is F1 of the first run
after removing the rejected pairs: what exceeds it was learned.
Without --data, and with --fast, on synthetic phrases.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from accord.evidence.seed import ReviewedEntry, SeedLexicon
from accord.experiments.synthesis.experiment import Experiment
from accord.learning.confidence import count_rarest_words
from accord.runs.evaluation import Gold
from accord.runs.folder import RunResults
from accord.runs.learn import learn
from accord.settings import Settings
from accord.system.runners.threads import Threads
from accord.web.review.precision import rank_by_information
from benchmarks.harness import load_experiment, make_inputs, parse_options

Pair = tuple[str, str]


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments, add_flags)
    made = load_experiment(options)
    noise = options.noise or (1_500 if options.fast else 20_000)
    found = [*rows(made, noise, options.seeds, options.decisions, not options.json)]
    if options.json:
        print(json.dumps(found))


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--noise", type=int, help="noise phrases per side")
    parser.add_argument("--seeds", type=int, default=50, help="seed words")
    parser.add_argument("--decisions", type=int, nargs="*", default=[50, 200, 1_000])


def rows(
    made: Experiment, noise: int, seeds: int, counts: Sequence[int], shown: bool
) -> Iterator[dict[str, Any]]:
    """Yield a row without decisions, and one for each number of decisions and each order."""
    first = _learn(made, noise, seeds, None)
    gold = Gold.of(made.gold)
    pairs = first.trained.pairs()
    orders = {"most informative": informative_pairs(first), "random": _shuffle(pairs)}
    row = _row("", 0, 0, first, gold.score(pairs).f1)
    yield _show(row, shown, first=True)
    for count in counts:
        for name, order in orders.items():
            decided = decide_by_gold(order[:count], gold)
            learned = _learn(made, noise, seeds, decided)
            without_learning = gold.score({*pairs}.difference(decided.rejected)).f1
            yield _show(_row(name, count, len(decided.accepted), learned, without_learning), shown)


def informative_pairs(learned: RunResults) -> list[Pair]:
    """Return the phrase pairs of a run in the order of the review page."""
    trained = learned.trained
    links = trained.state.agreed
    support = np.minimum(
        count_rarest_words(trained.source)[links.source],
        count_rarest_words(trained.target)[links.target],
    )
    order = rank_by_information(links.weights, support)
    pairs = trained.pairs()
    return [pairs[n] for n in order.tolist()]


def decide_by_gold(pairs: Sequence[Pair], gold: Gold) -> SeedLexicon:
    """Return the decisions of a perfect reviewer about these pairs."""
    right = {*gold.pairs}
    reviewed: list[ReviewedEntry] = [
        (*pair, "accepted" if pair in right else "rejected") for pair in pairs
    ]
    return SeedLexicon.of(reviewed)


def _shuffle(pairs: list[Pair]) -> list[Pair]:
    return [pairs[n] for n in np.random.default_rng(0).permutation(len(pairs)).tolist()]


def _learn(made: Experiment, noise: int, seeds: int, decided: SeedLexicon | None) -> RunResults:
    size = len(decided.entries_with_status) if decided else 0
    print(f"{noise:,} noise, {seeds:,} seeds, {size:,} decisions", file=sys.stderr)
    return learn(make_inputs(made, noise, seeds, decided), Settings(), Threads())


def _row(
    name: str, count: int, accepted: int, learned: RunResults, without_learning: float
) -> dict[str, Any]:
    last = learned.trace[-1]
    return {
        "decisions": count,
        "pairs": name,
        "accepted": accepted,
        "without_learning_f1": without_learning,
        "f1": last["f1"],
        "precision": last["precision"],
        "recall": last["recall"],
    }


def _show(row: dict[str, Any], shown: bool, *, first: bool = False) -> dict[str, Any]:
    if shown and first:
        print(f"| {' | '.join(name.replace('_', ' ') for name in row)} |")
        print("|---" * len(row) + "|")
    if shown:
        cells = (f"{x:.4f}" if isinstance(x, float) else f"{x}" for x in row.values())
        print(f"| {' | '.join(cells)} |", flush=True)
    return row


if __name__ == "__main__":
    main()
