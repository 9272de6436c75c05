"""Priors of eflomal: `LEX source target alpha`, with tabs; words only.

alpha is a number of times that the two words have been seen to be linked, before the text is read.
Here an entry counts as much as it is right and strong: its probability of being right times
√(p(target|source)·p(source|target)). So all that is known of a word counts about as much as
seeing it once, a thousand times as much as a pair of which eflomal knows nothing; text in which
the word occurs often overrules it.
"""

from collections.abc import Iterable
from math import sqrt
from pathlib import Path

from accord.formats.lines import only_words, write_records
from accord.formats.records import Languages, LeftOut, Record

NULL = "<NULL>"


def write_eflomal(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    return write_records(path, records, _line, _refusal)


def _refusal(record: Record) -> str:
    if NULL in record[:2]:
        return f"{NULL} is its name for the empty word"
    return only_words(record)


def _line(record: Record) -> str:
    # What is not known of a pair that comes from elsewhere is thought to be sure.
    forward, backward, confidence = (1.0 if p is None else p for p in record[2:5])
    alpha = confidence * sqrt(forward * backward)
    return f"LEX\t{record.source}\t{record.target}\t{alpha:.6g}"
