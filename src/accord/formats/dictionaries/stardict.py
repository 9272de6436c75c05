"""StarDict: NAME.ifo (metadata), NAME.idx (words) and NAME.dict (articles), plain or gzipped.

For each word, the index has its bytes, a zero byte, and the offset and size of its article (32 or
64 bits and 32 bits, big-endian). An article has fields, each with a type: if this is a lower-case
letter, the field ends with a zero byte, if a capital, it begins with its length. If all articles
have the same types, .ifo lists them, and the last field has neither. Text, HTML, Pango and XDXF are
read. Sounds, pictures and pronunciations are ignored, and so is .syn (morphological variants).
"""

import gzip
import html
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from accord.errors import InputError
from accord.formats.dictionaries.glosses import split_glosses
from accord.system.reading import read_lines

FIRST_LINE = "StarDict's dict ifo file"
INFO = ".ifo"
SUFFIXES = (INFO, ".idx", ".idx.gz", ".dict", ".dict.dz")
PLAIN, MARKED_UP = "m", "ghx"
# Tags that begin a new line; other tags are removed.
BREAK = re.compile(r"</?(?:br|p|div|ol|ul|li|tr|td|dt|dd|k|def|dtrn|blockquote)\b[^<>]*>", re.I)
TAG = re.compile("<[^<>]*>")


def find_stardict(path: Path) -> str | None:
    """Return the path without its suffix if the file is part of a StarDict dictionary.

    Other dictionaries end with .dict as well, so that suffix needs an .ifo file beside it.
    """
    for suffix in SUFFIXES:
        base = str(path).removesuffix(suffix)
        if base != str(path) and (suffix != ".dict" or Path(base + INFO).exists()):
            return base
    return None


def read_stardict(base: str) -> Iterator[tuple[str, str]]:
    """Yield the words with each of the glosses in their articles."""
    info = _read_info(Path(base + INFO))
    index = _read_part(base, ".idx", ".idx.gz")
    articles = _read_part(base, ".dict", ".dict.dz")
    where = struct.Struct(">QI" if info.get("idxoffsetbits") == "64" else ">II")
    types = info.get("sametypesequence", "")
    begin = 0
    try:
        while begin < len(index):
            end = index.index(b"\0", begin)
            word = index[begin:end].decode()
            offset, size = where.unpack_from(index, end + 1)
            begin = end + 1 + where.size
            for line in _read_lines(_slice_article(articles, offset, size), types):
                if line.strip() != word:
                    yield from ((word, gloss) for gloss in split_glosses(line))
    except (ValueError, struct.error) as problem:  # UnicodeDecodeError is a ValueError
        raise InputError(
            f"{base}{INFO}: incomplete StarDict dictionary: broken at byte {begin:,} of its index: "
            f"{problem}"
        ) from None


def _read_info(path: Path) -> dict[str, str]:
    lines = [line for _, line in read_lines(path)]
    if not lines or lines[0].strip() != FIRST_LINE:
        raise InputError(f"{path}: expected a first line {FIRST_LINE!r}; is it StarDict?")
    pairs = (line.partition("=") for line in lines)
    return {key.strip(): value.strip() for key, _, value in pairs}


def _read_part(base: str, plain: str, packed: str) -> bytes:
    for suffix in (plain, packed):
        path = Path(base + suffix)
        if path.exists():
            try:
                return path.read_bytes() if suffix == plain else gzip.decompress(path.read_bytes())
            except (OSError, EOFError, zlib.error) as problem:
                raise InputError(f"{path}: unreadable: {problem}") from None
    raise InputError(f"{base}{INFO}: expected {base}{plain} or {packed} next to it, found neither")


def _slice_article(articles: bytes, offset: int, size: int) -> bytes:
    if offset + size > len(articles):
        raise ValueError(f"an article ends at {offset + size:,} of {len(articles):,} bytes")
    return articles[offset : offset + size]


def _read_lines(article: bytes, types: str) -> Iterator[str]:
    for kind, field in _split_fields(article, types):
        if kind == PLAIN:
            yield from field.decode().splitlines()
        elif kind in MARKED_UP:
            text = html.unescape(TAG.sub("", BREAK.sub("\n", field.decode())))
            yield from text.splitlines()


def _split_fields(article: bytes, types: str) -> Iterator[tuple[str, bytes]]:
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
