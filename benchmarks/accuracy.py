"""F1 by noise, seed size and agreement method, and the contribution of each part of the default.

    python -m benchmarks.accuracy --data FOLDER [--suffix .xz] [--noise N …] [--seeds N …]
                                  [--methods METHOD …] [--ablation] [--fast] [--json]
                                  [--figures docs/figures.json]

Default settings: ten iterations of the paper's methods, posterior agreement until convergence.
*posterior* is the default method; *none* is each of the paper's models alone, and the intersection
of the two at the end. With --ablation, each part is removed from posterior agreement in turn, with
50 and 1,000 seeds. Without --data, and with --fast, on synthetic phrases.
"""

import argparse
import json
import sys
from typing import Any

from accord.experiments.synthesis.experiment import Experiment
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Agreement, Settings
from accord.system.runners.threads import Threads
from benchmarks.harness import load_experiment, make_inputs, parse_options, write_figures

METHODS: tuple[Agreement, ...] = ("none", "outer", "inner", "posterior")
# The columns of the table in the docs.
HEADINGS = {
    "noise": "noise per side",
    "seeds": "seeds",
    "none_forward_f1": "none →",
    "none_backward_f1": "none ←",
    "none_f1": "none ∩",
    "outer_f1": "outer",
    "inner_f1": "inner",
    "posterior_f1": "posterior",
    "posterior_precision": "its precision",
    "posterior_recall": "its recall",
}
# The settings of posterior agreement without each of its parts.
WITHOUT: dict[str, dict[str, Any]] = {
    "nothing": {},
    "context": {"context": False},
    "spelling": {"spelling": False},
    "context and spelling": {"context": False, "spelling": False},
    "positions (Model 1)": {"word_model": "model1"},
    "positions (HMM instead)": {"word_model": "hmm"},
    "word smoothing": {"word_smoothing": 0.0},
    "floor by frequency": {"background": "flat", "floor": 3e-5},
    "soft weights (exact matching in training)": {"training_matching": "exact"},
    "soft weights (intersection in training)": {"training_matching": "intersection"},
    "exact matching (greedy)": {"matching": "greedy"},
    "exact matching (intersection)": {"matching": "intersection"},
    "pruning": {"prune": 0.0},
    "held-out seeds learned from too": {"held_out": 0.0},
}


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments, add_flags)
    made = load_experiment(options)
    if options.fast:
        options.noise, options.seeds = options.noise or [0, 1_500], options.seeds or [20, 100]
    noises = options.noise or [0, 20_000, 180_000]
    if options.ablation:
        noises, seeds = options.noise or [20_000], options.seeds or [50, 1_000]
        show_ablation(made, noises[-1], seeds, options.json)
        return
    seeds = options.seeds or [25, 50, 100, 500, 1_000]
    rows = []
    for noise in noises:
        for size in seeds:
            rows.append(measure_row(made, noise, size, options.methods))
            if not options.json:
                show(rows[-1], first=len(rows) == 1)
    if options.json:
        print(json.dumps(rows))
    if options.figures:
        name = "synthetic" if options.fast else options.data.name
        write_figures(
            options.figures,
            f"accuracy_{name.replace('-', '_')}",
            f"python -m benchmarks.accuracy --data {name}",
            {column: HEADINGS[column] for column in rows[0]},
            {
                f"noise_{row['noise']}_seeds_{row['seeds']}": {
                    column: format_cell(value) for column, value in row.items()
                }
                for row in rows
            },
        )


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--noise", type=int, nargs="*", help="noise phrases per side")
    parser.add_argument("--seeds", type=int, nargs="*", help="seed words")
    parser.add_argument(
        "--methods", nargs="*", choices=METHODS, default=METHODS, help="agreement methods"
    )
    parser.add_argument("--ablation", action="store_true", help="remove one part at a time")


def measure_row(
    made: Experiment, noise: int, seeds: int, methods: list[Agreement]
) -> dict[str, Any]:
    """Return the scores of the last iteration, for every agreement method."""
    given = make_inputs(made, noise, seeds)
    found: dict[str, Any] = {"noise": noise, "seeds": seeds}
    for method in methods:
        last = last_row(given, f"{noise:,} noise, {seeds:,} seeds, {method}", agreement=method)
        if method == "none":
            found["none_forward_f1"] = last["forward_f1"]
            found["none_backward_f1"] = last["backward_f1"]
        found[f"{method}_f1"] = last["f1"]
        if method == "posterior":
            found |= {
                "posterior_precision": last["precision"],
                "posterior_recall": last["recall"],
            }
    return found


def last_row(given: Inputs, name: str, **settings: Any) -> dict[str, Any]:
    print(name, file=sys.stderr)
    return learn(given, Settings(**settings), Threads()).trace[-1]


def show(found: dict[str, Any], *, first: bool) -> None:
    if first:
        print(f"| {' | '.join(name.replace('_', ' ') for name in found)} |")
        print("|---" * len(found) + "|")
    print(f"| {' | '.join(map(format_cell, found.values()))} |", flush=True)


def format_cell(value: float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"


def show_ablation(made: Experiment, noise: int, seeds: list[int], as_json: bool) -> None:
    rows = []
    if not as_json:
        heads = " | ".join(f"{size:,} seeds" for size in seeds)
        print(f"| {noise:,} noise, without | {heads} |\n{'|---' * (1 + len(seeds))}|")
    for part, settings in WITHOUT.items():
        scores = {
            size: last_row(
                make_inputs(made, noise, size), f"{size:,} seeds, without {part}", **settings
            )
            for size in seeds
        }
        rows.append({"without": part} | {f"{n}_seeds_f1": r["f1"] for n, r in scores.items()})
        if not as_json:
            cells = " | ".join(f"{last['f1']:.3f}" for last in scores.values())
            print(f"| {part} | {cells} |", flush=True)
    if as_json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
