"""Formats that are a line a pair: what a line can hold goes out, the rest is counted.

What parts words, columns and lines in these formats cannot stand in a word. What a run has learned
is parted by single spaces already; what comes from elsewhere need not be.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from accord.errors import OutputError
from accord.formats.records import LeftOut, Record
from accord.system.writing import STANDARD_OUTPUT, write_text

# Reasons, as they end the sentence "muse: 3 pairs left out: …".
NO_LINE = "they are not Unicode words with single spaces between them"
ONLY_WORDS = "it takes single words"
BYTE_ORDER_MARK = "\ufeff"


def cannot_be_held(record: Record) -> str:
    """Why no line of text can hold this pair; nothing if one can."""
    return "" if all(map(_is_held, record[:2])) else NO_LINE


def _is_held(phrase: str) -> bool:
    # A byte order mark at the beginning of a file is no part of a word to anybody who reads it;
    # and a lone surrogate cannot be written in UTF-8.
    return (
        phrase != ""
        and phrase == " ".join(phrase.split())
        and not phrase.startswith(BYTE_ORDER_MARK)
        and (phrase.isascii() or phrase.encode(errors="ignore").decode() == phrase)
    )


def only_words(record: Record) -> str:
    """Why a format of single words cannot hold this pair; nothing if it can."""
    return "" if record.is_of_words else ONLY_WORDS


def held(
    records: Iterable[Record], left_out: LeftOut, refusal: Callable[[Record], str]
) -> Iterator[Record]:
    """The pairs that a format can hold; for others `refusal` says why not."""
    for record in records:
        if reason := cannot_be_held(record) or refusal(record):
            left_out[reason] += 1
        else:
            yield record


def write_records(
    path: Path,
    records: Iterable[Record],
    line_of: Callable[[Record], str],
    refusal: Callable[[Record], str] = lambda _: "",
) -> LeftOut:
    """A line for each pair that can be held."""
    left_out = LeftOut()
    write_text(path, map(line_of, held(records, left_out, refusal)))
    return left_out


def beside(path: Path, ending: str) -> Path:
    """The name of a further file of an export: `table.gz` and `.ini` make `table.ini`, and an
    ending in .gz stays one where it is asked for."""
    if str(path) == STANDARD_OUTPUT:
        raise OutputError("standard output: the format leaves several files; name one with --out")
    return path.with_name(path.name.removesuffix(".gz") + ending)
