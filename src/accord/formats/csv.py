"""CSV for spreadsheets: a header and one row per pair, in UTF-8 with a byte order mark for Excel.

A spreadsheet reads a cell that begins with = + - @, also full-width or after white space, as a
formula, which can read files or call programs. Such a cell is guarded by an additional apostrophe
before that character. Reading removes one apostrophe, so that every phrase stays the same. The same
applies after a semicolon, which separates cells for Excel in many countries. Control characters,
with which a cell can begin as well, are left out.

Import finds the columns by the header: a first row with `source` and `target`, or with the two
requested languages instead, or with `status`, in which case the first two other columns are source
and target. Without a header, these are the first two columns, and the third is the status if all of
its cells are `accepted`, `rejected` or empty.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from accord.errors import InputError
from accord.formats.annotations import NAMES, annotate, parse_record, parse_status
from accord.formats.records import LanguageCodes, LeftOut, Record, RequestedLanguages
from accord.formats.writing import CONTROLS, drop_characters
from accord.system.reading import open_bytes, place
from accord.system.writing import write_file

SIDES, STATUS = ("source", "target"), "status"
COLUMNS = ("kind", *SIDES, *NAMES)
DELIMITERS = ",;\t"
BEGINNING, FORMULA = r"""((?:^|;)[\s"']*)""", r"(?=[=+\-@＝＋－＠])"
UNGUARDED = re.compile(BEGINNING + FORMULA)
GUARDED = re.compile(f"{BEGINNING}'{FORMULA}")


def guard_cell(cell: str) -> str:
    """Return the cell with apostrophes that keep spreadsheets from reading it as a formula."""
    return UNGUARDED.sub(r"\1'", cell)


def unguard_cell(cell: str) -> str:
    """Return the original of a guarded cell."""
    return GUARDED.sub(r"\1", cell)


def write_csv(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one row per pair. The languages are not stored."""
    left_out = LeftOut()

    def write(stream: IO[bytes]) -> None:
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        rows = csv.writer(text)
        rows.writerow(COLUMNS)
        for record in drop_characters(records, CONTROLS, left_out):
            annotations = annotate(record)
            cells = (guard_cell(record.source), guard_cell(record.target))
            rows.writerow([record.kind, *cells, *(annotations.get(name, "") for name in NAMES)])
        text.detach()  # flushes, and leaves the stream open

    write_file(path, write)
    return left_out


def read_csv(path: str | Path, languages: RequestedLanguages = (None, None)) -> Iterator[Record]:
    """Read the pairs of a table, whatever separates its columns; empty cells stay empty."""
    rows = _read_rows(path)
    columns, headers = _name_columns(path, [row for _, row in rows], languages)
    for number, row in rows[headers:]:
        yield _parse_cells(path, number, dict(zip(columns, row, strict=False)))


def _read_rows(path: str | Path) -> list[tuple[int, list[str]]]:
    """Return the rows that are not empty, with the numbers of the lines on which they end."""
    text = _decode_table(path)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_find_delimiter(text), strict=True)
    try:
        return [(rows.line_num, row) for row in rows if row]
    except csv.Error as error:
        raise InputError(f"{place(path, rows.line_num)}: invalid CSV: {error}") from None


def _decode_table(path: str | Path) -> str:
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


def _find_delimiter(text: str) -> str:
    """Return the delimiter that splits the first line into the most cells."""
    line = io.StringIO(text.lstrip("\r\n"), newline="").readline()
    return max(DELIMITERS, key=lambda delimiter: _count_cells(line, delimiter))


def _count_cells(line: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=delimiter)))
    except csv.Error:  # a cell is too long, so the delimiter is another one
        return 0


def _name_columns(
    path: str | Path, rows: list[list[str]], languages: RequestedLanguages
) -> tuple[Sequence[str], int]:
    """Return the names of the columns, and the number of header rows: one or none."""
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    requested = [(language or "").strip().lower() for language in languages]
    if all(language and language in header for language in requested):
        header = [SIDES[requested.index(name)] if name in requested else name for name in header]
    match [name for name in SIDES if name in header]:
        case [_, _]:
            return header, 1
        case [only]:
            raise InputError(
                f"{path}: expected the columns source and target, found only {only}; "
                "name both in the first row, or none"
            )
    if all(parse_status(cell) is not None for row in rows for cell in row[2:3]):
        return (*SIDES, STATUS), 0
    others = [n for n, name in enumerate(header) if name != STATUS]
    if STATUS in header and len(others) > 1:
        header[others[0]], header[others[1]] = SIDES
        return header, 1
    return SIDES, 0


def _parse_cells(path: str | Path, line: int, cells: dict[str, str]) -> Record:
    if parse_status(cells.get(STATUS, "")) is None:
        raise InputError(
            f"{place(path, line)}: expected the status accepted, rejected or none, "
            f"found {cells[STATUS][:60]!r}"
        )
    source, target = (unguard_cell(cells.get(side, "")) for side in SIDES)
    return parse_record(source, target, cells)
