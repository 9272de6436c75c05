"""The length model as heat maps: how long a phrase is, given the length of its translation."""

import numpy as np

from accord.learning.model.lengths import LengthModel
from accord.web.html import Html, element, joined
from accord.web.report.run import Run

CELL, MARGIN = 26, 30
# Longer phrases are seldom, and their cells would be too small to see.
LONGEST = 10


def length_maps(run: Run) -> Html:
    """Of either direction."""
    source, target = (
        language or side for language, side in zip(run.languages, ("source", "target"), strict=True)
    )
    state = run.trained.state
    return element(
        "div",
        _map(
            state.forward.lengths,
            f"p(J|I): words in {target} (across), given those in {source} (down)",
            "forward",
        ),
        _map(
            state.backward.lengths,
            f"p(I|J): words in {source} (across), given those in {target} (down)",
            "backward",
        ),
        class_="charts",
    )


def _map(lengths: LengthModel, title: str, look: str) -> Html:
    p = np.exp(lengths.log_prob[1 : LONGEST + 1, 1 : LONGEST + 1])
    rows, columns = p.shape
    cells = (_cell(i, j, float(p[i, j])) for i in range(rows) for j in range(columns))
    width, height = MARGIN + columns * CELL, MARGIN + rows * CELL
    drawing = element(
        "svg",
        *(_label(MARGIN + j * CELL + CELL / 2, MARGIN - 8, j + 1) for j in range(columns)),
        *(_label(MARGIN - 12, MARGIN + i * CELL + CELL / 2 + 4, i + 1) for i in range(rows)),
        *cells,
        viewBox=f"0 0 {width} {height}",
        style=f"max-width: {1.3 * width:.0f}px",
        role="img",
        aria_label=f"{title}. {_told(p)}",
    )
    cut = max(lengths.log_prob.shape) - 1 > LONGEST
    note = f"Phrases of more than {LONGEST} words are left out." if cut else None
    return element(
        "figure",
        element("figcaption", title),
        drawing,
        element("p", note, class_="muted") if note else None,
        class_=f"chart heat {look}",
    )


def _cell(i: int, j: int, p: float) -> Html:
    x, y = MARGIN + j * CELL, MARGIN + i * CELL
    box = element(
        "rect",
        element("title", f"{i + 1} → {j + 1} words: {p:.1%}"),
        x=x + 1,
        y=y + 1,
        width=CELL - 2,
        height=CELL - 2,
        rx=3,
        fill_opacity=f"{max(p, 0.02):.2f}",
    )
    if p < 0.095:
        return box
    look = "value dark" if p > 0.55 else "value"
    return joined(
        box, element("text", f"{p * 100:.0f}", x=x + CELL / 2, y=y + CELL / 2 + 3.5, class_=look)
    )


def _label(x: float, y: float, number: int) -> Html:
    return element("text", number, x=x, y=y, class_="tick middle")


def _told(p: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> str:
    best = ((i + 1, int(row.argmax()) + 1, float(row.max())) for i, row in enumerate(p))
    return "; ".join(f"{i} words: most often {j}, {most:.0%}" for i, j, most in best)
