"""Phrases of a web page: its heading and the texts of its links.

Selectolax parses pages like a browser (the algorithm of HTML 5, in the Lexbor library), is typed
and fast. The parser of lxml dates from HTML 4 and guesses the character encoding.
"""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from accord.corpus.text.links.wikitext import clean_link_text, clean_title
from accord.errors import AccordError, InputError
from accord.system.reading import place

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
HEAD = 4_096  # bytes that are searched for a charset; browsers search the first 1,024
COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
DECLARED = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
# Browsers read the charset on the left as the one on the right, which is usually larger.
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
    # A declaration that can be read as ASCII is not in UTF-16.
    "utf-16": "utf-8",
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
}
# Links within the page are its table of contents and its footnotes; those marked with a language
# lead to the same page in another language.
LINKS = "a[href]:not([href^='#']):not([hreflang])"
# Elements that a reader does not see, or sees next to the text: readings of Chinese characters.
REMOVED = ["script", "style", "template", "noscript", "rt", "rp"]


def read_page(content: bytes, path: str | Path) -> Iterator[str]:
    """Yield the heading, or else the title, and the text of each link of a web page.

    Error messages mention `path`.
    """
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError:
        raise AccordError("web pages need selectolax: pip install 'accord[anchors]'") from None
    page = LexborHTMLParser(decode_page(content, path))
    for element in page.css(", ".join(REMOVED)):
        element.decompose()
    for line_break in page.css("br"):
        line_break.replace_with(" ")
    # Titles usually end with the name of the site, headings do not.
    title = page.css_first("h1") or page.css_first("title")
    if title and (phrase := clean_title(title.text())):
        yield phrase
    for link in page.css(LINKS):
        if phrase := clean_link_text(link.text()):
            yield phrase


def decode_page(content: bytes, path: str | Path) -> str:
    """Decode a page by its byte order mark, else by its declared charset, else as UTF-8.

    A page that declares a wrong charset raises an InputError: its text would be garbled.
    """
    for mark, codec in BYTE_ORDER_MARKS.items():
        if content.startswith(mark):
            return _decode(content[len(mark) :], codec, "by its byte order mark", path)
    declared = DECLARED.search(COMMENT.sub(b"", content[:HEAD]))
    if not declared:
        return _decode(content, "utf-8", "as it declares no charset", path)
    name = declared[1].decode("ascii", "replace").lower()
    try:
        codec = codecs.lookup(READ_AS.get(name, name)).name
        codec = READ_AS.get(codec, codec)
        text = _decode(content, codec, f"as it declares {name}", path)
    except LookupError:
        raise InputError(
            f"{path}: expected a charset, found {name!r}; convert the page to UTF-8"
        ) from None
    # Almost any bytes can be read as Latin letters or Chinese characters, but few as UTF-8.
    if codec != "utf-8" and not content.isascii() and _is_utf8(content):
        raise InputError(
            f"{path}: expected {name}, as it declares, found UTF-8; correct its <meta charset>"
        )
    return text


def _decode(content: bytes, codec: str, why: str, path: str | Path) -> str:
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
