"""Do the probabilities that pairs carry mean what they say? As far as the run can tell.

With gold, all phrase pairs are judged. Without it only the seed words that were held out can be:
a pair of such a word is right if it is one of the seed, and wrong if it is another.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.runs.evaluation import ConfidenceBin, bin_by_confidence, estimate_share_interval
from accord.web.html import Html, element, joined
from accord.web.report.run import Run

SIZE, MARGIN, BELOW = 240, 56, 46
Array = NDArray[np.float64]


class Judged(NamedTuple):
    """Pairs with their probabilities, and whether they are right."""

    what: str
    probabilities: Array
    right: Array


def judged(run: Run) -> Judged | None:
    """The pairs that can be judged; none where pairs have no probability."""
    if not run.contents.has_confidence:
        return None
    if run.gold:
        true = set(run.gold.pairs)
        right = np.array([pair in true for pair in run.pairs], np.float64)
        return Judged("phrase pairs, by gold", run.sureness, right)
    held_out = run.trained.held_out.entries
    words = {e for e, _ in held_out}
    own = [record for record in run.words if record.source in words]
    return Judged(
        "word pairs of seed words held out",
        np.array([record.confidence for record in own], np.float64),
        np.array([record[:2] in held_out for record in own], np.float64),
    )


def calibration(run: Run) -> Html:
    """What was judged, beside how many pairs say what."""
    found = judged(run)
    if found is None:
        agreement = run.trained.settings.agreement
        text = f"Pairs of a run with agreement {agreement} have no probability of being right."
        return element("p", text, class_="muted")
    return element("div", _plot(found), _histogram(run), class_="charts")


def _plot(found: Judged) -> Html:
    count = len(found.right)
    parts = [part for part in bin_by_confidence(found.probabilities, found.right) if part.pairs]
    text = f"{count:,} {found.what}"
    if not count:
        note = "None can be judged: no word held out has a translation in the lexicon."
        return element(
            "figure",
            element("figcaption", f"Judged: {text}"),
            element("p", note, class_="muted"),
            class_="chart",
        )
    error = sum(part.pairs * abs(part.confidence - part.precision) for part in parts) / count
    told = "; ".join(
        f"where they say {part.confidence:.0%}, {part.precision:.0%} of {part.pairs:,} are right"
        for part in parts
    )
    drawing = element(
        "svg",
        *_axes(),
        element("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), class_="diagonal"),
        *(_point(part) for part in parts),
        viewBox=f"0 0 {MARGIN + SIZE + 12} {SIZE + BELOW}",
        style="max-width: 380px",
        role="img",
        aria_label=f"Calibration of {text}: {told}",
    )
    note = (
        f"On the diagonal, they keep their word; bars are 95% intervals. "
        f"Mean distance (ECE) {error:.3f}."
    )
    return element(
        "figure",
        element("figcaption", f"Judged: {text}"),
        drawing,
        element("p", note, class_="muted"),
        class_="chart",
    )


def _point(part: ConfidenceBin) -> Html:
    low, high = estimate_share_interval(part.precision, part.pairs)
    x = _x(part.confidence)
    return element(
        "g",
        element(
            "title",
            f"{part.pairs:,} pairs say {part.confidence:.1%}: {part.precision:.1%} are right",
        ),
        element("line", x1=x, x2=x, y1=_y(low), y2=_y(high), class_="interval"),
        element(
            "circle", cx=x, cy=_y(part.precision), r=round(2.5 + min(3.0, np.log10(part.pairs)), 1)
        ),
        class_="line agreed",
    )


def _histogram(run: Run) -> Html:
    """How many phrase pairs say what of themselves."""
    sure = run.sureness
    counts = np.bincount(np.minimum((sure * 20).astype(int), 19), minlength=20).tolist()
    most = max([*counts, 1])
    bars = (
        element(
            "rect",
            element("title", f"{n / 20:.2f} to {(n + 1) / 20:.2f}: {count:,} phrase pairs"),
            x=round(_x(n / 20) + 1, 1),
            y=_y(count / most),
            width=round(SIZE / 20 - 2, 1),
            height=round(_y(0) - _y(count / most), 1),
            rx=1.5,
            class_="bar",
        )
        for n, count in enumerate(counts)
        if count
    )
    told = "; ".join(f"from {n / 20:.2f}: {count:,}" for n, count in enumerate(counts) if count)
    drawing = element(
        "svg",
        *(
            element("text", f"{mark:g}", x=_x(mark), y=_y(0) + 16, class_="tick middle")
            for mark in (0, 0.5, 1)
        ),
        element("text", "probability", x=_x(0.5), y=_y(0) + 32, class_="tick middle"),
        element("text", f"{most:,}", x=MARGIN - 6, y=_y(1) + 4, class_="tick end"),
        element("line", x1=_x(0), x2=_x(1), y1=_y(0), y2=_y(0), class_="grid"),
        *bars,
        viewBox=f"0 0 {MARGIN + SIZE + 12} {SIZE + BELOW}",
        style="max-width: 380px",
        role="img",
        aria_label=f"How many phrase pairs have which probability: {told or 'none'}",
    )
    text = f"{len(sure):,} phrase pairs, by their probability of being right"
    return element("figure", element("figcaption", text), drawing, class_="chart")


def _axes() -> list[Html]:
    marks = (0, 0.25, 0.5, 0.75, 1)
    return [
        *(
            joined(
                element("line", x1=_x(0), x2=_x(1), y1=_y(mark), y2=_y(mark), class_="grid"),
                element("text", f"{mark:.0%}", x=MARGIN - 6, y=_y(mark) + 4, class_="tick end"),
                element("text", f"{mark:g}", x=_x(mark), y=_y(0) + 16, class_="tick middle"),
            )
            for mark in marks
        ),
        element("text", "what they say", x=_x(0.5), y=_y(0) + 32, class_="tick middle"),
        element(
            "text",
            "share that is right",
            x=0,
            y=0,
            class_="tick middle",
            transform=f"translate(9 {_y(0.5)}) rotate(-90)",
        ),
    ]


def _x(value: float) -> float:
    return round(MARGIN + SIZE * value, 1)


def _y(value: float) -> float:
    return round(8 + SIZE * (1 - value), 1)
