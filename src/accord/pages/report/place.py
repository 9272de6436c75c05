"""Where a report may be written: nowhere that it would replace something else."""

from pathlib import Path

from accord.errors import OutputError
from accord.pages.html import GENERATOR
from accord.writing import STANDARD_OUTPUT

# The mark of a page stands in its head.
HEAD = 1_000


def check_place(out: Path) -> None:
    """What would else be found out only when the page is made, or destroy a file of another kind.
    An older page gives way."""
    if str(out) == STANDARD_OUTPUT:
        return
    if out.is_dir():
        raise OutputError(f"{out}: expected the name of a file, found a folder")
    if not out.parent.is_dir():
        raise OutputError(f"{out}: there is no folder {out.parent}")
    if out.is_file() and not _is_page(out):
        raise OutputError(f"{out}: exists, and is no report; choose another file with --out")


def _is_page(file: Path) -> bool:
    with file.open("rb") as stream:
        return GENERATOR.encode() in stream.read(HEAD)
