"""The trace of a run as a table of fixed width: it can be printed line by line during the run."""

from typing import TYPE_CHECKING

from accord.cli.output import format_number

if TYPE_CHECKING:
    from accord.runs.trace import TraceRow

# The columns of the trace that fit a terminal of 80 columns, with their widths.
WIDTHS = {
    "iteration": 4,
    "forward_links": 9,
    "backward_links": 9,
    "agreed_links": 9,
    "agreement_ratio": 7,
    "ties": 7,
    "changed": 7,
    "f1": 5,
    "seconds": 7,
}
SPACE = "  "


def format_heading(row: "TraceRow") -> str:
    """Return the headings of the columns that this row has."""
    from accord.runs.trace import HEADS

    heads = HEADS | {"iteration": "iter"}
    return SPACE.join(heads[key].rjust(width) for key, width in WIDTHS.items() if key in row)


def format_row(row: "TraceRow", remaining: str = "") -> str:
    """Return the line of an iteration; the time that remains is appended."""
    cells = (
        format_number(row[key], 1 if key == "seconds" else 3).rjust(width)
        for key, width in WIDTHS.items()
        if key in row
    )
    return SPACE.join([*cells, remaining] if remaining else cells)
