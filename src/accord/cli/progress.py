"""Progress of long jobs: a line that moves on a terminal; elsewhere there is none."""

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

from accord.cli.output import print_message

if TYPE_CHECKING:
    from accord.runs.trace import TraceRow


def _make_progress(*columns: ProgressColumn) -> Progress:
    """Return a line on standard error that disappears when the job is done."""
    return Progress(
        *columns,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
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


@contextmanager
def show_iterations(
    count: int, phrases: int
) -> "Iterator[tuple[Callable[[float], None], Callable[[TraceRow], None]]]":
    """Yield two functions: to call with the number of phrases just searched, and after each
    iteration. An iteration searches `phrases` phrases."""
    with _make_progress(
        TextColumn("{task.fields[iteration]}/" + str(count)),
        BarColumn(bar_width=12),
        TextColumn("{task.completed:,.0f} searched{task.fields[state]}"),
        TimeRemainingColumn(compact=True),
    ) as bar:
        task = bar.add_task("", total=phrases * count, iteration=1, state="")

        def watch(row: "TraceRow") -> None:
            state = f" · {row['agreed_links']:,} links · ratio {row['agreement_ratio']:.2f}"
            done = phrases * row["iteration"]
            following = min(row["iteration"] + 1, count)
            bar.update(task, completed=done, iteration=following, state=state)

        yield lambda searched: bar.advance(task, searched), watch


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
