"""The length model as heat maps: the length of a phrase, given that of its translation."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord.learning.model.lengths import LengthModel
from accord.web.report.charts import Tick
from accord.web.report.run import ReportedRun

CELL, MARGIN = 26, 30
# Longer phrases are rare, and their cells would be too small to see.
LONGEST = 10
# The least probability that is shown as a number, and the least for which the cell is dark.
LEAST_SHOWN, LEAST_DARK = 0.095, 0.55


class HeatCell(NamedTuple):
    """A cell of a heat map; `number` is empty where it is too small."""

    x: int
    y: int
    opacity: str
    title: str
    number: str
    is_dark: bool


@dataclass(frozen=True)
class HeatMap:
    """What the template draws."""

    title: str
    look: str
    label: str
    width: int
    height: int
    columns: list[Tick]
    rows: list[Tick]
    cells: list[HeatCell]
    cell_size: int
    margin: int
    longest: int | None  # None if no length was left out


def map_lengths(run: ReportedRun) -> list[HeatMap]:
    """Return the heat maps of both directions."""
    source, target = (
        language or side for language, side in zip(run.languages, ("source", "target"), strict=True)
    )
    forward = f"p(J|I): words in {target} (across), given those in {source} (down)"
    backward = f"p(I|J): words in {source} (across), given those in {target} (down)"
    state = run.trained.state
    return [
        _map_direction(state.forward.lengths, forward, "forward"),
        _map_direction(state.backward.lengths, backward, "backward"),
    ]


def _map_direction(lengths: LengthModel, title: str, look: str) -> HeatMap:
    p = np.exp(lengths.log_prob[1 : LONGEST + 1, 1 : LONGEST + 1])
    rows, columns = p.shape
    best = ((i + 1, int(row.argmax()) + 1, float(row.max())) for i, row in enumerate(p))
    modes = "; ".join(f"{i} words: most often {j}, {most:.0%}" for i, j, most in best)
    return HeatMap(
        title,
        look,
        f"{title}. {modes}",
        MARGIN + columns * CELL,
        MARGIN + rows * CELL,
        [Tick(MARGIN + j * CELL + CELL / 2, str(j + 1)) for j in range(columns)],
        [Tick(MARGIN + i * CELL + CELL / 2 + 4, str(i + 1)) for i in range(rows)],
        [_make_heat_cell(i, j, float(p[i, j])) for i in range(rows) for j in range(columns)],
        CELL,
        MARGIN,
        LONGEST if max(lengths.log_prob.shape) - 1 > LONGEST else None,
    )


def _make_heat_cell(i: int, j: int, p: float) -> HeatCell:
    return HeatCell(
        MARGIN + j * CELL,
        MARGIN + i * CELL,
        f"{max(p, 0.02):.2f}",
        f"{i + 1} → {j + 1} words: {p:.1%}",
        f"{p * 100:.0f}" if p >= LEAST_SHOWN else "",
        p > LEAST_DARK,
    )
