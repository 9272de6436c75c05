"""Do the probabilities that pairs carry mean what they say? Judged with gold.

    python -m benchmarks.calibration --data FOLDER [--suffix .xz] [--picture FILE.png]
                                     [--fit] [--fast] [--json]

For phrase pairs the judge is the gold, for word pairs the dictionary of the experiment, as far as
it has either word: a translation that it does not have counts as wrong. The seed is left out.
ECE is the expected calibration error, over ten bins of equal width: how far the mean probability
of a bin is from the share of its pairs that are right. With --fit, the coefficients of
`accord.learning.confidence` are fitted on all sets of the folder, and printed. Without --data, and
with --fast, on planted phrases.
"""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.evidence.prior import Prior
from accord.experiments.paper.pictures import COLOURS, blank, save
from accord.experiments.synthesis.experiment import Experiment
from accord.learning.confidence import compute_phrase_features, compute_word_features
from accord.learning.em import em_iterations, initial_state
from accord.learning.posterior import find_posteriors, match_posteriors
from accord.learning.task import Task
from accord.runs.evaluation import ConfidenceBin, GoldLinks, bin_by_confidence
from accord.runs.inputs import Inputs
from accord.runs.results import build_lexicon
from accord.settings import Settings
from accord.system.runners.threads import Threads
from benchmarks.setting import experiment, inputs, options_of

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """Pairs with their probabilities, what is known of them, and whether they are right."""

    probabilities: Array
    features: Array
    right: Array

    @property
    def bins(self) -> list[ConfidenceBin]:
        return bin_by_confidence(self.probabilities, self.right)

    @property
    def error(self) -> float:
        sizes, said, was = np.array(self.bins).T
        return float((sizes * np.abs(said - was)).sum() / max(sizes.sum(), 1))


def main(arguments: list[str] | None = None) -> None:
    options = options_of(__doc__, arguments, add_flags)
    made = experiment(options)
    noises, seeds = ([1_500], [20, 100]) if options.fast else ([0, 20_000], [50, 1_000])
    sets = {
        (noise, size): judge(made, inputs(made, noise, size)) for noise in noises for size in seeds
    }
    if options.fit:
        for kind in ("phrases", "words"):
            coefficients = fitted([both[kind] for both in sets.values()])
            print(kind, np.round(coefficients, 3).tolist())
        return
    rows = [
        {"noise": noise, "seeds": size, "pairs": kind, "ece": judged.error, "bins": judged.bins}
        for (noise, size), both in sets.items()
        for kind, judged in both.items()
    ]
    if options.picture:
        name = options.picture.name.partition(".")[0]
        picture(rows, f"{name}: what pairs say, and what they are", options.picture)
    if options.json:
        print(json.dumps(rows))
        return
    print("| noise | seeds | pairs | judged | ECE | right, by tenth of probability |")
    print("|---|---|---|---|---|---|")
    for (noise, size), both in sets.items():
        for kind, judged in both.items():
            shares = " ".join(f"{was:.2f}" if n else "–" for n, _, was in judged.bins)
            cells = f"{noise:,} | {size:,} | {kind} | {len(judged.right):,} | {judged.error:.3f}"
            print(f"| {cells} | {shares} |")


def add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fit", action="store_true", help="fit the coefficients, and print them")
    parser.add_argument("--picture", type=Path, help="draw the bins into this file")


def picture(rows: list[dict[str, Any]], title: str, path: Path) -> None:
    """The share of right pairs over their probability; on the diagonal, they keep their word."""
    figure, axes = blank(7.0)
    axes.plot([0, 1], [0, 1], color="#999999", lw=1)
    for row in sorted(rows, key=lambda row: str(row["pairs"])):
        _, said, was = zip(*(tenth for tenth in row["bins"] if tenth[0]), strict=True)
        noisy = row["noise"] > 0
        axes.plot(
            said,
            was,
            color=COLOURS["inner" if noisy else "outer"],
            ls="-" if row["pairs"] == "phrases" else ":",
            marker="o" if row["seeds"] < 100 else "s",
            ms=4,
            label=f"{row['pairs']}, noise {row['noise']:,}, {row['seeds']:,} seeds",
        )
    axes.set_xlabel("mean probability of being right, by tenths")
    axes.set_ylabel("share that is right")
    save(figure, axes, title, path)


def judge(made: Experiment, given: Inputs) -> dict[str, Judged]:
    """A run whose pairs are all kept, however improbable."""
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
    phrases = Judged(state.agreed.weights, features[order], gold.mark_right(state.agreed))

    entries = build_lexicon(given.to_trained(state, settings))
    pairs = set(made.seed) - set(given.seed.entries)
    seeded = {word for pair in given.seed.entries for word in pair}
    sources, targets = {e for e, _ in pairs} - seeded, {f for _, f in pairs} - seeded
    judged = [entry for entry in entries if entry.source in sources or entry.target in targets]
    forward, backward = (np.array([getattr(entry, way) for entry in judged]) for way in WAYS)
    support = np.array([common(given, entry.source, entry.target) for entry in judged])
    words = Judged(
        np.array([entry.confidence for entry in judged]),
        compute_word_features(forward, backward, support),
        np.array([(entry.source, entry.target) in pairs for entry in judged], np.float64),
    )
    return {"phrases": phrases, "words": words}


WAYS = ("forward", "backward")


def common(given: Inputs, e: str, f: str) -> int:
    """How many phrases the rarer word is in."""
    source, target = given.source, given.target
    return int(
        min(
            source.frequency[source.vocabulary.index[e]],
            target.frequency[target.vocabulary.index[f]],
        )
    )


def fitted(judged: list[Judged]) -> Array:
    """Logistic regression by Newton's method; every set counts the same."""
    features = np.concatenate([part.features for part in judged])
    right = np.concatenate([part.right for part in judged])
    weights = np.concatenate([np.full(len(part.right), 1 / len(part.right)) for part in judged])
    coefficients = np.zeros(features.shape[1])
    for _ in range(30):
        said = 1 / (1 + np.exp(-features @ coefficients))
        slopes = features.T @ (weights * (right - said))
        curvature = (features * (weights * said * (1 - said))[:, None]).T @ features
        coefficients += np.linalg.solve(curvature + 1e-9 * np.eye(len(slopes)), slopes)
    return coefficients


if __name__ == "__main__":
    main()
