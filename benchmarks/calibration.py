"""Calibration: does the confidence of pairs match the share that is right? Evaluated with gold.

    python -m benchmarks.calibration --data FOLDER [--suffix .xz] [--picture FILE.png]
                                     [--fast] [--json] [--figures FILE]

Phrase pairs are evaluated by the gold pairs, word pairs by the dictionary of the experiment if it
contains one of the words: a translation that it lacks counts as wrong. The seed is left out. ECE is
the expected calibration error, over ten bins of equal width: the difference between the mean
confidence of a bin and the share of its pairs that are right. Without --data, and with --fast, on
synthetic phrases. `benchmarks.real.fit` fits the confidence.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.experiments.paper.pictures import COLOURS, make_axes, save_picture
from accord.experiments.synthesis.experiment import Experiment
from accord.runs.evaluation import ConfidenceBin, GoldLinks, bin_by_confidence
from accord.runs.folder import RunResults
from accord.runs.inputs import Inputs
from accord.runs.learn import learn
from accord.settings import Settings
from accord.system.arrays import Floats
from accord.system.runners.threads import Threads
from benchmarks.harness import (
    load_experiment,
    make_inputs,
    name_figure,
    parse_options,
    write_figures,
)

BINS = ("0–.1", ".1–.2", ".2–.3", ".3–.4", ".4–.5", ".5–.6", ".6–.7", ".7–.8", ".8–.9", ".9–1")


@dataclass(frozen=True)
class EvaluatedPairs:
    """Pairs with their confidences, and whether they are right."""

    confidences: Floats
    right: Floats

    @property
    def bins(self) -> list[ConfidenceBin]:
        return bin_by_confidence(self.confidences, self.right)

    @property
    def error(self) -> float:
        sizes, expected, actual = np.array(self.bins).T
        return float((sizes * np.abs(expected - actual)).sum() / max(sizes.sum(), 1))


def main(arguments: list[str] | None = None) -> None:
    options = parse_options(__doc__, arguments, add_flags)
    made = load_experiment(options)
    noises, seeds = ([1_500], [20, 100]) if options.fast else ([0, 20_000], [50, 1_000])
    sets = {
        (noise, size): evaluate(made, make_inputs(made, noise, size))
        for noise in noises
        for size in seeds
    }
    rows = [
        {
            "noise": noise,
            "seeds": size,
            "pairs": kind,
            "ece": evaluated.error,
            "bins": evaluated.bins,
        }
        for (noise, size), both in sets.items()
        for kind, evaluated in both.items()
    ]
    if options.figures:
        write_calibration_figures(options.figures, options.data, rows)
    if options.picture:
        name = options.picture.name.partition(".")[0]
        draw_bins(rows, f"{name}: confidence and share that is right", options.picture)
    if options.json:
        print(json.dumps(rows))
        return
    print("| noise | seeds | pairs | evaluated | ECE | right, by tenth of confidence |")
    print("|---|---|---|---|---|---|")
    for (noise, size), both in sets.items():
        for kind, evaluated in both.items():
            shares = " ".join(f"{actual:.2f}" if n else "–" for n, _, actual in evaluated.bins)
            cells = (
                f"{noise:,} | {size:,} | {kind} | {len(evaluated.right):,} | {evaluated.error:.3f}"
            )
            print(f"| {cells} | {shares} |")


def write_calibration_figures(path: Path, data: Path | None, rows: list[dict[str, Any]]) -> None:
    """Write the errors of all sets, and the bins of the last, which has most noise and seeds."""
    name = data.name if data else "synthetic"
    column, command = name_figure(name), "python -m benchmarks.calibration --data FOLDER"
    heads = {"pairs": "ECE", "noise": "noise", "seeds": "seeds", column: name}
    errors = {
        f"{row['pairs'].removesuffix('s')}_noise_{row['noise']}_seeds_{row['seeds']}": {
            "pairs": f"{row['pairs'].removesuffix('s')} pairs",
            "noise": f"{row['noise']:,}",
            "seeds": f"{row['seeds']:,}",
            column: f"{row['ece']:.3f}",
        }
        for row in rows
    }
    write_figures(path, "calibration_error", command, heads, errors)
    heads = {"pairs": "pairs"} | {f"from_{n}": name for n, name in enumerate(BINS)}
    shares = {
        f"{column}_{row['pairs']}": {"pairs": f"{name}, {row['pairs']}"}
        | {f"from_{n}": f"{part[2]:.2f}" for n, part in enumerate(row["bins"]) if part[0]}
        for row in rows[-2:]
    }
    write_figures(path, "calibration", command, heads, shares)


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--picture", type=Path, help="draw the bins into this file")


def draw_bins(rows: list[dict[str, Any]], title: str, path: Path) -> None:
    """Draw the share of right pairs over their confidence; calibrated ones are on the diagonal."""
    figure, axes = make_axes(7.0)
    axes.plot([0, 1], [0, 1], color="#999999", lw=1)
    for row in sorted(rows, key=lambda row: str(row["pairs"])):
        _, expected, actual = zip(*(tenth for tenth in row["bins"] if tenth[0]), strict=True)
        noisy = row["noise"] > 0
        axes.plot(
            expected,
            actual,
            color=COLOURS["inner" if noisy else "outer"],
            ls="-" if row["pairs"] == "phrases" else ":",
            marker="o" if row["seeds"] < 100 else "s",
            ms=4,
            label=f"{row['pairs']}, noise {row['noise']:,}, {row['seeds']:,} seeds",
        )
    axes.set_xlabel("mean confidence, by tenths")
    axes.set_ylabel("share that is right")
    save_picture(figure, axes, title, path)


def evaluate(made: Experiment, given: Inputs) -> dict[str, EvaluatedPairs]:
    """Evaluate a run that keeps all pairs, whatever their confidence."""
    settings = Settings(min_confidence=0.0)
    found = learn(given, settings, Threads())
    assert given.gold is not None
    agreed = found.trained.state.agreed
    gold = GoldLinks(given.gold, given.source, given.target)
    phrases = EvaluatedPairs(agreed.weights, gold.mark_right(agreed))
    return {"phrases": phrases, "words": evaluate_words(made, given, found)}


def evaluate_words(made: Experiment, given: Inputs, found: RunResults) -> EvaluatedPairs:
    """Evaluate the word pairs that have a word of the lexicon that is not in the seed."""
    pairs = set(made.seed) - set(given.seed.entries)
    seeded = {word for pair in given.seed.entries for word in pair}
    sources, targets = {e for e, _ in pairs} - seeded, {f for _, f in pairs} - seeded
    entries = [
        entry for entry in found.lexicon if entry.source in sources or entry.target in targets
    ]
    return EvaluatedPairs(
        np.array([entry.confidence for entry in entries], np.float64),
        np.array([entry[:2] in pairs for entry in entries], np.float64),
    )


if __name__ == "__main__":
    main()
