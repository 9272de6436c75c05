"""hunalign's dictionaries: `target words @ source words`, the target first.

hunalign takes any token of one or two bytes that begins with @ for the sign between the two.
"""

from collections.abc import Iterable
from pathlib import Path

from accord.formats.lines import write_records
from accord.formats.records import Languages, LeftOut, Record

SIGN = "@"


def write_hunalign(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    return write_records(
        path, records, lambda record: f"{record.target} {SIGN} {record.source}", _refusal
    )


def _refusal(record: Record) -> str:
    if SIGN not in record.source and SIGN not in record.target:
        return ""
    words = f"{record.source} {record.target}".split(" ")
    signs = [word for word in words if word.startswith(SIGN) and len(word.encode()) <= 2]
    return "words such as @ are its sign between the two languages" if signs else ""
