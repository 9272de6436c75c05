"""The paper's tables and figures as rows: ours, with intervals, beside the paper's own."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from accord.learning import learn
from accord.paper import published
from accord.paper.runs import Figure, Runs
from accord.results import LexiconEntry, PhrasePair
from accord.settings import Settings
from accord.synthetic.experiment import Experiment

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
    noise = len(experiment.source_noise), len(experiment.target_noise)
    rows = [_row(experiment, runs, noise, seeds) for seeds in published.SEEDS]
    return [
        row._replace(setting=f"{seeds:,}", paper=paper)
        for row, (seeds, paper) in zip(rows, published.SEEDS.items(), strict=True)
    ]


def noise_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """Table 2: the effect of noise."""
    most = max(max(noise) for noise in published.NOISE)
    rows = []
    for noise, paper in published.NOISE.items():
        # The same shares of the noise there is.
        ours = tuple(
            len(side) * part // most
            for side, part in zip(
                (experiment.source_noise, experiment.target_noise), noise, strict=True
            )
        )
        row = _row(experiment, runs, (ours[0], ours[1]), 1_000)
        rows.append(row._replace(setting=f"{ours[0]:,} + {ours[1]:,}", paper=paper))
    return rows


def test_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """The figure with F1 on the test set."""
    noise = len(experiment.source_noise), len(experiment.target_noise)
    row = _row(experiment, runs, noise, 1_000)
    return [row._replace(setting=f"{noise[0]:,} + {noise[1]:,}")]


def ceiling_table(experiment: Experiment, runs: Runs) -> list[Row]:
    """What a full dictionary as seed reaches: how hard the data is for the model itself."""
    noises = (0, 0), (len(experiment.source_noise), len(experiment.target_noise))
    return [
        _row(experiment, runs, noise, ALL_SEEDS)._replace(
            setting=f"{noise[0]:,} + {noise[1]:,}, {len(experiment.seed):,} seeds"
        )
        for noise in noises
    ]


def _row(experiment: Experiment, runs: Runs, noise: tuple[int, int], seeds: int) -> Row:
    inputs = experiment.inputs(source_noise=noise[0], target_noise=noise[1], seeds=seeds)
    name = f"{noise[0]:,} + {noise[1]:,} noise, {min(seeds, len(experiment.seed)):,} seeds"
    return Row(name, runs.figures(name, inputs), None)


def ratios(experiment: Experiment, runs: Runs) -> dict[str, list[float]]:
    """The figure with agreement ratios, an iteration an entry."""
    noise = len(experiment.source_noise), len(experiment.target_noise)
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
    noise = len(experiment.source_noise), len(experiment.target_noise)
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


def as_markdown(rows: list[Row], first: str, source: str, target: str) -> str:
    """Our F1 in percent with its interval; the paper's beneath it where it has one."""
    heads = [first, f"{source}→{target}", f"{target}→{source}", "outer", "inner"]
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
