"""F1 by noise, seed size and kind of agreement, and what each part of the best is worth.

    python -m benchmarks.accuracy --data FOLDER [--suffix .xz] [--noise N …] [--seeds N …]
                                  [--kinds KIND …] [--ablation] [--fast] [--json]

Default settings: ten iterations of the paper's kinds, the best until it comes to rest. *best* is
agreement by posteriors, all that Accord does by itself; *none* is each of the paper's models alone,
and the intersection of the two at the end.
With --ablation, each part is removed from the best in turn, with 50 and 1,000 seeds. Without
--data, and with --fast, on planted phrases.
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
from benchmarks.setting import experiment, inputs, options_of

KINDS: dict[str, Agreement] = {
    "none": "none",
    "outer": "outer",
    "inner": "inner",
    "best": "posterior",
}
# What is left of the best without each of its parts.
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
    options = options_of(__doc__, arguments, add_flags)
    made = experiment(options)
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
            rows.append(row(made, noise, size, options.kinds))
            if not options.json:
                show(rows[-1], first=len(rows) == 1)
    if options.json:
        print(json.dumps(rows))


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--noise", type=int, nargs="*", help="noise phrases a side")
    parser.add_argument("--seeds", type=int, nargs="*", help="seed words")
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=[*KINDS], help="of agreement")
    parser.add_argument("--ablation", action="store_true", help="parts removed from the best")


def row(made: Experiment, noise: int, seeds: int, kinds: list[str]) -> dict[str, Any]:
    """The scores of the last iteration, for every kind of agreement."""
    given = inputs(made, noise, seeds)
    found: dict[str, Any] = {"noise": noise, "seeds": seeds}
    for kind in kinds:
        last = last_row(given, f"{noise:,} noise, {seeds:,} seeds, {kind}", agreement=KINDS[kind])
        if kind == "none":
            found["none_forward_f1"] = last["forward_f1"]
            found["none_backward_f1"] = last["backward_f1"]
        found[f"{kind}_f1"] = last["f1"]
        if kind == "best":
            found |= {"best_precision": last["precision"], "best_recall": last["recall"]}
    return found


def last_row(given: Inputs, name: str, **settings: Any) -> dict[str, Any]:
    print(name, file=sys.stderr)
    return learn(given, Settings(**settings), Threads()).trace[-1]


def show(found: dict[str, Any], *, first: bool) -> None:
    if first:
        print(f"| {' | '.join(name.replace('_', ' ') for name in found)} |")
        print("|---" * len(found) + "|")
    cells = (f"{x:.3f}" if isinstance(x, float) else f"{x:,}" for x in found.values())
    print(f"| {' | '.join(cells)} |", flush=True)


def show_ablation(made: Experiment, noise: int, seeds: list[int], as_json: bool) -> None:
    rows = []
    if not as_json:
        heads = " | ".join(f"{size:,} seeds" for size in seeds)
        print(f"| {noise:,} noise, without | {heads} |\n{'|---' * (1 + len(seeds))}|")
    for part, settings in WITHOUT.items():
        scores = {
            size: last_row(inputs(made, noise, size), f"{size:,} seeds, without {part}", **settings)
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
