"""Moses: phrase tables, word lexica, extracted pairs, and the lines of moses.ini that name a table.

    source ||| target ||| φ(s|t) lex(s|t) φ(t|s) lex(t|s) ||| 0-0 1-1 ||| c(t) c(s) c(s,t) ||| |||

Lines are sorted by their bytes, as by `LC_ALL=C sort`; for UTF-8 this is the order of Python
strings. Words are escaped as by the tokeniser of Moses.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError, OutputError
from accord.formats.annotations import format_alignment, parse_alignment
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import name_extra_file, select_writable
from accord.system.reading import place, read_lines
from accord.system.writing import write_text

SEPARATOR = "|||"
BETWEEN = f" {SEPARATOR} "
ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
TO_ESCAPE = re.compile(r"[&|<>'\"\[\]]")
# &bar;, &bra; and &ket; come from older versions.
TO_UNESCAPE = re.compile("&(?:amp|#124|lt|gt|apos|quot|#91|#93|bar|bra|ket);")
UNESCAPES = {escape: letter for letter, escape in ESCAPES.items()} | {
    "&bar;": "|",
    "&bra;": "[",
    "&ket;": "]",
}
# In a lexicon, the partner of words without a translation.
NULL = "NULL"

# In moses.ini, white space separates settings and # begins a comment.
NOT_IN_PATH = re.compile(r"[\s#]")
TABLE_NAME, BACK_OFF_NAME = "TranslationModel0", "TranslationModel1"
# Smaller probabilities are written as 0 in a lexicon.
MIN_PROBABILITY = 0.5e-7


class TableRow(NamedTuple):
    """A line of a phrase table. Each of the two phrases has a count of 1."""

    source: str
    target: str
    scores: tuple[float, float, float, float]  # φ(s|t) lex(s|t) φ(t|s) lex(t|s)
    alignment: str = ""  # 0-0 1-2
    pair_count: float = 1.0  # c(s,t)


def escape_words(words: str) -> str:
    """Escape the characters that have a meaning in the files of Moses."""
    return TO_ESCAPE.sub(lambda found: ESCAPES[found[0]], words)


def unescape_words(words: str) -> str:
    """Return the original of escaped words."""
    return TO_UNESCAPE.sub(lambda found: UNESCAPES[found[0]], words)


def write_table(path: Path, rows: Iterable[TableRow]) -> None:
    """Write a phrase table."""
    lines = [*map(_format_table_row, rows)]
    lines.sort()
    write_text(path, lines)


def _format_table_row(row: TableRow) -> str:
    source, target, (backward, backward_lexical, forward, forward_lexical), alignment, count = row
    return (
        f"{escape_words(source)} ||| {escape_words(target)} ||| "
        f"{backward:.6g} {backward_lexical:.6g} {forward:.6g} {forward_lexical:.6g} ||| "
        f"{alignment} ||| 1 1 {count:.6g} ||| |||"
    )


def write_extract(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write pairs with their word alignment, which Moses can score (its `extract` file)."""
    left_out = LeftOut()
    lines = [
        BETWEEN.join(
            (
                escape_words(record.source),
                escape_words(record.target),
                format_alignment(record.alignment),
            )
        )
        for record in select_writable(records, left_out)
    ]
    lines.sort()
    write_text(path, lines)
    return left_out


def format_stanza(table: Path) -> list[str]:
    """Return the lines of moses.ini for a table, with the initial weights of Moses' training."""
    return ["[feature]", format_feature(table), "", "[weight]", f"{TABLE_NAME}= 0.2 0.2 0.2 0.2"]


def format_feature(table: Path, name: str = TABLE_NAME, scores: int = 4) -> str:
    """Return the line of moses.ini that names a table."""
    return (
        f"PhraseDictionaryMemory name={name} num-features={scores} {format_path(table)} "
        "input-factor=0 output-factor=0"
    )


def format_path(path: Path) -> str:
    """Return a path as moses.ini needs it."""
    whole = str(path.resolve())
    if found := NOT_IN_PATH.search(whole):
        raise OutputError(
            f"{path}: Moses cannot read the path {whole} in moses.ini, because it contains "
            f"{found[0]!r}; choose another"
        )
    return f"path={whole}"


def write_lexicon(path: Path, entries: Iterable[tuple[str, str, float]]) -> None:
    """Write a lexicon of (translation, given word, p(translation|given)).

    Words must be escaped or NULL, and probabilities at least `MIN_PROBABILITY`.
    """
    write_text(path, starmap("{} {} {:.7f}".format, entries))


def name_lexica(path: Path, name: str) -> tuple[Path, Path]:
    """Return the paths of the lexica of p(target|source) and of p(source|target)."""
    packed = ".gz" if path.suffix == ".gz" else ""
    return name_extra_file(path, f"{name}.f2e{packed}"), name_extra_file(
        path, f"{name}.e2f{packed}"
    )


def read_moses(path: Path) -> Iterator[Record]:
    """Read the pairs of any phrase table that Moses can read."""
    for number, line in read_lines(path):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split(SEPARATOR)]
        source, target = (
            " ".join(unescape_words(field).split()) for field in (*fields, "", "")[:2]
        )
        scores = _parse_floats(fields[2]) if len(fields) > 2 else None
        links = parse_alignment(fields[3]) if len(fields) > 3 else ()
        if not source or not target or scores is None or links is None:
            raise InputError(
                f"{place(path, number)}: expected a line of a Moses phrase table (source ||| "
                f"target ||| scores ||| 0-0 1-1), found {line[:60]!r}"
            )
        sizes = source.count(" "), target.count(" ")
        if any(i > sizes[0] or j > sizes[1] for i, j in links):
            raise InputError(
                f"{place(path, number)}: expected links between words of the phrases, from 0, "
                f"found {fields[3][:60]!r}"
            )
        backward, _, forward, *_ = scores if len(scores) >= 4 else [None] * 4
        yield Record(source, target, forward, backward, alignment=links)


def _parse_floats(field: str) -> list[float] | None:
    try:
        return [float(number) for number in field.split()]
    except ValueError:
        return None
