"""Moses: phrase tables, lexica of words, and the lines of moses.ini that name a table.

    source ||| target ||| φ(s|t) lex(s|t) φ(t|s) lex(t|s) ||| 0-0 1-1 ||| c(t) c(s) c(s,t) ||| |||

Tables are sorted by the bytes of their lines, as `LC_ALL=C sort` does, which for UTF-8 is the
order of Python's strings. Words are escaped as Moses's own tokeniser does.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import starmap
from pathlib import Path

from accord.errors import InputError, OutputError
from accord.formats.lines import beside
from accord.formats.records import Record
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
# &bar; and &bra; are of older versions.
TO_UNESCAPE = re.compile("&(?:amp|#124|lt|gt|apos|quot|#91|#93|bar|bra|ket);")
UNESCAPES = {escape: letter for letter, escape in ESCAPES.items()} | {
    "&bar;": "|",
    "&bra;": "[",
    "&ket;": "]",
}
# In a lexicon, what words that have no partner come from.
NULL = "NULL"
LINK = re.compile(r"(\d+)-(\d+)")
# In a moses.ini white space parts settings, and # begins a remark.
NO_PATH = re.compile(r"[\s#]")
TABLE_NAME = "TranslationModel0"


# What is less is 0 in a lexicon.
LEAST = 0.5e-7

# Source and target, φ and the lexical weight of the source, then of the target, the links 0-0 1-2,
# and the count of the pair; either phrase is counted once.
Row = tuple[str, str, float, float, float, float, str, float]


def escaped(words: str) -> str:
    return TO_ESCAPE.sub(lambda found: ESCAPES[found[0]], words)


def unescaped(words: str) -> str:
    return TO_UNESCAPE.sub(lambda found: UNESCAPES[found[0]], words)


def write_table(path: Path, rows: Iterable[Row]) -> None:
    lines = [*starmap(_table_line, rows)]
    lines.sort()
    write_text(path, lines)


def _table_line(
    source: str,
    target: str,
    backward: float,
    backward_lexical: float,
    forward: float,
    forward_lexical: float,
    alignment: str,
    count: float,
) -> str:
    return (
        f"{escaped(source)} ||| {escaped(target)} ||| "
        f"{backward:.6g} {backward_lexical:.6g} {forward:.6g} {forward_lexical:.6g} ||| "
        f"{alignment} ||| 1 1 {count:.6g} ||| |||"
    )


def stanza(table: Path) -> list[str]:
    """What a moses.ini needs to have for a table, the weights as Moses's own training sets them."""
    return ["[feature]", table_feature(table), "", "[weight]", f"{TABLE_NAME}= 0.2 0.2 0.2 0.2"]


def table_feature(table: Path) -> str:
    """The line of a moses.ini that names a table."""
    return (
        f"PhraseDictionaryMemory name={TABLE_NAME} num-features=4 {path_setting(table)} "
        "input-factor=0 output-factor=0"
    )


def path_setting(path: Path) -> str:
    """A file as a line of a moses.ini names it."""
    whole = str(path.resolve())
    if found := NO_PATH.search(whole):
        raise OutputError(
            f"{path}: Moses cannot read the path {whole} in a moses.ini, as it has {found[0]!r}; "
            "choose another"
        )
    return f"path={whole}"


def write_lex(path: Path, entries: Iterable[tuple[str, str, float]]) -> None:
    """A lexicon: the translation, the word that is given, p(translation|given). Words have been
    escaped, or are NULL, and probabilities are no less than `LEAST`."""
    write_text(path, starmap("{} {} {:.7f}".format, entries))


def lex_paths(path: Path, name: str) -> tuple[Path, Path]:
    """The names of the two lexica: of p(target|source), and of p(source|target)."""
    packed = ".gz" if path.suffix == ".gz" else ""
    return beside(path, f"{name}.f2e{packed}"), beside(path, f"{name}.e2f{packed}")


def read_moses(path: Path) -> Iterator[Record]:
    """The pairs of a phrase table, of any that Moses reads."""
    for number, line in read_lines(path):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split(SEPARATOR)]
        source, target = (" ".join(unescaped(field).split()) for field in (*fields, "", "")[:2])
        scores = _numbers(fields[2]) if len(fields) > 2 else None
        found = [LINK.fullmatch(link) for link in fields[3].split()] if len(fields) > 3 else []
        links = tuple((int(link[1]), int(link[2])) for link in found if link)
        if not source or not target or scores is None or not all(found):
            raise InputError(
                f"{place(path, number)}: expected a line of a Moses phrase table (source ||| "
                f"target ||| scores ||| 0-0 1-1), found {line[:60]!r}"
            )
        sizes = source.count(" "), target.count(" ")
        if any(i > sizes[0] or j > sizes[1] for i, j in links):
            raise InputError(
                f"{place(path, number)}: expected links between the words of its phrases, from 0, "
                f"found {fields[3][:60]!r}"
            )
        four = len(scores) >= 4
        yield Record(
            source,
            target,
            scores[2] if four else None,
            scores[0] if four else None,
            alignment=links,
        )


def _numbers(field: str) -> list[float] | None:
    try:
        return [float(number) for number in field.split()]
    except ValueError:
        return None
