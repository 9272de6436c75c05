"""The paper's findings, with the figures for and against: its own, ours, ours on easier data."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from accord.experiments.paper.tables import (
    PAPER_MODELS,
    PUBLISHED_BY_NOISE,
    PUBLISHED_BY_SEEDS,
    ResultRow,
    format_row,
)
from accord.experiments.synthesis.experiment import TextPairs

Figures = tuple[float, ...]  # F1 in percent of the four models, in the order of PAPER_MODELS


class DataSetFigures(NamedTuple):
    """The figures of one data set; None for what was not measured."""

    rows: list[Figures]  # of all tables
    few_seeds: Figures  # 50, with all noise
    many_seeds: Figures  # 1,000, with all noise
    all_seeds: Figures | None  # a full dictionary, with all noise
    quiet_few_seeds: Figures | None  # the same without noise
    quiet_many_seeds: Figures
    quiet_all_seeds: Figures | None
    words: str  # the number of distinct words in the gold pairs
    occurrences: str  # of each word, on average


PAPER = DataSetFigures(
    [*PUBLISHED_BY_SEEDS.values(), *list(PUBLISHED_BY_NOISE.values())[:-1]],
    PUBLISHED_BY_SEEDS[50],
    PUBLISHED_BY_SEEDS[1_000],
    None,
    None,
    PUBLISHED_BY_NOISE[0, 0],
    None,
    "–",
    "–",
)


def collect_figures(
    gold: TextPairs,
    seeds: list[ResultRow],
    quiet: list[ResultRow],
    ceiling: Sequence[ResultRow] = (),
    more: Sequence[ResultRow] = (),
) -> DataSetFigures:
    """Collect the figures of a data set: rows by seeds with and without noise, and other rows."""
    seed_figures, quiet_figures, ceilings = (
        _percentages(seeds),
        _percentages(quiet),
        _percentages(ceiling),
    )
    words = [
        [word for phrase in side for word in phrase.split()] for side in zip(*gold, strict=True)
    ]
    return DataSetFigures(
        [*seed_figures, *quiet_figures, *_percentages(more)],
        seed_figures[0],
        seed_figures[-1],
        ceilings[-1] if ceilings else None,
        quiet_figures[0],
        quiet_figures[-1],
        ceilings[0] if ceilings else None,
        " / ".join(f"{len(set(side)):,}" for side in words),
        " / ".join(f"{len(side) / len(set(side)):.1f}" for side in words),
    )


def format_findings(development: DataSetFigures, frequent: DataSetFigures) -> str:
    """Format one line per finding and one column per data set."""
    data = [PAPER, development, frequent]
    lines = [
        ("", ["the paper", "our sets", "frequent words only"]),
        ("---", ["---"] * 3),
        (
            "**Agreement helps**: rows with both methods above both directions",
            map(_count_agreement_wins, data),
        ),
        ("**Few seeds are enough**: 50 seeds, noise", (_format_figures(d.few_seeds) for d in data)),
        ("1,000 seeds, noise", (_format_figures(d.many_seeds) for d in data)),
        ("kept with 50 of 1,000", (_format_kept(d.few_seeds, d.many_seeds) for d in data)),
        ("50 seeds, no noise", (_format_figures(d.quiet_few_seeds) for d in data)),
        ("1,000 seeds, no noise", (_format_figures(d.quiet_many_seeds) for d in data)),
        (
            "kept with 50 of 1,000",
            (_format_kept(d.quiet_few_seeds, d.quiet_many_seeds) for d in data),
        ),
        (
            "**Robust to noise**: kept",
            (_format_kept(d.many_seeds, d.quiet_many_seeds) for d in data),
        ),
        ("**Inner is better**: rows with inner above outer", map(_count_inner_wins, data)),
        ("*The data*: full dictionary, noise", (_format_figures(d.all_seeds) for d in data)),
        ("full dictionary, no noise", (_format_figures(d.quiet_all_seeds) for d in data)),
        ("distinct words in the gold pairs", (d.words for d in data)),
        ("mean occurrences of each", (d.occurrences for d in data)),
    ]
    return "".join(f"{format_row([name, *cells])}\n" for name, cells in lines)


def _percentages(rows: Iterable[ResultRow]) -> list[Figures]:
    return [tuple(100 * row.ours[model].f1 for model in PAPER_MODELS) for row in rows]


def _count_agreement_wins(data: DataSetFigures) -> str:
    return f"{sum(min(row[2:]) > max(row[:2]) for row in data.rows)} of {len(data.rows)}"


def _count_inner_wins(data: DataSetFigures) -> str:
    return f"{sum(row[3] > row[2] for row in data.rows)} of {len(data.rows)}"


def _format_figures(figures: Figures | None) -> str:
    return _join_figures(f"{value:.1f}" for value in figures) if figures else "–"


def _format_kept(part: Figures | None, whole: Figures) -> str:
    if not part:
        return "–"
    return _join_figures(
        f"{100 * x / y:.0f}%" if y else "–" for x, y in zip(part, whole, strict=True)
    )


def _join_figures(cells: Iterable[str]) -> str:
    """Join outer and inner, and in brackets the two directions alone."""
    forward, backward, outer, inner = cells
    return f"{outer}, {inner} ({forward}, {backward})"
