"""MUSE dictionaries: `source target`, one pair of words per line; a word can have several lines.

MUSE and VecMap stop at a line with more than two words, so phrases are not written. In files that
are read, columns can be tab-separated, and then contain several words.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.errors import InputError
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import refuse_phrases, write_record_lines
from accord.system.reading import place, read_lines


def write_muse(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one line per pair of words."""
    return write_record_lines(
        path, records, lambda record: f"{record.source} {record.target}", refuse_phrases
    )


def read_muse(path: Path) -> Iterator[Record]:
    """Read the pairs of a dictionary."""
    for number, line in read_lines(path):
        if not line.strip():
            continue
        columns = line.split("\t") if "\t" in line else line.split()
        match [" ".join(column.split()) for column in columns]:
            case [source, target] if source and target:
                yield Record(source, target)
            case _:
                raise InputError(
                    f"{place(path, number)}: expected two words or two tab-separated columns, "
                    f"found {line[:60]!r}"
                )
