"""Charts of a run by iteration, or of two runs together, and the numbers behind them.

The geometry is computed here; the template `charts.html` draws it as inline SVG.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accord.runs.trace import HEADS
from accord.web.report.run import ReportedRun

WIDTH, HEIGHT = 320, 175
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 24


@dataclass(frozen=True)
class ValueFormat:
    """How the values of a chart are written."""

    is_share: bool = False
    unit: str = ""

    def format_tick(self, value: float) -> str:
        """Return the short form of a value."""
        if self.is_share:
            return f"{value:.0%}"
        return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"

    def format_exactly(self, value: float) -> str:
        if self.is_share:
            return f"{value:.1%}"
        return f"{value:,}{self.unit}" if isinstance(value, int) else f"{value:,.2f}{self.unit}"


NUMBER, SHARE = ValueFormat(), ValueFormat(is_share=True)


class Curve(NamedTuple):
    """A chart of the report: the keys of the trace that it shows, each with a name and a look."""

    title: str
    lines: tuple[tuple[str, str, str], ...]
    form: ValueFormat = NUMBER


CURVES = (
    Curve(
        "Agreement",
        (("agreement_ratio", "agreement ratio", "agreed"), ("changed", "links changed", "faint")),
        SHARE,
    ),
    Curve(
        "Links",
        (
            ("forward_links", "links →", "forward"),
            ("backward_links", "links ←", "backward"),
            ("agreed_links", "agreed", "agreed"),
        ),
    ),
    Curve("Lexicon", (("word_pairs", "word pairs", "agreed"),)),
    Curve(
        "F1, against gold pairs",
        (
            ("f1", "agreed", "agreed"),
            ("forward_f1", "→ alone", "forward"),
            ("backward_f1", "← alone", "backward"),
        ),
        SHARE,
    ),
    Curve("Time", (("seconds", "per iteration", "agreed"),), ValueFormat(unit=" s")),
)
# The keys of the trace that are compared between two runs, with the titles of their charts.
COMPARED = {
    "agreement_ratio": "Agreement ratio",
    "agreed_links": "Agreed links",
    "word_pairs": "Word pairs in the lexicon",
    "f1": "F1, against gold pairs",
    "seconds": "Time per iteration",
}
LOOKS = ("forward", "backward")


class Series(NamedTuple):
    """A line: its name, its look (a class), and one value per iteration; None is a gap."""

    name: str
    look: str
    values: Sequence[float | None]


class ChartPoint(NamedTuple):
    """A value in a drawing."""

    x: float
    y: float
    title: str


class ChartLine(NamedTuple):
    """A line in a drawing, and its last value for the legend."""

    name: str
    look: str
    points: list[ChartPoint]
    last: str


class Tick(NamedTuple):
    """A label on an axis."""

    position: float
    text: str


@dataclass(frozen=True)
class LineChart:
    """What the template draws."""

    title: str
    label: str
    width: int
    height: int
    left: int
    right: int
    values: list[Tick]
    iterations: list[Tick]
    lines: list[ChartLine]


def list_charts(run: ReportedRun) -> list[LineChart]:
    """Return a chart of each part of the trace, if the run has it."""
    kept = run.trace[-1] if run.trace else {}
    return [
        draw_chart(
            curve.title,
            [Series(name, look, _read_values(run, key)) for key, name, look in lines],
            curve.form,
        )
        for curve in CURVES
        if (lines := [line for line in curve.lines if line[0] in kept])
    ]


def compare_runs(runs: Sequence[ReportedRun], names: Sequence[str]) -> Iterator[LineChart]:
    """Return charts of two runs, with one line per run."""
    forms = {key: curve.form for curve in CURVES for key, _, _ in curve.lines}
    for key, title in COMPARED.items():
        series = [
            Series(name, look, _read_values(run, key))
            for run, name, look in zip(runs, names, LOOKS, strict=True)
        ]
        if any(value is not None for line in series for value in line.values):
            yield draw_chart(title, series, forms[key])


def tabulate_trace(run: ReportedRun) -> list[list[str]]:
    """Return the trace as a table, headings first."""
    names = HEADS | {"agreement_ratio": "agreement ratio"}
    keys = [key for key in names if run.trace and key in run.trace[-1]]
    heads = [names[key] for key in keys]
    return [heads, *([_format_number(row.get(key)) for key in keys] for row in run.trace)]


def draw_chart(
    title: str, series: Sequence[Series], form: ValueFormat = NUMBER, step: str = "iteration"
) -> LineChart:
    """Return a chart of values by iteration, or by another kind of step.

    Its axis begins at 0; for shares, it ends at 1.
    """
    steps = max(len(line.values) for line in series)
    values = [value for line in series for value in line.values if value is not None]
    ticks = choose_ticks(1.0 if form.is_share else max(values, default=0))
    last_step, highest = max(steps, 2), ticks[-1]

    def x(number: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (number - 1) / (last_step - 1), 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest, 1)

    def draw_line(line: Series) -> ChartLine:
        exact = [
            (number, value, form.format_exactly(value))
            for number, value in enumerate(line.values, start=1)
            if value is not None
        ]
        points = [
            ChartPoint(x(number), y(value), f"{line.name}, {step} {number}: {text}")
            for number, value, text in exact
        ]
        return ChartLine(line.name, line.look, points, exact[-1][2] if exact else "–")

    ranges = "; ".join(f"{line.name} {_describe_range(line, form)}" for line in series)
    return LineChart(
        title,
        f"{title}, by {step}: {ranges}",
        WIDTH,
        HEIGHT,
        LEFT,
        WIDTH - RIGHT,
        [Tick(y(tick), form.format_tick(tick)) for tick in ticks],
        [Tick(x(number), str(number)) for number in _choose_steps(steps)],
        [draw_line(line) for line in series],
    )


def choose_ticks(highest: float) -> list[float]:
    """Return up to five round values; the first is zero, the last is at least the highest."""
    if highest <= 0:
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(power * n for n in (1, 2, 2.5, 5, 10) if power * n * 4 >= highest * (1 - 1e-9))
    return [step * n for n in range(math.ceil(highest / step - 1e-9) + 1)]


def _choose_steps(steps: int) -> list[int]:
    """Return the iterations that are labelled: at most six, and the last one."""
    every = max(1, math.ceil(steps / 6))
    return [*range(1, steps - every + 1, every), steps]


def _describe_range(line: Series, form: ValueFormat) -> str:
    values = [form.format_exactly(value) for value in line.values if value is not None]
    return f"from {values[0]} to {values[-1]}" if values else "unknown"


def _read_values(run: ReportedRun, key: str) -> list[float | None]:
    return [row.get(key) for row in run.trace]


def _format_number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
