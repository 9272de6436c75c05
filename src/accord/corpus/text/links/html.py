"""Phrases out of a web page: its heading and the texts of its links.

Selectolax reads a page as browsers do (the algorithm of HTML 5, by the Lexbor library), is typed
and fast; lxml's parser is of the time of HTML 4, and guesses charsets by itself.
"""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from accord.corpus.text.links.linktext import phrase_of_link, phrase_of_title
from accord.errors import AccordError, InputError
from accord.system.reading import place

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
HEAD = 4_096  # bytes in which the charset must be declared; browsers look at the first 1,024
COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
DECLARED = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
# Where a page says the left, browsers read the right, which mostly holds more characters.
READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc_kr": "cp949",
    "windows-949": "cp949",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
    "windows-874": "cp874",
    # A declaration that can be read as ASCII is in no UTF-16.
    "utf-16": "utf-8",
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
}
# Links that stand in the page itself are its table of contents and its footnotes; those marked
# with a language lead to the same page in another.
LINKS = "a[href]:not([href^='#']):not([hreflang])"
# What a reader does not see, or sees beside the word: the reading of Chinese characters.
UNSEEN = ["script", "style", "template", "noscript", "rt", "rp"]


def phrases_of_page(content: bytes, path: str | Path) -> Iterator[str]:
    """The heading, or else the title, and the text of each link; `path` is for messages."""
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        raise AccordError("web pages need selectolax: pip install 'accord[anchors]'") from None
    page = LexborHTMLParser(decoded(content, path))
    for unseen in page.css(", ".join(UNSEEN)):
        unseen.decompose()
    for line_break in page.css("br"):
        line_break.replace_with(" ")
    # The title mostly ends in the name of the site, the heading does not.
    title = page.css_first("h1") or page.css_first("title")
    if title and (phrase := phrase_of_title(title.text())):
        yield phrase
    for link in page.css(LINKS):
        if phrase := phrase_of_link(link.text()):
            yield phrase


def decoded(content: bytes, path: str | Path) -> str:
    """The text of a page in its charset: by the byte order mark, its own word, or else UTF-8.

    A page that says what is not so is an InputError: its words would be none.
    """
    for mark, codec in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return _decoded(content[len(mark) :], codec, "by its byte order mark", path)
    declared = DECLARED.search(COMMENT.sub(b"", content[:HEAD]))
    if not declared:
        return _decoded(content, "utf-8", "as it names no charset", path)
    name = declared[1].decode("ascii", "replace").lower()
    try:
        codec = codecs.lookup(READ_AS.get(name, name)).name
        codec = READ_AS.get(codec, codec)
        text = _decoded(content, codec, f"as it says {name}", path)
    except LookupError:
        raise InputError(
            f"{path}: expected a charset, found {name!r}; convert the page to UTF-8"
        ) from None
    # Nearly any bytes are Latin letters or Chinese characters, but few are UTF-8 by chance.
    if codec != "utf-8" and not content.isascii() and _is_utf8(content):
        raise InputError(
            f"{path}: expected {name}, as it says, found UTF-8; correct its <meta charset>"
        )
    return text


def _decoded(content: bytes, codec: str, why: str, path: str | Path) -> str:
    try:
        return content.decode(codec)
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(codec, "replace").count("\n") + 1
        raise InputError(
            f"{place(path, line)}: expected {codec}, {why}, found the byte "
            f"0x{content[error.start]:02x}; declare the right charset, or convert the page to UTF-8"
        ) from None


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
