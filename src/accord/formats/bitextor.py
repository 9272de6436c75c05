"""bitextor's dictionaries: the codes of the languages, then pairs of words; a tab between."""

from collections.abc import Iterable
from pathlib import Path

from accord.formats.lines import held, only_words
from accord.formats.records import Languages, LeftOut, Record
from accord.system.writing import write_text


def write_bitextor(path: Path, records: Iterable[Record], languages: Languages) -> LeftOut:
    left_out = LeftOut()
    words = held(records, left_out, only_words)
    columns = (languages, *(record[:2] for record in words))
    write_text(path, map("\t".join, columns))
    return left_out
