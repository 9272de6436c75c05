"""CSV for spreadsheets: a header, a row a pair, in UTF-8 with a byte order mark, as Excel wants it.

A spreadsheet takes a cell that begins with = + - @, also full-width or after white space, for a
formula, which may read files or call programs. Such a cell gets an apostrophe before that
character, one more if it has some already; reading takes one off, so that every phrase comes back.
The same holds after a semicolon, at which Excel parts cells in many countries. Control characters,
with which a cell may begin as well, are left out.

Import finds the columns by the header, which is a first row with `source` and `target` or, in their
stead, the two languages as they were asked for; or with `status`, when the first two others are
source and target. Where there is no header, the first two columns are, and the third is the status
if it has nothing but `accepted`, `rejected` and empty cells.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from accord.errors import InputError
from accord.formats.annotations import NAMES, evidence, status_of, with_evidence
from accord.formats.concepts import Asked
from accord.formats.records import Languages, LeftOut, Record
from accord.formats.writable import CONTROLS, CONTROLS_ARE, writable
from accord.system.reading import open_bytes, place
from accord.system.writing import write_file

SIDES, STATUS = ("source", "target"), "status"
COLUMNS = ("kind", *SIDES, *NAMES)
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


def read_csv(path: str | Path, languages: Asked = (None, None)) -> Iterator[Record]:
    """The pairs of any such table, whatever parts its columns; empty cells stay empty."""
    rows = _rows(path)
    columns, headers = _columns(path, [row for _, row in rows], languages)
    for number, row in rows[headers:]:
        yield _record(path, number, dict(zip(columns, row, strict=False)))


def _rows(path: str | Path) -> list[tuple[int, list[str]]]:
    """The rows that have cells, with the lines on which they end."""
    text = _text(path)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        return [(rows.line_num, row) for row in rows if row]
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
    line = io.StringIO(text.lstrip("\r\n"), newline="").readline()
    return max(DELIMITERS, key=lambda delimiter: _cells(line, delimiter))


def _cells(line: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=delimiter)))
    except csv.Error:  # a cell that is too long, as it is parted by something else
        return 0


def _columns(
    path: str | Path, rows: list[list[str]], languages: Asked
) -> tuple[Sequence[str], int]:
    """The names of the columns, and how many rows are a header: one or none."""
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    asked = [(language or "").strip().lower() for language in languages]
    if all(language and language in header for language in asked):
        header = [SIDES[asked.index(name)] if name in asked else name for name in header]
    match [name for name in SIDES if name in header]:
        case [_, _]:
            return header, 1
        case [only]:
            raise InputError(
                f"{path}: expected the columns source and target, found only {only}; "
                "name both in the first row, or none"
            )
    if all(status_of(cell) is not None for row in rows for cell in row[2:3]):
        return (*SIDES, STATUS), 0
    others = [n for n, name in enumerate(header) if name != STATUS]
    if STATUS in header and len(others) > 1:
        header[others[0]], header[others[1]] = SIDES
        return header, 1
    return SIDES, 0


def _record(path: str | Path, line: int, cells: dict[str, str]) -> Record:
    if status_of(cells.get(STATUS, "")) is None:
        raise InputError(
            f"{place(path, line)}: expected the status accepted, rejected or none, "
            f"found {cells[STATUS][:60]!r}"
        )
    source, target = (unguarded(cells.get(side, "")) for side in SIDES)
    return with_evidence(source, target, cells)
