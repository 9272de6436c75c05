"""The paper's tables and figures as rows: ours, with intervals, beside the paper's own."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from accord.experiments.paper import published
from accord.experiments.paper.runs import Figure, Runs
from accord.experiments.synthesis.experiment import Experiment
from accord.runs.learn import learn
from accord.runs.results import LexiconEntry, PhrasePair
from accord.settings import Settings

MODELS = ("forward", "backward", "outer", "inner")
# Of all word pairs there are: what a full dictionary as seed can do.
ALL_SEEDS = 10**9


class Row(NamedTuple):
    """A line of a table: what was set, our figures, and the paper's in percent."""

    setting: str
    ours: dict[str, Figure]
    paper: published.Row | None


def seeds_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """Table 1: the effect of the size of the seed lexicon."""
    return [
        _row(experiment, runs, full_noise(experiment), seeds)._replace(
            setting=f"{seeds:,}", paper=paper
        )
        for seeds, paper in published.SEEDS.items()
    ]


def quiet_seeds_table(
    experiment: Experiment, runs: Runs, seeds: Iterable[int] = tuple(published.SEEDS)
) -> list[Row]:
    """The same without noise, which the paper does not show."""
    return [_row(experiment, runs, (0, 0), size)._replace(setting=f"{size:,}") for size in seeds]


def noise_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """Table 2: the effect of noise, as the same shares of the noise there is."""
    most = max(max(noise) for noise in published.NOISE)
    source, target = full_noise(experiment)
    rows = []
    for (e, f), paper in published.NOISE.items():
        noise = source * e // most, target * f // most
        rows.append(_row(experiment, runs, noise, 1_000)._replace(paper=paper))
    return rows


def test_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """The figure with F1 on the test set."""
    return [_row(experiment, runs, full_noise(experiment), 1_000)]


def ceiling_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """What a full dictionary as seed reaches: how hard the data is for the model itself."""
    return [_row(experiment, runs, noise, ALL_SEEDS) for noise in ((0, 0), full_noise(experiment))]


def full_noise(experiment: Experiment) -> tuple[int, int]:
    """All the noise there is."""
    return len(experiment.source_noise), len(experiment.target_noise)


def _row(experiment: Experiment, runs: Runs, noise: tuple[int, int], seeds: int) -> Row:
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=seeds)
    noises = f"{noise[0]:,} + {noise[1]:,}"
    name = f"{noises} noise, {min(seeds, len(experiment.seed)):,} seeds"
    return Row(noises, runs.figures(name, inputs), None)


def ratios(experiment: Experiment, runs: Runs) -> dict[str, list[float]]:
    """The figure with agreement ratios, an iteration an entry."""
    noise = full_noise(experiment)
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=1_000)
    name = f"{noise[0]:,} + {noise[1]:,} noise, 1,000 seeds"
    return {
        kind: [row["agreement_ratio"] for row in runs.trace(name, inputs, kind)]
        for kind in ("none", "outer", "inner")
    }


class Samples(NamedTuple):
    """Table 3: learned words and phrases, and which are true."""

    lexicon: list[LexiconEntry]
    phrases: list[tuple[PhrasePair, bool]]
    seed: frozenset[str]


def samples(experiment: Experiment, runs: Runs, count: int = 5) -> Samples:
    """Every so many of the learned new words and of the phrases by length: no choice by hand."""
    noise = full_noise(experiment)
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=1_000)
    runs.tell(f"{runs.pair}: samples, inner")
    learned = learn(inputs, Settings(agreement="inner"), runs.runner)
    seed = frozenset(word for entry in experiment.seed[:1_000] for word in entry)
    new = [entry for entry in learned.lexicon if not {entry.source, entry.target} & seed]
    gold = set(experiment.gold)
    phrases = [
        pair
        for length in range(1, count + 1)
        for pair in _spread([p for p in learned.phrases if len(p.source.split()) == length], 2)
    ]
    return Samples(
        _spread(new, 2 * count),
        [(pair, (pair.source, pair.target) in gold) for pair in phrases],
        seed,
    )


def _spread(items: list[Any], count: int) -> list[Any]:
    """So many items, evenly out of all."""
    return [items[k * len(items) // count] for k in range(min(count, len(items)))]


def as_markdown(rows: list[Row], heads: list[str]) -> str:
    """Our F1 in percent with its interval; the paper's beneath it where it has one."""
    lines = [_line(heads), _line(["---"] * len(heads))]
    for row in rows:
        lines.append(_line([row.setting, *(_percent(row.ours[model]) for model in MODELS)]))
        if row.paper:
            lines.append(_line(["*paper*", *(f"*{value:.1f}*" for value in row.paper)]))
    return "\n".join(lines) + "\n"


def as_csv(rows: list[Row]) -> list[str]:
    """A line a figure: setting, model, F1, low, high, paper's F1; fractions, not percent."""
    lines = ["setting,model,f1,low,high,paper_f1"]
    for row in rows:
        for number, model in enumerate(MODELS):
            paper = f"{row.paper[number] / 100:.3f}" if row.paper else ""
            figure = ",".join(f"{value:.4f}" for value in row.ours[model])
            lines.append(f'"{row.setting}",{model},{figure},{paper}')
    return lines


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(figure: Figure) -> str:
    return f"{100 * figure.f1:.1f} ({100 * figure.low:.1f}–{100 * figure.high:.1f})"
