"""Where a report may be written: nowhere that it would replace something else."""

from pathlib import Path

from accord.errors import OutputError
from accord.system.writing import STANDARD_OUTPUT, check_place
from accord.web.html import GENERATOR

# The mark of a page stands in its head.
HEAD = 1_000


def check_page_place(out: Path) -> None:
    """What would else be found out only when the page is made, or destroy a file of another kind.
    An older page gives way."""
    check_place(out)
    if str(out) != STANDARD_OUTPUT and out.is_file() and not _is_page(out):
        raise OutputError(f"{out}: exists, and is no report; choose another file with --out")


def _is_page(file: Path) -> bool:
    with file.open("rb") as stream:
        return GENERATOR.encode() in stream.read(HEAD)
