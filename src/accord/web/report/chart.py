"""A chart of lines as inline SVG, small enough to stand beside others."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from accord.web.html import Html, element, joined

WIDTH, HEIGHT = 320, 175
LEFT, RIGHT, TOP, BOTTOM = 44, 10, 10, 24


class Series(NamedTuple):
    """A line: its name, what it looks like (a class), and a value for each step; None is a gap."""

    name: str
    look: str
    values: Sequence[float | None]


def line_chart(
    title: str, series: Sequence[Series], *, share: bool = False, unit: str = ""
) -> Html:
    """Values over iterations, from zero up; shares up to one."""
    steps = max(len(line.values) for line in series)
    highest = max(
        [value for line in series for value in line.values if value is not None], default=0
    )
    marks = ticks(1.0 if share else highest)
    at = Frame(max(steps, 2), marks[-1])
    told = "; ".join(f"{line.name} {_ends(line, share=share, unit=unit)}" for line in series)
    drawing = element(
        "svg",
        *(_grid(at, mark, shown(mark, share=share)) for mark in marks),
        *(_step(at, step) for step in _labelled(steps)),
        *(_line(at, line, share=share, unit=unit) for line in series),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=f"{title}, by iteration: {told}",
    )
    legend = element(
        "ul",
        *(
            element(
                "li",
                element("span", class_=f"swatch {line.look}"),
                f"{line.name} ",
                element("b", _last(line, share=share, unit=unit)),
            )
            for line in series
        ),
        class_="legend",
    )
    return element("figure", element("figcaption", title), drawing, legend, class_="chart")


class Frame(NamedTuple):
    """Where values are in the drawing."""

    steps: int
    highest: float

    def x(self, step: float) -> float:
        """The middle of a step, from 1."""
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (step - 1) / (self.steps - 1), 1)

    def y(self, value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.highest, 1)


def ticks(highest: float) -> list[float]:
    """Four or five round values from zero to what is no less than the highest."""
    if highest <= 0:
        return [0.0, 1.0]
    power = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(power * n for n in (1, 2, 2.5, 5, 10) if power * n * 4 >= highest * (1 - 1e-9))
    return [step * n for n in range(math.ceil(highest / step - 1e-9) + 1)]


def shown(value: float, *, share: bool = False, unit: str = "") -> str:
    """A value as people write it."""
    if share:
        return f"{value:.0%}"
    number = f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"
    return f"{number}{unit}"


def _grid(at: Frame, mark: float, label: str) -> Html:
    y = at.y(mark)
    return joined(
        element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"),
        element("text", label, x=LEFT - 6, y=y + 3.5, class_="tick end"),
    )


def _step(at: Frame, step: int) -> Html:
    return element("text", step, x=at.x(step), y=HEIGHT - 6, class_="tick middle")


def _labelled(steps: int) -> list[int]:
    """Which iterations have a number under them: six at most, and the last."""
    every = max(1, math.ceil(steps / 6))
    return [*range(1, steps - every + 1, every), steps]


def _line(at: Frame, line: Series, *, share: bool, unit: str) -> Html:
    points = [(n, value) for n, value in enumerate(line.values, start=1) if value is not None]
    path = " ".join(f"{at.x(n)},{at.y(value)}" for n, value in points)
    dots = (
        element(
            "circle",
            element(
                "title", f"{line.name}, iteration {n}: {_exact(value, share=share, unit=unit)}"
            ),
            cx=at.x(n),
            cy=at.y(value),
            r=2.6,
        )
        for n, value in points
    )
    return element("g", element("polyline", points=path), *dots, class_=f"line {line.look}")


def _ends(line: Series, *, share: bool, unit: str) -> str:
    values = [_exact(value, share=share, unit=unit) for value in line.values if value is not None]
    return f"from {values[0]} to {values[-1]}" if values else "unknown"


def _last(line: Series, *, share: bool, unit: str) -> str:
    values = [value for value in line.values if value is not None]
    return _exact(values[-1], share=share, unit=unit) if values else "–"


def _exact(value: float, *, share: bool, unit: str) -> str:
    if share:
        return f"{value:.1%}"
    return f"{value:,}{unit}" if isinstance(value, int) else f"{value:,.2f}{unit}"
