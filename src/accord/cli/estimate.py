"""How long a run will still take, by its convergence."""

from collections.abc import Sequence
from math import ceil, log
from statistics import median
from typing import TYPE_CHECKING

from accord.settings import Settings

if TYPE_CHECKING:
    from accord.runs.trace import TraceRow

# How many of the last iterations the estimate uses.
LAST = 3


def estimate_iterations(trace: "Sequence[TraceRow]", settings: Settings) -> int | None:
    """Return how many iterations are left, or None if it is too early to know.

    The share of changed links falls roughly geometrically: by the same factor in each iteration.
    """
    most = settings.iterations - len(trace)
    if not settings.tolerance:
        return most
    last = [row["changed"] for row in trace[-LAST:]]
    if last and last[-1] <= settings.tolerance:
        return 0
    if len(last) < LAST:
        return None
    factor = (last[-1] / last[0]) ** (1 / (LAST - 1))
    if factor >= 1:
        return most
    return min(most, ceil(log(settings.tolerance / last[-1]) / log(factor)))


def estimate_seconds(trace: "Sequence[TraceRow]", settings: Settings) -> float | None:
    """Return how many seconds are left, or None if it is too early to know."""
    iterations = estimate_iterations(trace, settings)
    last = trace[-LAST:]
    if iterations is None or not last:
        return None
    # The median, as the first iteration may include compilation.
    return iterations * float(median(row["seconds"] for row in last))


def format_time_left(seconds: float | None) -> str:
    """Return the time left in words, "" if it is not known."""
    if seconds is None:
        return ""
    if seconds == 0:
        return "finished"
    if seconds < 100:
        return f"about {max(seconds, 1):.0f} s left"
    minutes = seconds / 60
    return f"about {minutes:.0f} min left" if minutes < 100 else f"about {minutes / 60:.0f} h left"
