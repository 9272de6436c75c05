"""MUSE dictionaries: `source target`, a pair of words a line, repeated for each translation.

MUSE and VecMap break off at a line of more than two words, so phrases do not go out. In what is
read, columns may have a tab between them, and then several words.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.errors import InputError
from accord.formats.lines import only_words, write_records
from accord.formats.records import Languages, LeftOut, Record
from accord.system.reading import place, read_lines


def write_muse(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    return write_records(
        path,
        records,
        lambda record: f"{record.source} {record.target}",
        only_words,
    )


def read_muse(path: Path) -> Iterator[Record]:
    for number, line in read_lines(path):
        if not line.strip():
            continue
        columns = line.split("\t") if "\t" in line else line.split()
        match [" ".join(column.split()) for column in columns]:
            case [source, target] if source and target:
                yield Record(source, target)
            case _:
                raise InputError(
                    f"{place(path, number)}: expected two words, or two columns with a tab between "
                    f"them, found {line[:60]!r}"
                )
