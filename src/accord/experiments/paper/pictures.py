"""The paper's figures as pictures, in the colour-blind safe palette of Okabe and Ito."""

from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import AccordError
from accord.experiments.paper.tables import MODELS, PUBLISHED_AGREEMENT_RATIO, ResultRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {
    "forward": "#999999",
    "backward": "#000000",
    "outer": "#0072B2",
    "inner": "#D55E00",
    "posterior": "#009E73",
    "none": "#999999",
}
MARKERS = {"none": "v", "outer": "o", "inner": "s"}


def draw_bars(
    rows: list[ResultRow], names: dict[str, str], xlabel: str, title: str, path: Path
) -> None:
    """Draw F1 of the models per row, with intervals; the paper's figures as short lines."""
    figure, axes = make_axes(max(7.0, 1.2 * len(rows) + 2))
    width = 0.8 / len(MODELS)
    for number, model in enumerate(MODELS):
        at = [row + (number - (len(MODELS) - 1) / 2) * width for row in range(len(rows))]
        ours = [row.ours[model] for row in rows]
        errors = [[f.f1 - f.low for f in ours], [f.high - f.f1 for f in ours]]
        axes.bar(
            at,
            [f.f1 for f in ours],
            width,
            yerr=errors,
            color=COLOURS[model],
            label=names[model],
            error_kw={"elinewidth": 1, "ecolor": "#555555"},
        )
        for x, row in zip(at, rows, strict=True):
            if row.paper and number < len(row.paper):
                value = row.paper[number] / 100
                axes.plot([x - width / 2, x + width / 2], [value, value], color="#CC79A7", lw=2)
    if any(row.paper for row in rows):
        axes.plot([], [], color="#CC79A7", lw=2, label="paper, its own data")
    axes.set_xticks(range(len(rows)), [row.setting.replace(" + ", "\n+ ") for row in rows])
    axes.set_xlabel(xlabel)
    axes.set_ylabel("F1")
    axes.set_ylim(0, 1)
    save_picture(figure, axes, title, path)


def draw_ratios(ratios: dict[str, list[float]], title: str, path: Path) -> None:
    """Draw the agreement ratios over the iterations."""
    figure, axes = make_axes(7.0)
    names = {"none": "no agreement", "outer": "outer", "inner": "inner"}
    for method, values in ratios.items():
        iterations = range(1, len(values) + 1)
        axes.plot(
            iterations, values, color=COLOURS[method], marker=MARKERS[method], label=names[method]
        )
    axes.axhline(
        PUBLISHED_AGREEMENT_RATIO, color="#CC79A7", lw=1.5, ls="--", label="paper, with agreement"
    )
    axes.set_xticks(range(1, 1 + max(map(len, ratios.values()))))
    axes.set_xlabel("iteration")
    axes.set_ylabel("agreement ratio")
    axes.set_ylim(0, 1)
    save_picture(figure, axes, title, path)


def make_axes(width: float) -> "tuple[Figure, Axes]":
    """Return a figure and its axes in the style of all pictures."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise AccordError("pictures need Matplotlib: pip install 'accord[paper]'") from None
    figure = Figure(figsize=(width, 3.8), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def save_picture(figure: "Figure", axes: "Axes", title: str, path: Path) -> None:
    """Write the picture with its title and a legend beside it."""
    axes.set_title(title, loc="left", fontsize=11)
    figure.legend(loc="outside right upper", frameon=False, fontsize=9)
    # Without date and version, so that the same figures give the same file.
    figure.savefig(path, dpi=120, metadata={"Software": None})
