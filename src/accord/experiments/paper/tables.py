"""The paper's tables and figures as rows: ours, with intervals, beside the paper's own.

The paper's numbers are F1 in percent for C→E, E→C, outer and inner (Liu et al., ACL 2016, Tables 1
and 2, on LDC Chinese-English). Its figures (agreement ratios, F1 on the test set) come without
numbers, except for "after 10 iterations, about 40%" for the ratios.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from accord.experiments.paper.cached_runs import CachedRuns, F1Figure
from accord.experiments.synthesis.experiment import Experiment
from accord.runs.learn import learn
from accord.runs.results import LexiconEntry, PhrasePair
from accord.settings import Settings

Item = TypeVar("Item")

# The models of the paper, in the order of its tables, and the default method.
PAPER_MODELS = ("forward", "backward", "outer", "inner")
MODELS = (*PAPER_MODELS, "posterior")
# More than there are word pairs: a full dictionary as seed.
ALL_SEEDS = 10**9

PublishedF1 = tuple[float, float, float, float]

PUBLISHED_BY_SEEDS: dict[int, PublishedF1] = {
    50: (4.1, 4.8, 60.8, 66.2),
    100: (5.1, 5.5, 65.6, 69.8),
    500: (7.5, 8.4, 70.4, 72.5),
    1_000: (22.4, 23.1, 73.6, 74.3),
}
# By Chinese and English noise.
PUBLISHED_BY_NOISE: dict[tuple[int, int], PublishedF1] = {
    (0, 0): (58.5, 61.2, 86.5, 86.1),
    (0, 10_000): (41.0, 54.4, 83.6, 83.8),
    (0, 20_000): (28.3, 48.3, 80.1, 81.2),
    (10_000, 0): (54.7, 43.1, 84.9, 84.3),
    (20_000, 0): (50.4, 31.4, 83.8, 83.6),
    (10_000, 10_000): (34.9, 34.4, 80.0, 79.7),
    (20_000, 20_000): (22.4, 23.1, 73.6, 74.3),
}
PUBLISHED_AGREEMENT_RATIO = 0.40


class ResultRow(NamedTuple):
    """A line of a table: the setting, our figures, and the paper's in percent."""

    setting: str
    ours: dict[str, F1Figure]
    paper: PublishedF1 | None


def tabulate_seeds(experiment: Experiment, runs: CachedRuns) -> list[ResultRow]:
    """Table 1: the effect of the size of the seed lexicon."""
    return [
        _run_row(experiment, runs, count_noise(experiment), seeds)._replace(
            setting=f"{seeds:,}", paper=paper
        )
        for seeds, paper in PUBLISHED_BY_SEEDS.items()
    ]


def tabulate_quiet_seeds(
    experiment: Experiment, runs: CachedRuns, seeds: Iterable[int] = tuple(PUBLISHED_BY_SEEDS)
) -> list[ResultRow]:
    """The same without noise, which the paper does not show."""
    return [
        _run_row(experiment, runs, (0, 0), size)._replace(setting=f"{size:,}") for size in seeds
    ]


def tabulate_noise(experiment: Experiment, runs: CachedRuns) -> list[ResultRow]:
    """Table 2: the effect of noise, in the same proportions of all noise as in the paper."""
    most = max(max(noise) for noise in PUBLISHED_BY_NOISE)
    source, target = count_noise(experiment)
    rows = []
    for (e, f), paper in PUBLISHED_BY_NOISE.items():
        noise = source * e // most, target * f // most
        rows.append(_run_row(experiment, runs, noise, 1_000)._replace(paper=paper))
    return rows


def tabulate_test_set(experiment: Experiment, runs: CachedRuns) -> list[ResultRow]:
    """The paper's figure with F1 on the test set."""
    return [_run_row(experiment, runs, count_noise(experiment), 1_000)]


def tabulate_ceiling(experiment: Experiment, runs: CachedRuns) -> list[ResultRow]:
    """What a full dictionary as seed reaches: how hard the data is for the model itself."""
    return [
        _run_row(experiment, runs, noise, ALL_SEEDS) for noise in ((0, 0), count_noise(experiment))
    ]


def count_noise(experiment: Experiment) -> tuple[int, int]:
    """Return the amounts of noise of an experiment, source and target."""
    return len(experiment.source_noise), len(experiment.target_noise)


def _run_row(
    experiment: Experiment, runs: CachedRuns, noise: tuple[int, int], seeds: int
) -> ResultRow:
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=seeds)
    noises = f"{noise[0]:,} + {noise[1]:,}"
    name = f"{noises} noise, {min(seeds, len(experiment.seed)):,} seeds"
    return ResultRow(noises, runs.figures(name, inputs), None)


def collect_ratios(experiment: Experiment, runs: CachedRuns) -> dict[str, list[float]]:
    """The paper's figure with agreement ratios, one entry per iteration."""
    noise = count_noise(experiment)
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=1_000)
    name = f"{noise[0]:,} + {noise[1]:,} noise, 1,000 seeds"
    return {
        method: [row["agreement_ratio"] for row in runs.trace(name, inputs, method)]
        for method in ("none", "outer", "inner")
    }


class Samples(NamedTuple):
    """Table 3: learned words and phrases, and which of them are in the gold pairs."""

    lexicon: list[LexiconEntry]
    phrases: list[tuple[PhrasePair, bool]]
    seed: frozenset[str]


def draw_samples(experiment: Experiment, runs: CachedRuns, count: int = 5) -> Samples:
    """Draw new words, and phrases of each length, at even steps: nothing is hand-picked."""
    noise = count_noise(experiment)
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=1_000)
    runs.report(f"{runs.pair}: samples, inner")
    learned = learn(inputs, Settings(agreement="inner"), runs.runner)
    seed = frozenset(word for entry in experiment.seed[:1_000] for word in entry)
    new = [entry for entry in learned.lexicon if not {entry.source, entry.target} & seed]
    gold = set(experiment.gold)
    phrases = [
        pair
        for length in range(1, count + 1)
        for pair in _sample([p for p in learned.phrases if len(p.source.split()) == length], 2)
    ]
    return Samples(
        _sample(new, 2 * count),
        [(pair, (pair.source, pair.target) in gold) for pair in phrases],
        seed,
    )


def _sample(items: Sequence[Item], count: int) -> list[Item]:
    """Return a number of items at even steps."""
    return [items[k * len(items) // count] for k in range(min(count, len(items)))]


def format_markdown(rows: list[ResultRow], heads: list[str]) -> str:
    """Format our F1 in percent with its interval, and the paper's below it if it has one."""
    lines = [format_row(heads), format_row(["---"] * len(heads))]
    for row in rows:
        lines.append(
            format_row([row.setting, *(_format_figure(row.ours[model]) for model in MODELS)])
        )
        if row.paper:
            lines.append(format_row(["*paper*", *(f"*{value:.1f}*" for value in row.paper), "–"]))
    return "\n".join(lines) + "\n"


def format_csv(rows: list[ResultRow]) -> list[str]:
    """Format one figure per line: setting, model, F1, low, high, paper's F1; as fractions."""
    lines = ["setting,model,f1,low,high,paper_f1"]
    for row in rows:
        published = dict(zip(PAPER_MODELS, row.paper or (), strict=False))
        for model in MODELS:
            paper = f"{published[model] / 100:.3f}" if model in published else ""
            figure = ",".join(f"{value:.4f}" for value in row.ours[model])
            lines.append(f'"{row.setting}",{model},{figure},{paper}')
    return lines


def format_row(cells: Iterable[str]) -> str:
    """Format a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def _format_figure(figure: F1Figure) -> str:
    return f"{100 * figure.f1:.1f} ({100 * figure.low:.1f}–{100 * figure.high:.1f})"
