"""How commands print: results to standard output, messages to standard error."""

import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table

from accord.errors import OutputError
from accord.system.writing import STANDARD_OUTPUT, check_place

# The width of tables, in columns, where standard output is no terminal.
WIDTH = 120


def print_message(message: str) -> None:
    """Print a line that is no result."""
    print(message, file=sys.stderr)


def print_summary(out: Path, summary: str) -> None:
    """Print a line about a written file, to standard error if that file is standard output."""
    (print_message if str(out) == STANDARD_OUTPUT else print)(summary)


def check_output(out: Path, inputs: Iterable[Path]) -> None:
    """Raise an error if the file cannot be written, or is one of the inputs."""
    check_place(out)
    if str(out) != STANDARD_OUTPUT and any(path.resolve() == out.resolve() for path in inputs):
        raise OutputError(f"{out}: is also an input; choose another file")


def make_table(*columns: str, title: str | None = None) -> Table:
    """Return a table without lines."""
    return Table(*columns, title=title, title_justify="left", box=None, pad_edge=False)


def print_table(table: RenderableType) -> None:
    """Print a table, or several side by side."""
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def format_number(value: float, decimals: int = 3) -> str:
    """Format a number: whole numbers without decimals, others with so many."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.{decimals}f}"
