"""hunalign dictionaries: `target words @ source words`, the target first.

hunalign reads any token of one or two bytes that begins with @ as the separator.
"""

from collections.abc import Iterable
from pathlib import Path

from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import write_record_lines

SEPARATOR = "@"


def write_hunalign(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one line per pair."""
    return write_record_lines(
        path,
        records,
        lambda record: f"{record.target} {SEPARATOR} {record.source}",
        _refuse_at_signs,
    )


def _refuse_at_signs(record: Record) -> str:
    if SEPARATOR not in record.source and SEPARATOR not in record.target:
        return ""
    words = f"{record.source} {record.target}".split(" ")
    separators = [word for word in words if word.startswith(SEPARATOR) and len(word.encode()) <= 2]
    return "words such as @ separate the two languages" if separators else ""
