"""What is printed: results to standard output, words about them to standard error."""

import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table

from accord.errors import OutputError
from accord.system.writing import STANDARD_OUTPUT, check_place

# The columns that tables may take where standard output is no terminal.
WIDTH = 120


def tell(words: str) -> None:
    """A line about what is done, which is no result."""
    print(words, file=sys.stderr)


def tell_of(out: Path, words: str) -> None:
    """A line about a file that is written; standard output has its content for itself."""
    (tell if str(out) == STANDARD_OUTPUT else print)(words)


def check_out(out: Path, text: Iterable[Path]) -> None:
    """A file can be there, and is none of those that are read."""
    check_place(out)
    if str(out) != STANDARD_OUTPUT and any(path.resolve() == out.resolve() for path in text):
        raise OutputError(f"{out}: is the text itself; choose another file")


def table(*columns: str, title: str | None = None) -> Table:
    """A table without lines."""
    return Table(*columns, title=title, title_justify="left", box=None, pad_edge=False)


def show(result: RenderableType) -> None:
    """A table, or several."""
    Console(width=None if sys.stdout.isatty() else WIDTH).print(result)


def number(value: float, decimals: int = 3) -> str:
    """Whole numbers as they are, others to so many decimals."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.{decimals}f}"
