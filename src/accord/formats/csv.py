"""CSV for spreadsheets: a header, a row a pair, in UTF-8 with a byte order mark, as Excel wants it.

A spreadsheet takes a cell that begins with = + - @, also full-width or after white space, for a
formula, which may read files or call programs. Such a cell gets an apostrophe before that
character, one more if it has some already; reading takes one off, so that every phrase comes back.
The same holds after a semicolon, at which Excel parts cells in many countries. Control characters,
with which a cell may begin as well, are left out.

Import finds the columns `source`, `target` and `status` by the header, or takes the first two.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from accord.errors import InputError
from accord.formats.evidence import NAMES, evidence, status_of, with_evidence
from accord.formats.records import Languages, LeftOut, Record
from accord.formats.writable import CONTROLS, CONTROLS_ARE, writable
from accord.reading import open_bytes, place
from accord.writing import write_file

COLUMNS = ("kind", "source", "target", *NAMES)
DELIMITERS = ",;\t"
BEGINNING, FORMULA = r"""((?:^|;)[\s"']*)""", r"(?=[=+\-@＝＋－＠])"
UNGUARDED = re.compile(BEGINNING + FORMULA)
GUARDED = re.compile(f"{BEGINNING}'{FORMULA}")


def guarded(cell: str) -> str:
    """The cell as no spreadsheet takes it for a formula."""
    return UNGUARDED.sub(r"\1'", cell)


def unguarded(cell: str) -> str:
    """The cell as it was."""
    return GUARDED.sub(r"\1", cell)


def kind_of(record: Record) -> str:
    return "word" if record.is_of_words else "phrase"


def write_csv(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    """A row a pair; the table does not say the languages."""
    left_out = LeftOut()

    def write(stream: IO[bytes]) -> None:
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        rows = csv.writer(text)
        rows.writerow(COLUMNS)
        for record in writable(records, CONTROLS, CONTROLS_ARE, left_out):
            told = evidence(record)
            cells = (guarded(record.source), guarded(record.target))
            rows.writerow([kind_of(record), *cells, *(told.get(name, "") for name in NAMES)])
        text.detach()  # flushes, and leaves the stream open

    write_file(path, write)
    return left_out


def read_csv(path: str | Path) -> Iterator[Record]:
    """The pairs of any such table, whatever parts its columns; empty cells stay empty."""
    text = _text(path)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        first = next(rows, [])
        header = [cell.strip().lower() for cell in first]
        columns = _columns(path, header)
        if columns is None:
            yield _record(path, rows.line_num, dict(zip(("source", "target"), first, strict=False)))
            columns = ("source", "target")
        for row in rows:
            if row:
                yield _record(path, rows.line_num, dict(zip(columns, row, strict=False)))
    except csv.Error as error:
        raise InputError(f"{place(path, rows.line_num)}: no CSV: {error}") from None


def _text(path: str | Path) -> str:
    with open_bytes(path) as stream:
        content = stream.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = 1 + content.count(b"\n", 0, error.start)
        raise InputError(
            f"{place(path, number)}: expected UTF-8, found the byte "
            f"0x{content[error.start]:02x}; save the table as CSV in UTF-8"
        ) from None


def _delimiter(text: str) -> str:
    """What parts the first line into the most cells."""
    line = text.partition("\n")[0]
    return max(DELIMITERS, key=lambda delimiter: len(next(csv.reader([line], delimiter=delimiter))))


def _columns(path: str | Path, header: list[str]) -> tuple[str, ...] | None:
    """The names in the header, if it is one."""
    match [name for name in ("source", "target") if name in header]:
        case []:
            return None
        case [only]:
            raise InputError(
                f"{path}: expected the columns source and target, found only {only}; "
                "name both in the first row, or none"
            )
        case _:
            return tuple(header)


def _record(path: str | Path, line: int, cells: dict[str, str]) -> Record:
    if status_of(cells.get("status", "")) is None:
        raise InputError(
            f"{place(path, line)}: expected the status accepted, rejected or none, "
            f"found {cells['status'][:60]!r}"
        )
    source, target = (unguarded(cells.get(side, "")) for side in ("source", "target"))
    return with_evidence(source, target, cells)
