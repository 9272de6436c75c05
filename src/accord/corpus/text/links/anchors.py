"""Phrases from "strings with hyperlinks on webpages", as the paper has it: link texts and titles.

They are read from a MediaWiki dump or a web page, whatever the name of the file. They are not
tokenised yet; only their white space is cleaned. Each occurs as often as in the file.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from accord.corpus.text.links.dump import Article, read_articles
from accord.corpus.text.links.html import BYTE_ORDER_MARKS, read_page
from accord.corpus.text.links.wikitext import clean_title, find_link_texts
from accord.errors import InputError
from accord.system.processes import in_order
from accord.system.reading import open_bytes

HEAD = 65_536
# How a file begins. A document type other than that of HTML is refused, and with it entities, which
# could name other files or grow without end. Dumps have none.
BEGINNING = re.compile(
    r"(?>(?:\s+|<\?.*?\?>|<!--.*?-->)*)"
    r"(?:(?P<dump><mediawiki[\s>])"
    r"|(?P<page><!doctype\s+html|<(?:html|head|body|title|meta|link|base|script|style|article|main"
    r"|section|header|nav|div|p|a|h[1-6]|ul|ol|table|span)[\s>]))",
    re.DOTALL | re.IGNORECASE,
)
# The characters of wikitext that a process gets at a time, which take less than a second.
CHUNK = 2_000_000


def read_anchors(path: str | Path, *, jobs: int = 1) -> Iterator[str]:
    """Yield the link texts and titles of a dump or a web page.

    A dump is searched in `jobs` processes, whose number does not change the order.
    """
    with open_bytes(path) as stream:
        head = stream.read(HEAD)
        kind = BEGINNING.match(_decode_ascii(head))
        if kind is None:
            raise InputError(
                f"{path}: expected a MediaWiki dump in XML or a web page, found {_describe(head)}"
            )
        if kind["page"]:
            yield from read_page(head + stream.read(), path)
            return
        articles = read_articles(_Rewound(head, stream), path)
        for phrases in in_order(_find_titles_and_links, _group_articles(articles), jobs):
            yield from phrases


def _decode_ascii(head: bytes) -> str:
    """Decode the head so that its ASCII characters can be read, whatever the encoding."""
    for mark, codec in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return head[len(mark) :].decode(codec, "replace")
    return head.decode("latin-1")


def _describe(head: bytes) -> str:
    if not head:
        return "an empty file"
    if b"\0" in head:
        return "a binary file"
    return f"{head[:60].decode(errors='replace')!r}"


class _Rewound:
    """A stream that starts again with the head that was read from it."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self.head = head
        self.stream = stream

    def read(self, size: int = -1, /) -> bytes:
        head, self.head = self.head, b""
        return head or self.stream.read(size)


def _group_articles(articles: Iterable[Article]) -> Iterator[list[Article]]:
    chunk: list[Article] = []
    size = 0
    for article in articles:
        chunk.append(article)
        size += len(article.title) + len(article.text)
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    yield chunk


def _find_titles_and_links(articles: list[Article]) -> list[str]:
    """Return the title of each article and the texts of its links."""
    found: list[str] = []
    for article in articles:
        if title := clean_title(article.title):
            found.append(title)
        found += find_link_texts(article.text, article.namespaces)
    return found
