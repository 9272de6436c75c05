"""Training text for fast_align: `source ||| target`, one pair per line."""

from collections.abc import Iterable
from pathlib import Path

from accord.formats.moses import BETWEEN, SEPARATOR
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import write_record_lines


def write_fast_align(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one line per pair."""
    return write_record_lines(path, records, lambda record: BETWEEN.join(record[:2]), _refuse_bars)


def _refuse_bars(record: Record) -> str:
    words = f"{record.source} {record.target}".split(" ")
    return f"{SEPARATOR} separates the two languages" if SEPARATOR in words else ""
