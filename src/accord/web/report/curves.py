"""Curves by iteration, of one run or of two together; and the numbers behind them."""

from collections.abc import Sequence
from typing import NamedTuple

from accord.runs.trace import HEADS
from accord.web.html import Html, element, scrollable
from accord.web.report.chart import Series, line_chart
from accord.web.report.run import Run


class Curve(NamedTuple):
    """A chart: the keys of the trace that it shows, with a name and a look for each."""

    title: str
    lines: tuple[tuple[str, str, str], ...]
    share: bool = False
    unit: str = ""


CURVES = (
    Curve(
        "Agreement",
        (("agreement_ratio", "agreement ratio", "agreed"), ("changed", "links changed", "faint")),
        share=True,
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
        "F1, by gold",
        (
            ("f1", "agreed", "agreed"),
            ("forward_f1", "→ alone", "forward"),
            ("backward_f1", "← alone", "backward"),
        ),
        share=True,
    ),
    Curve("Time", (("seconds", "seconds", "agreed"),), unit=" s"),
)
# Of two runs, what each chart shows of either.
BOTH = ("agreement_ratio", "agreed_links", "word_pairs", "f1", "seconds")
LOOKS = ("forward", "backward")


def curves(run: Run) -> Html:
    """All charts for which the run has kept something."""
    if not run.trace:
        return element("p", "The run has left no trace of its iterations.", class_="muted")
    charts = [
        line_chart(
            curve.title,
            [Series(name, look, _values(run, key)) for key, name, look in lines],
            share=curve.share,
            unit=curve.unit,
        )
        for curve in CURVES
        if (lines := [line for line in curve.lines if line[0] in run.trace[-1]])
    ]
    return element("div", *charts, class_="charts")


def curves_together(runs: Sequence[Run], names: Sequence[str]) -> Html:
    """The same of two runs, a line for each."""
    titles = {
        key: (f"{curve.title}: {name}", curve) for curve in CURVES for key, name, _ in curve.lines
    }
    charts = []
    for key in BOTH:
        title, curve = titles[key]
        series = [
            Series(name, look, _values(run, key))
            for run, name, look in zip(runs, names, LOOKS, strict=True)
        ]
        if any(value is not None for line in series for value in line.values):
            charts.append(line_chart(title, series, share=curve.share, unit=curve.unit))
    return element("div", *charts, class_="charts")


def trace_table(run: Run) -> Html:
    """Every number, for whoever cannot see the curves or wants to know better."""
    keys = [key for key in HEADS if run.trace and key in run.trace[-1]]
    head = element("tr", *(element("th", HEADS[key], scope="col", class_="number") for key in keys))
    rows = (
        element("tr", *(element("td", _shown(row.get(key)), class_="number") for key in keys))
        for row in run.trace
    )
    table = element("table", element("thead", head), element("tbody", *rows))
    shown = scrollable(table, "The numbers of each iteration")
    return element("details", element("summary", "The numbers"), shown)


def _values(run: Run, key: str) -> list[float | None]:
    return [row.get(key) for row in run.trace]


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
