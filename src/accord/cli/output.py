"""What is printed: results to standard output, words about them to standard error."""

import sys

from rich.console import Console, RenderableType
from rich.table import Table

# The columns that tables may take where standard output is no terminal.
WIDTH = 120


def tell(words: str) -> None:
    """A line about what is done, which is no result."""
    print(words, file=sys.stderr)


def table(*columns: str, title: str | None = None) -> Table:
    """A table without lines."""
    return Table(*columns, title=title, title_justify="left", box=None, pad_edge=False)


def show(result: RenderableType) -> None:
    """A table, or several."""
    Console(width=None if sys.stdout.isatty() else WIDTH).print(result)


def number(value: float, decimals: int = 3) -> str:
    """Whole numbers as they are, others to so many decimals."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.{decimals}f}"
