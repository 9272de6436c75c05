"""StarDict: NAME.ifo (what it is), NAME.idx (words) and NAME.dict (articles), these also in gzip.

The index has for each word its bytes, a zero, and where its article begins and how long it is
(32 or 64 bits and 32 bits, the high byte first). An article has fields, each of a type: a small
letter ends with a zero byte, a capital begins with its length. Where all articles have the same
types, .ifo names them, and the last field has neither. Text, HTML, Pango and XDXF are read;
sounds, pictures and pronunciations are passed over, and so is .syn, other forms of the words.
"""

import gzip
import html
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from accord.errors import InputError
from accord.formats.dictionaries.glosses import parts
from accord.system.reading import read_lines

FIRST_LINE = "StarDict's dict ifo file"
INFO = ".ifo"
SUFFIXES = (INFO, ".idx", ".idx.gz", ".dict", ".dict.dz")
PLAIN, MARKED_UP = "m", "ghx"
# Where markup begins a new line; other tags are taken off.
BREAK = re.compile(r"</?(?:br|p|div|ol|ul|li|tr|td|dt|dd|k|def|dtrn|blockquote)\b[^<>]*>", re.I)
TAG = re.compile("<[^<>]*>")


def stardict_base(path: Path) -> str | None:
    """The path of such a dictionary without a suffix, if the file is one of its own.

    Other dictionaries are called .dict as well.
    """
    for suffix in SUFFIXES:
        base = str(path).removesuffix(suffix)
        if base != str(path) and (suffix != ".dict" or Path(base + INFO).exists()):
            return base
    return None


def read_stardict(base: str) -> Iterator[tuple[str, str]]:
    """The words with each of the glosses of their articles."""
    about = _about(Path(base + INFO))
    index = _bytes_of(base, ".idx", ".idx.gz")
    articles = _bytes_of(base, ".dict", ".dict.dz")
    where = struct.Struct(">QI" if about.get("idxoffsetbits") == "64" else ">II")
    types = about.get("sametypesequence", "")
    begin = 0
    try:
        while begin < len(index):
            end = index.index(b"\0", begin)
            word = index[begin:end].decode()
            offset, size = where.unpack_from(index, end + 1)
            begin = end + 1 + where.size
            for line in _lines(_cut(articles, offset, size), types):
                if line.strip() != word:
                    yield from ((word, gloss) for gloss in parts(line))
    except (ValueError, struct.error) as problem:  # UnicodeDecodeError is a ValueError
        raise InputError(
            f"{base}{INFO}: no whole StarDict dictionary: broken at byte {begin:,} of its index: "
            f"{problem}"
        ) from None


def _about(path: Path) -> dict[str, str]:
    lines = [line for _, line in read_lines(path)]
    if not lines or lines[0].strip() != FIRST_LINE:
        raise InputError(f"{path}: expected a first line {FIRST_LINE!r}; is it StarDict?")
    pairs = (line.partition("=") for line in lines)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _bytes_of(base: str, plain: str, packed: str) -> bytes:
    for suffix in (plain, packed):
        path = Path(base + suffix)
        if path.exists():
            try:
                return path.read_bytes() if suffix == plain else gzip.decompress(path.read_bytes())
            except (OSError, EOFError, zlib.error) as problem:
                raise InputError(f"{path}: unreadable: {problem}") from None
    raise InputError(f"{base}{INFO}: expected {base}{plain} or {packed} beside it, found neither")


def _cut(articles: bytes, offset: int, size: int) -> bytes:
    if offset + size > len(articles):
        raise ValueError(f"an article ends at {offset + size:,} of {len(articles):,} bytes")
    return articles[offset : offset + size]


def _lines(article: bytes, types: str) -> Iterator[str]:
    for kind, field in _fields(article, types):
        if kind == PLAIN:
            yield from field.decode().splitlines()
        elif kind in MARKED_UP:
            text = html.unescape(TAG.sub("", BREAK.sub("\n", field.decode())))
            yield from text.splitlines()


def _fields(article: bytes, types: str) -> Iterator[tuple[str, bytes]]:
    begin = 0
    known = list(types)
    while begin < len(article):
        if types:
            kind = known.pop(0) if known else ""
        else:
            kind = chr(article[begin])
            begin += 1
        if types and not known:
            end = following = len(article)
        elif kind.isupper():
            begin, end = begin + 4, begin + 4 + struct.unpack_from(">I", article, begin)[0]
            following = end
        else:
            end = article.find(b"\0", begin)
            end = len(article) if end < 0 else end
            following = end + 1
        yield kind, article[begin:end]
        begin = following
