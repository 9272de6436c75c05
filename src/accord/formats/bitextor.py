"""bitextor dictionaries: the language codes, then one pair of words per line, tab-separated."""

from collections.abc import Iterable
from pathlib import Path

from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import refuse_phrases, select_writable
from accord.system.columns import write_rows


def write_bitextor(path: Path, records: Iterable[Record], languages: LanguageCodes) -> LeftOut:
    """Write the codes and one line per pair of words."""
    left_out = LeftOut()
    words = select_writable(records, left_out, refuse_phrases)
    rows = (languages, *(record[:2] for record in words))
    write_rows(path, rows)
    return left_out
