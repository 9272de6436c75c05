"""F1 when one setting is varied at a time: how the defaults were chosen.

    python -m benchmarks.tuning --data FOLDER [--fast] [--json]

20,000 noise phrases per side, 1,000 seeds, ten iterations. Without --data, and with --fast, on
synthetic phrases.
"""

import json
from typing import Any

from accord.runs.learn import learn
from accord.settings import Settings
from accord.system.runners.threads import Threads
from benchmarks.harness import load_experiment, make_inputs, parse_options

SWEEPS: dict[str, list[float]] = {
    "floor": [1e-4, 3e-4, 1e-3, 3e-3, 1e-2],
    "epsilon": [1e-30, 1e-14, 1e-10, 1e-6],
    "prune": [0.0, 3e-5, 3e-4],
    "length_smoothing": [0.1, 1.0, 100.0],
    "candidates": [5, 20, 100],
}


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments)
    made = load_experiment(options)
    noise, seeds = (1_500, 50) if options.fast else (20_000, 1_000)
    given = make_inputs(made, noise, seeds)
    if not options.json:
        print("| setting | value | outer | inner |\n|---|---|---|---|")
    rows: list[dict[str, Any]] = []
    for name, values in SWEEPS.items():
        for value in values[:2] if options.fast else values:
            row: dict[str, Any] = {"setting": name, "value": value}
            for agreement in ("inner",) if name == "candidates" else ("outer", "inner"):
                settings = Settings(**{"agreement": agreement, name: value})  # type: ignore[arg-type]
                row[agreement] = learn(given, settings, Threads()).trace[-1]["f1"]
            rows.append(row)
            if not options.json:
                scores = (f"{row[a]:.3f}" if a in row else "" for a in ("outer", "inner"))
                print(f"| {name} | {value:g} | {' | '.join(scores)} |", flush=True)
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
