"""Calibration: does the confidence of pairs match the share that is right? Evaluated with gold.

    python -m benchmarks.calibration --data FOLDER [--suffix .xz] [--picture FILE.png]
                                     [--fit] [--fast] [--json] [--figures FILE]

Phrase pairs are evaluated by the gold pairs, word pairs by the dictionary of the experiment if it
contains one of the words: a translation that it lacks counts as wrong. The seed is left out. ECE is
the expected calibration error, over ten bins of equal width: the difference between the mean
confidence of a bin and the share of its pairs that are right. With --fit, the coefficients of
`accord.learning.confidence` are fitted on all sets of the folder, and printed. Without --data, and
with --fast, on synthetic phrases.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.evidence.prior import Prior
from accord.experiments.paper.pictures import COLOURS, make_axes, save_picture
from accord.experiments.synthesis.experiment import Experiment
from accord.learning.confidence import (
    WORD_COEFFICIENTS,
    compute_phrase_features,
    compute_word_features,
    predict_confidence,
)
from accord.learning.em import em_iterations, initial_state
from accord.learning.model.state import State
from accord.learning.model.translation import find_shared_entries
from accord.learning.posterior import find_posteriors, match_posteriors
from accord.learning.task import Task
from accord.runs.evaluation import ConfidenceBin, GoldLinks, bin_by_confidence
from accord.runs.inputs import Inputs
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
    """Pairs with their confidences, their features, and whether they are right."""

    confidences: Floats
    features: Floats
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
    if options.fit:
        for kind in ("phrases", "words"):
            coefficients = fit_coefficients([both[kind] for both in sets.values()])
            print(kind, np.round(coefficients, 3).tolist())
        return
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
    parser.add_argument("--fit", action="store_true", help="fit the coefficients, and print them")
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
    source, target = given.source, given.target
    settings = Settings(min_probability=0.0)
    runner = Threads()
    seed, _ = given.seed.split_held_out(settings.held_out)
    prior = Prior.of(seed, source, target, settings)
    task = Task(source, target, settings, runner)
    state = initial_state(task, prior)
    for following in em_iterations(task, prior, state):
        before, state = state, following
    assert given.gold is not None
    gold = GoldLinks(given.gold, source, target)
    found = find_posteriors(task, before.models)
    chosen = match_posteriors(found, settings.matching, settings)
    features = compute_phrase_features(task, before.models, found.pairs, found.log_qq, chosen)
    order = np.lexsort((found.pairs.source[chosen], found.pairs.target[chosen]))
    phrases = EvaluatedPairs(state.agreed.weights, features[order], gold.mark_right(state.agreed))

    return {"phrases": phrases, "words": evaluate_words(made, given, state)}


def evaluate_words(made: Experiment, given: Inputs, state: State) -> EvaluatedPairs:
    """Evaluate the word pairs that have a word of the lexicon that is not in the seed."""
    pairs = set(made.seed) - set(given.seed.entries)
    seeded = {word for pair in given.seed.entries for word in pair}
    sources, targets = {e for e, _ in pairs} - seeded, {f for _, f in pairs} - seeded
    entries = find_shared_entries(*state.translations)
    one, other = given.source.vocabulary.words, given.target.vocabulary.words
    named = [(one[e], other[f]) for e, f in zip(entries.e, entries.f, strict=True)]
    wanted = np.array([e in sources or f in targets for e, f in named])
    rarest = np.minimum(given.source.frequency[entries.e], given.target.frequency[entries.f])
    features = compute_word_features(entries.forward, entries.backward, entries.prior, rarest)
    return EvaluatedPairs(
        predict_confidence(features, WORD_COEFFICIENTS)[wanted],
        features[wanted],
        np.array([pair in pairs for pair in named], np.float64)[wanted],
    )


def fit_coefficients(evaluated: list[EvaluatedPairs]) -> Floats:
    """Fit a logistic regression by Newton's method; every set has the same weight."""
    features = np.concatenate([part.features for part in evaluated])
    right = np.concatenate([part.right for part in evaluated])
    weights = np.concatenate([np.full(len(part.right), 1 / len(part.right)) for part in evaluated])
    coefficients = np.zeros(features.shape[1])
    for _ in range(30):
        predicted = 1 / (1 + np.exp(-features @ coefficients))
        slopes = features.T @ (weights * (right - predicted))
        curvature = (features * (weights * predicted * (1 - predicted))[:, None]).T @ features
        coefficients += np.linalg.solve(curvature + 1e-9 * np.eye(len(slopes)), slopes)
    return coefficients


if __name__ == "__main__":
    main()
