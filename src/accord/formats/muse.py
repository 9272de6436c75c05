"""MUSE dictionaries: `source target`, one pair of words per line; a word can have several lines.

MUSE and VecMap stop at a line with more than two words, so phrases are not written. In files that
are read, columns can be tab-separated, and then contain several words.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import refuse_phrases, write_record_lines
from accord.system.columns import read_rows


def write_muse(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one line per pair of words."""
    return write_record_lines(
        path, records, lambda record: f"{record.source} {record.target}", refuse_phrases
    )


def read_muse(path: Path) -> Iterator[Record]:
    """Read the pairs of a dictionary."""
    for row in read_rows(path):
        if not row.text.strip():
            continue
        match [" ".join(column.split()) for column in row.columns_or_words]:
            case [source, target] if source and target:
                yield Record(source, target)
            case _:
                raise row.error("two words or two tab-separated columns")
