"""F1 by noise, seed size and kind of agreement: the paper's Table 1, on public text.

    python -m benchmarks.seeds --data FOLDER [--fast] [--json]

Without --data, and with --fast, on planted phrases.
"""

import json
import sys
from typing import Any, get_args

from accord.learning import learn
from accord.runners.threads import Threads
from accord.settings import Agreement, Settings
from accord.synthetic.experiment import Experiment
from benchmarks.setting import experiment, inputs, options_of


def main(arguments: list[str] | None = None) -> None:
    options = options_of(__doc__, arguments)
    made = experiment(options)
    noises, seeds = (
        ([0, 1_500], [20, 100]) if options.fast else ([0, 20_000], [50, 100, 500, 1_000])
    )
    rows = [row(made, noise, size) for noise in noises for size in seeds]
    if options.json:
        print(json.dumps(rows))
        return
    print("| noise | seeds | none → | none ← | none ∩ | outer | inner | ratio, outer |")
    print("|---|---|---|---|---|---|---|---|")
    for cells in rows:
        scores = " | ".join(f"{value:.3f}" for value in list(cells.values())[2:])
        print(f"| {cells['noise']:,} | {cells['seeds']:,} | {scores} |")


def row(made: Experiment, noise: int, seeds: int) -> dict[str, Any]:
    """The scores after ten iterations, for every kind of agreement."""
    given = inputs(made, noise, seeds)
    last = {}
    for agreement in get_args(Agreement):
        print(f"{noise:,} noise, {seeds:,} seeds, {agreement}", file=sys.stderr)
        last[agreement] = learn(given, Settings(agreement=agreement), Threads()).trace[-1]
    return {
        "noise": noise,
        "seeds": seeds,
        "none_forward_f1": last["none"]["forward_f1"],
        "none_backward_f1": last["none"]["backward_f1"],
        "none_intersection_f1": last["none"]["f1"],
        "outer_f1": last["outer"]["f1"],
        "inner_f1": last["inner"]["f1"],
        "outer_agreement_ratio": last["outer"]["agreement_ratio"],
    }


if __name__ == "__main__":
    main()
