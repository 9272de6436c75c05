"""Phrase pairs as training text: `source ||| target`, as fast_align reads it, and with the word
alignment, as Moses scores it (extract).

Moses wants its lines sorted by their bytes, which for UTF-8 is the order of Python's strings.
"""

from collections.abc import Iterable
from pathlib import Path

from accord.formats.lines import held, write_records
from accord.formats.moses import BETWEEN, SEPARATOR, escaped
from accord.formats.records import Languages, LeftOut, Record
from accord.system.writing import write_text


def write_fast_align(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    return write_records(path, records, lambda record: BETWEEN.join(record[:2]), _refusal)


def write_extract(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    left_out = LeftOut()
    lines = [
        BETWEEN.join(
            (
                escaped(record.source),
                escaped(record.target),
                " ".join(f"{i}-{j}" for i, j in record.alignment),
            )
        )
        for record in held(records, left_out, lambda _: "")
    ]
    lines.sort()
    write_text(path, lines)
    return left_out


def _refusal(record: Record) -> str:
    words = f"{record.source} {record.target}".split(" ")
    return f"{SEPARATOR} is its sign between the two languages" if SEPARATOR in words else ""
