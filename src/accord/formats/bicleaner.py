"""Probabilistic dictionaries of bicleaner, in gzip, a file each way; words only.

NAME.gz, for its flag -d, has `target source p(target|source)`; NAME.reverse.gz, for -D, has
`source target p(source|target)`. As bicleaner advises, a translation is left out whose probability
is less than a tenth of that of the word's best; it may still stand in the other file.
"""

from collections.abc import Iterable
from pathlib import Path

from accord.errors import OutputError
from accord.formats.lines import beside, held, only_words
from accord.formats.records import Languages, LeftOut, Record
from accord.system.writing import write_text

# What bicleaner itself passes over.
LEAST = 1e-7
SHARE_OF_BEST = 0.1
REVERSE = ".reverse.gz"

Row = tuple[str, str, float]  # the word that is given, its translation, its probability


def write_bicleaner(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    if path.suffix != ".gz":
        raise OutputError(f"{path}: bicleaner reads gzip only; let the name end with .gz")
    left_out = LeftOut()
    kept = [*held(records, left_out, _refusal)]
    there = pruned([(record.source, record.target, record.forward or 0.0) for record in kept])
    back = pruned([(record.target, record.source, record.backward or 0.0) for record in kept])
    write_text(path, map(_line, there))
    write_text(beside(path, REVERSE), map(_line, back))
    neither = len(kept) - len({row[:2] for row in there} | {(f, e) for e, f, _ in back})
    if neither:
        left_out["they are under a tenth of the best of their words, both ways"] = neither
    return left_out


def pruned(rows: list[Row]) -> list[Row]:
    """The rows that are no less than a tenth of the best of the same word."""
    best: dict[str, float] = {}
    for given, _, p in rows:
        best[given] = max(p, best.get(given, 0.0))
    return [row for row in rows if row[2] >= SHARE_OF_BEST * best[row[0]] and row[2] > LEAST]


def _refusal(record: Record) -> str:
    if record.forward is None or record.backward is None:
        return "their probabilities are not known"
    return only_words(record)


def _line(row: Row) -> str:
    given, translation, p = row
    return f"{translation} {given} {p:.7f}"
