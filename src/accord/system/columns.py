"""Files with tab-separated columns: one reader, one writer, one form of error."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.system.reading import place, read_lines
from accord.system.writing import write_text

# Characters of a wrong line that the error shows.
SHOWN = 60


class Row(NamedTuple):
    """A line of a file with columns."""

    path: str | Path
    number: int  # from 1
    text: str

    @property
    def columns(self) -> list[str]:
        return self.text.split("\t")

    @property
    def columns_or_words(self) -> list[str]:
        """The columns; in a line without tabs, the words."""
        return self.columns if "\t" in self.text else self.text.split()

    def error(self, expected: str) -> InputError:
        """Return the error that this line is not what was expected."""
        where = place(self.path, self.number)
        return InputError(f"{where}: expected {expected}, found {self.text[:SHOWN]!r}")


def read_rows(path: str | Path) -> Iterator[Row]:
    """Yield all lines of a file, including empty ones."""
    for number, line in read_lines(path):
        yield Row(path, number, line)


def split_pair(row: Row, what: str) -> tuple[str, str]:
    """Return the two columns of a row, for instance sentences; none of them may be empty."""
    match row.columns:
        case [source, target] if source.strip() and target.strip():
            return source, target
        case _:
            raise row.error(f"two tab-separated {what}")


def write_rows(path: Path, rows: Iterable[Iterable[str]]) -> None:
    """Write lines of columns, which contain neither tabs nor line ends."""
    write_text(path, map("\t".join, rows))
