"""The paper's findings, with the figures for and against: its own, ours, ours on easier data."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from accord.experiments.paper import published, tables
from accord.experiments.paper.tables import Row
from accord.experiments.synthesis.experiment import Pairs

Figures = tuple[float, ...]  # F1 in percent of the four models, in the order of tables.MODELS


class Evidence(NamedTuple):
    """What one data set has to say; None where it has nothing."""

    rows: list[Figures]  # of all its tables
    few_seeds: Figures  # 50, with all noise
    many_seeds: Figures  # 1,000, with all noise
    all_seeds: Figures | None  # a full dictionary, with all noise
    quiet_few_seeds: Figures | None  # and the same without noise
    quiet_many_seeds: Figures
    quiet_all_seeds: Figures | None
    words: str  # how many distinct ones in the true pairs
    occurrences: str  # of each, on average


PAPER = Evidence(
    [*published.SEEDS.values(), *list(published.NOISE.values())[:-1]],
    published.SEEDS[50],
    published.SEEDS[1_000],
    None,
    None,
    published.NOISE[0, 0],
    None,
    "–",
    "–",
)


def evidence(
    gold: Pairs,
    seeds: list[Row],
    quiet: list[Row],
    ceiling: Sequence[Row] = (),
    more: Sequence[Row] = (),
) -> Evidence:
    """Of a data set of ours: its rows by seeds with and without noise, and of other tables."""
    seed_figures, quiet_figures, ceilings = _figures(seeds), _figures(quiet), _figures(ceiling)
    words = [
        [word for phrase in side for word in phrase.split()] for side in zip(*gold, strict=True)
    ]
    return Evidence(
        [*seed_figures, *quiet_figures, *_figures(more)],
        seed_figures[0],
        seed_figures[-1],
        ceilings[-1] if ceilings else None,
        quiet_figures[0],
        quiet_figures[-1],
        ceilings[0] if ceilings else None,
        " / ".join(f"{len(set(side)):,}" for side in words),
        " / ".join(f"{len(side) / len(set(side)):.1f}" for side in words),
    )


def findings_table(development: Evidence, frequent: Evidence) -> str:
    """A line a finding, a column a data set."""
    data = [PAPER, development, frequent]
    lines = [
        ("", ["the paper", "our sets", "frequent words only"]),
        ("---", ["---"] * 3),
        ("**Agreement helps**: rows with both kinds above both directions", map(_helps, data)),
        ("**Few seeds are enough**: 50 seeds, noise", (_percent(d.few_seeds) for d in data)),
        ("1,000 seeds, noise", (_percent(d.many_seeds) for d in data)),
        ("kept with 50 of 1,000", (_kept(d.few_seeds, d.many_seeds) for d in data)),
        ("50 seeds, no noise", (_percent(d.quiet_few_seeds) for d in data)),
        ("1,000 seeds, no noise", (_percent(d.quiet_many_seeds) for d in data)),
        ("kept with 50 of 1,000", (_kept(d.quiet_few_seeds, d.quiet_many_seeds) for d in data)),
        ("**Noise is borne**: kept", (_kept(d.many_seeds, d.quiet_many_seeds) for d in data)),
        ("**Inner is better**: rows with inner above outer", map(_inner, data)),
        ("*The data*: full dictionary, noise", (_percent(d.all_seeds) for d in data)),
        ("full dictionary, no noise", (_percent(d.quiet_all_seeds) for d in data)),
        ("distinct words in the true pairs", (d.words for d in data)),
        ("how often each occurs in them", (d.occurrences for d in data)),
    ]
    return "".join(_line(name, cells) for name, cells in lines)


def _figures(rows: Iterable[Row]) -> list[Figures]:
    return [tuple(100 * row.ours[model].f1 for model in tables.MODELS) for row in rows]


def _helps(data: Evidence) -> str:
    return f"{sum(min(row[2:]) > max(row[:2]) for row in data.rows)} of {len(data.rows)}"


def _inner(data: Evidence) -> str:
    return f"{sum(row[3] > row[2] for row in data.rows)} of {len(data.rows)}"


def _percent(figures: Figures | None) -> str:
    return _in_order(f"{value:.1f}" for value in figures) if figures else "–"


def _kept(part: Figures | None, whole: Figures) -> str:
    if not part:
        return "–"
    return _in_order(f"{100 * x / y:.0f}%" if y else "–" for x, y in zip(part, whole, strict=True))


def _in_order(cells: Iterable[str]) -> str:
    """Outer and inner, and in brackets the two directions alone."""
    forward, backward, outer, inner = cells
    return f"{outer}, {inner} ({forward}, {backward})"


def _line(name: str, cells: Iterable[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |\n"
