"""How far a long job is: a line that moves on a terminal, and is not there elsewhere."""

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

from accord.cli.output import tell

if TYPE_CHECKING:
    from accord.runs.trace import TraceRow


def _line(*columns: ProgressColumn) -> Progress:
    """A line on standard error that leaves nothing behind."""
    return Progress(
        *columns,
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
        transient=True,
    )


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """What to call at each step of a long job: words that stay, and under them a clock."""
    with _line(SpinnerColumn(), TimeElapsedColumn()) as clock:
        task = clock.add_task("", total=None)

        def step(words: str) -> None:
            tell(words)
            clock.reset(task)

        yield step


@contextmanager
def doing() -> Iterator[Callable[[str], None]]:
    """What to call at each step of a job, one line for all: what is done, and a clock."""
    with _line(TextColumn("{task.description}"), SpinnerColumn(), TimeElapsedColumn()) as line:
        task = line.add_task("", total=None)
        yield lambda words: line.update(task, description=words)


@contextmanager
def megabytes(what: str) -> Iterator[Callable[[int], None]]:
    """What to call with the bytes that are done."""
    with _line(
        TextColumn(what),
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
def iterations(
    count: int, phrases: int
) -> "Iterator[tuple[Callable[[float], None], Callable[[TraceRow], None]]]":
    """What to call as phrases are searched, so many in an iteration, and after each iteration."""
    with _line(
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
def counted(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """What to call with how many more of so many things are done."""
    with _line(
        BarColumn(bar_width=12),
        TextColumn("{task.completed:,.0f} " + what),
        TimeRemainingColumn(compact=True),
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.advance(task, done)
