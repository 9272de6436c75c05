"""The calibration of a run's confidence, measured on pairs that are known to be correct or wrong.

With gold pairs, these are all phrase pairs. Without them, these are the word pairs of held-out seed
words: such a pair is correct if it is in the seed, and wrong otherwise.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from accord.runs.evaluation import ConfidenceBin, bin_by_confidence, estimate_share_interval
from accord.system.arrays import Floats
from accord.web.report.charts import Tick
from accord.web.report.run import ReportedRun

SIZE, MARGIN, TOP, BELOW = 240, 56, 8, 46
WIDTH, HEIGHT = MARGIN + SIZE + 12, SIZE + BELOW
BINS = 20


class LabelledPairs(NamedTuple):
    """Pairs with their confidence, and whether they are correct."""

    what: str
    confidence: Floats
    right: Floats


class CalibrationPoint(NamedTuple):
    """The pairs of one bin of confidence: their mean, the share that is correct, its interval."""

    x: float
    y: float
    low: float
    high: float
    radius: float
    title: str


@dataclass(frozen=True)
class CalibrationPlot:
    """What the template draws; it has no points if no pair could be checked."""

    caption: str
    label: str
    points: list[CalibrationPoint]
    error: float  # ECE


class HistogramBar(NamedTuple):
    """The phrase pairs of one bin of confidence."""

    x: float
    y: float
    height: float
    title: str


@dataclass(frozen=True)
class Histogram:
    """What the template draws."""

    pairs: int
    label: str
    highest: int
    bars: list[HistogramBar]


class CalibrationFrame(NamedTuple):
    """The drawing area of both charts."""

    view_box: str
    left: float
    right: float
    top: float
    bottom: float
    bar_width: float
    x_ticks: list[Tick]
    y_ticks: list[Tick]


def draw_frame() -> CalibrationFrame:
    """Return the drawing area of the calibration plot and of the histogram."""
    ticks = (0, 0.25, 0.5, 0.75, 1)
    return CalibrationFrame(
        f"0 0 {WIDTH} {HEIGHT}",
        _x(0),
        _x(1),
        _y(1),
        _y(0),
        round(SIZE / BINS - 2, 1),
        [Tick(_x(tick), f"{tick:g}") for tick in ticks],
        [Tick(_y(tick), f"{tick:.0%}") for tick in ticks],
    )


def label_pairs(run: ReportedRun) -> LabelledPairs | None:
    """Return the pairs that are known to be correct or wrong; None if pairs have no confidence."""
    if not run.has_confidence:
        return None
    if run.gold:
        gold = set(run.gold.pairs)
        right = np.array([pair in gold for pair in run.pairs], np.float64)
        return LabelledPairs("phrase pairs, correct if they are gold pairs", run.scores, right)
    held_out = run.trained.held_out.entries
    words = {e for e, _ in held_out}
    own = [record for record in run.words if record.source in words]
    return LabelledPairs(
        "word pairs of held-out seed words, correct if they are in the seed",
        np.array([record.confidence for record in own], np.float64),
        np.array([record[:2] in held_out for record in own], np.float64),
    )


def plot_calibration(labelled: LabelledPairs) -> CalibrationPlot:
    """Plot the share of correct pairs against the confidence, in ten bins."""
    count = len(labelled.right)
    bins = [part for part in bin_by_confidence(labelled.confidence, labelled.right) if part.pairs]
    caption = f"{count:,} {labelled.what}"
    shares = "; ".join(
        f"at {part.confidence:.0%}, {part.precision:.0%} of {part.pairs:,} are correct"
        for part in bins
    )
    error = sum(part.pairs * abs(part.confidence - part.precision) for part in bins) / max(count, 1)
    label = f"Calibration of {caption}: {shares}"
    return CalibrationPlot(caption, label, [_make_point(part) for part in bins], error)


def count_confidences(run: ReportedRun) -> Histogram:
    """Count the phrase pairs by their confidence."""
    places = np.minimum((run.scores * BINS).astype(int), BINS - 1)
    counts = np.bincount(places, minlength=BINS).tolist()
    highest = max([*counts, 1])
    counted = [(n / BINS, (n + 1) / BINS, count) for n, count in enumerate(counts) if count]
    shares = "; ".join(f"from {low:.2f}: {count:,}" for low, _, count in counted)
    bars = [
        HistogramBar(
            round(_x(low) + 1, 1),
            _y(count / highest),
            round(_y(0) - _y(count / highest), 1),
            f"{low:.2f} to {high:.2f}: {count:,} phrase pairs",
        )
        for low, high, count in counted
    ]
    label = f"Phrase pairs by confidence: {shares or 'none'}"
    return Histogram(len(run.scores), label, highest, bars)


def _make_point(part: ConfidenceBin) -> CalibrationPoint:
    low, high = estimate_share_interval(part.precision, part.pairs)
    return CalibrationPoint(
        _x(part.confidence),
        _y(part.precision),
        _y(low),
        _y(high),
        round(2.5 + min(3.0, float(np.log10(part.pairs))), 1),
        f"{part.pairs:,} pairs at {part.confidence:.1%}: {part.precision:.1%} are correct",
    )


def _x(value: float) -> float:
    return round(MARGIN + SIZE * value, 1)


def _y(value: float) -> float:
    return round(TOP + SIZE * (1 - value), 1)
