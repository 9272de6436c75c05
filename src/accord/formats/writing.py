"""Writing records: what a format cannot store is left out, and counted by reason.

Formats with one pair per line leave out pairs whose words would be read as separators of words,
columns or lines. The words of a run are separated by single spaces, but records from elsewhere may
contain anything. Other formats keep the pair and drop the characters that they cannot store.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import OutputError
from accord.formats.records import LeftOut, Record
from accord.system.writing import STANDARD_OUTPUT, write_text

# Reasons, which complete the sentence "muse: 3 pairs left out: …".
NOT_A_LINE = "they are not Unicode words with single spaces between them"
ONLY_WORDS = "the format holds only single words"
EMPTY = "they have no source or no target"
BYTE_ORDER_MARK = "\ufeff"

# Returns the reason why a format cannot store a record, or "" if it can.
Refusal = Callable[[Record], str]


class ForbiddenCharacters(NamedTuple):
    """Characters that a format cannot store, and the reason to report when they are dropped."""

    pattern: re.Pattern[str]
    reason: str


# These include tabs and line ends, which separate cells and rows.
CONTROLS = ForbiddenCharacters(
    re.compile("[\x00-\x1f\ud800-\udfff]"), "they are control characters"
)
# Python strings may contain lone surrogates, which no encoding can represent.
SURROGATES = ForbiddenCharacters(re.compile("[\ud800-\udfff]"), "Unicode does not allow them")
# All characters except those of XML 1.0.
NOT_XML = ForbiddenCharacters(
    re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"), "XML does not allow them"
)
# The reasons that count characters and not pairs.
CHARACTER_REASONS = tuple(forbidden.reason for forbidden in (CONTROLS, SURROGATES, NOT_XML))


def refuse_phrases(record: Record) -> str:
    """Refuse all but pairs of single words."""
    return "" if record.is_word_pair else ONLY_WORDS


def select_writable(
    records: Iterable[Record], left_out: LeftOut, refuse: Refusal = lambda _: ""
) -> Iterator[Record]:
    """Yield the records that fit on a line and are not refused, and count the others."""
    for record in records:
        if reason := _refuse_separators(record) or refuse(record):
            left_out[reason] += 1
        else:
            yield record


def _refuse_separators(record: Record) -> str:
    return "" if _fits_line(record.source) and _fits_line(record.target) else NOT_A_LINE


def _fits_line(phrase: str) -> bool:
    # Readers drop a byte order mark at the beginning of a file, and UTF-8 has no lone surrogates.
    return (
        phrase != ""
        and phrase == " ".join(phrase.split())
        and not phrase.startswith(BYTE_ORDER_MARK)
        and (phrase.isascii() or phrase.encode(errors="ignore").decode() == phrase)
    )


def write_record_lines(
    path: Path,
    records: Iterable[Record],
    format_line: Callable[[Record], str],
    refuse: Refusal = lambda _: "",
) -> LeftOut:
    """Write one line per record that the format can store."""
    left_out = LeftOut()
    write_text(path, map(format_line, select_writable(records, left_out, refuse)))
    return left_out


def drop_characters(
    records: Iterable[Record], forbidden: ForbiddenCharacters, left_out: LeftOut
) -> Iterator[Record]:
    """Yield the records without forbidden characters, and count the dropped characters.

    Forbidden white space becomes a space. Records with an empty side are left out.
    """
    for given in records:
        record = given
        if number := sum(len(forbidden.pattern.findall(side)) for side in given[:2]):
            left_out[forbidden.reason] += number
            record = _drop_from(given, forbidden.pattern)
        if record.source.strip() and record.target.strip():
            yield record
        else:
            left_out[EMPTY] += 1


def _drop_from(record: Record, forbidden: re.Pattern[str]) -> Record:
    sides = record.source, record.target
    kept = [forbidden.sub(lambda found: " " if found[0].isspace() else "", side) for side in sides]
    # If a whole word has gone, the links point to other words.
    same = all(len(a.split()) == len(b.split()) for a, b in zip(sides, kept, strict=True))
    alignment = record.alignment if same else ()
    return record._replace(source=kept[0], target=kept[1], alignment=alignment)


def name_extra_file(path: Path, ending: str) -> Path:
    """Return the name of another file of an export: `table.gz` and `.ini` give `table.ini`."""
    if str(path) == STANDARD_OUTPUT:
        raise OutputError("standard output: the format writes several files; name one with --out")
    return path.with_name(path.name.removesuffix(".gz") + ending)
