"""Progress of long jobs: a line that moves on a terminal; elsewhere a table, row by row."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from accord.cli.estimate import estimate_iterations, estimate_seconds, format_time_left
from accord.cli.output import is_quiet, is_verbose, print_message
from accord.cli.trace_lines import format_heading, format_row
from accord.settings import Settings

if TYPE_CHECKING:
    from accord.runs.trace import TraceRow


def _make_progress(*columns: ProgressColumn) -> Progress:
    """Return a line on standard error that disappears when the job is done."""
    return Progress(
        *columns,
        console=Console(stderr=True),
        disable=is_quiet() or not sys.stderr.isatty(),
        transient=True,
    )


@contextmanager
def show_steps() -> Iterator[Callable[[str], None]]:
    """Yield what to call at each step: it prints a message, and a clock below it."""
    with _make_progress(SpinnerColumn(), TimeElapsedColumn()) as clock:
        task = clock.add_task("", total=None)

        def begin(step: str) -> None:
            print_message(step)
            clock.reset(task)

        yield begin


@contextmanager
def show_current_step() -> Iterator[Callable[[str], None]]:
    """Yield what to call at each step: one line shows the current step and a clock."""
    with _make_progress(
        TextColumn("{task.description}"), SpinnerColumn(), TimeElapsedColumn()
    ) as line:
        task = line.add_task("", total=None)
        yield lambda step: line.update(task, description=step)


@contextmanager
def show_megabytes(activity: str) -> Iterator[Callable[[int], None]]:
    """Yield what to call with the number of bytes just read."""
    with _make_progress(
        TextColumn(activity),
        SpinnerColumn(),
        TextColumn("{task.fields[done]:,.1f} MB · {task.fields[speed]:,.1f} MB/s"),
        TimeElapsedColumn(),
    ) as line:
        task = line.add_task("", total=None, done=0.0, speed=0.0)
        begun, done = perf_counter(), 0.0

        def read(size: int) -> None:
            nonlocal done
            done += size / 1e6
            line.update(task, done=done, speed=done / (perf_counter() - begun))

        yield read


def has_line_per_iteration() -> bool:
    """Return whether the rows of the trace are printed during the run."""
    return is_verbose() or not sys.stderr.isatty()


@contextmanager
def show_iterations(
    settings: Settings, phrases: int
) -> "Iterator[tuple[Callable[[float], None], Callable[[TraceRow], None]]]":
    """Yield two functions: to call with the number of phrases just searched, and after each
    iteration. An iteration searches `phrases` phrases.

    Elsewhere than on a terminal, and with --verbose, each iteration prints its row of the trace.
    """
    trace: list[TraceRow] = []
    is_searching = False
    printed = 0
    with _make_progress(
        TextColumn("iteration {task.fields[iteration]}"),
        BarColumn(bar_width=12),
        TextColumn("{task.completed:,.0f} searched{task.fields[state]}"),
    ) as bar:
        task = bar.add_task("", total=None, iteration=1, state="")

        def count_searched(searched: float) -> None:
            nonlocal is_searching
            is_searching = True
            bar.advance(task, searched)

        def watch(row: "TraceRow") -> None:
            nonlocal printed
            trace.append(row)
            left = estimate_iterations(trace, settings)
            remaining = format_time_left(estimate_seconds(trace, settings))
            # The iterations before an interrupt are not searched again, but part of the table.
            if is_searching and has_line_per_iteration():
                if not printed:
                    print_message(format_heading(row))
                for earlier in trace[printed:-1]:
                    print_message(format_row(earlier))
                print_message(format_row(row, remaining))
                printed = len(trace)
            state = f" · {row['agreed_links']:,} agreed" + (f" · {remaining}" if remaining else "")
            following = row["iteration"] if left == 0 else row["iteration"] + 1
            total = None if left is None else phrases * (len(trace) + left)
            done = phrases * len(trace)
            # Iterations may be faster than the clock of the line, but each is shown.
            bar.update(
                task, completed=done, total=total, iteration=following, state=state, refresh=True
            )

        yield count_searched, watch


@contextmanager
def show_count(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield what to call with the number of items just done, of `total` in all."""
    with _make_progress(
        BarColumn(bar_width=12),
        TextColumn("{task.completed:,.0f} " + label),
        TimeRemainingColumn(compact=True),
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.advance(task, done)
