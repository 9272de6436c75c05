"""How commands print: results to standard output, messages to standard error."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table

from accord.errors import OutputError
from accord.system.writing import STANDARD_OUTPUT, check_absent, check_place

# The width of tables, in columns, where standard output is no terminal.
WIDTH = 120
# Below 0 with --quiet, above 0 with --verbose.
_verbosity = [0]


def set_verbosity(level: int) -> None:
    _verbosity[0] = level


def is_quiet() -> bool:
    return _verbosity[0] < 0


def is_verbose() -> bool:
    return _verbosity[0] > 0


def print_message(message: str) -> None:
    """Print a line that is no result."""
    if not is_quiet():
        print(message, file=sys.stderr, flush=True)


def warn(message: str) -> None:
    """Print a line that the user has to see, also with --quiet."""
    print(message, file=sys.stderr, flush=True)


def print_detail(message: str) -> None:
    """Print a line for --verbose only."""
    if is_verbose():
        print_message(message)


def print_answer(out: Path, summary: str, facts: dict[str, object] | None) -> None:
    """Print a line about a written file, or with --json the facts about it.

    If the file is standard output, the line goes to standard error.
    """
    text = summary if facts is None else json.dumps(facts | {"file": str(out)}, ensure_ascii=False)
    if str(out) == STANDARD_OUTPUT:
        print_message(text)
    elif facts is not None or not is_quiet():
        print(text)


def check_output(out: Path, inputs: Iterable[Path], *, force: bool) -> None:
    """Raise an error if the file cannot be written, is one of the inputs, or exists."""
    check_place(out)
    if str(out) != STANDARD_OUTPUT and any(path.resolve() == out.resolve() for path in inputs):
        raise OutputError(f"{out}: is also an input; choose another file")
    if not force:
        check_absent(out)


def make_table(*columns: str, title: str | None = None) -> Table:
    """Return a table without lines."""
    return Table(*columns, title=title, title_justify="left", box=None, pad_edge=False)


def print_table(table: RenderableType) -> None:
    """Print a table, or several side by side."""
    Console(width=None if sys.stdout.isatty() else WIDTH).print(table)


def format_number(value: float, decimals: int = 3) -> str:
    """Format a number: whole numbers without decimals, others with so many."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.{decimals}f}"
