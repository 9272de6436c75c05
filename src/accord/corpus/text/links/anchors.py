"""The paper's phrases from "strings with hyperlinks on webpages": link texts and titles.

They come out of a MediaWiki dump or a web page, whatever the name of the file, as they stand:
not segmented, white space tidied, each as often as it occurs.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from accord.corpus.text.links.dump import Article, articles
from accord.corpus.text.links.html import BYTE_ORDER_MARKS, phrases_of_page
from accord.corpus.text.links.linktext import phrase_of_title
from accord.corpus.text.links.wikitext import links
from accord.errors import InputError
from accord.system.processes import in_order
from accord.system.reading import open_bytes

HEAD = 65_536
# What a file begins with. A document type beside that of HTML is refused, and with it entities,
# which could name other files, or grow without end: dumps have none.
KIND = re.compile(
    r"(?>(?:\s+|<\?.*?\?>|<!--.*?-->)*)"
    r"(?:(?P<dump><mediawiki[\s>])"
    r"|(?P<page><!doctype\s+html|<(?:html|head|body|title|meta|link|base|script|style|article|main"
    r"|section|header|nav|div|p|a|h[1-6]|ul|ol|table|span)[\s>]))",
    re.DOTALL | re.IGNORECASE,
)
# Characters of wikitext that a process gets at once: part of a second's work.
CHUNK = 2_000_000


def anchors(path: str | Path, *, jobs: int = 1) -> Iterator[str]:
    """Link texts and titles of a dump or a page.

    The wikitext of a dump is searched in as many processes; the order does not depend on them.
    """
    with open_bytes(path) as stream:
        head = stream.read(HEAD)
        kind = KIND.match(_readable(head))
        if kind is None:
            raise InputError(
                f"{path}: expected a MediaWiki dump in XML or a web page, found {_found(head)}"
            )
        if kind["page"]:
            yield from phrases_of_page(head + stream.read(), path)
            return
        for phrases in in_order(_phrases, _chunks(articles(_Again(head, stream), path)), jobs):
            yield from phrases


def _readable(head: bytes) -> str:
    """The head with the ASCII in it as such."""
    for mark, codec in BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return head[len(mark) :].decode(codec, "replace")
    return head.decode("latin-1")


def _found(head: bytes) -> str:
    if not head:
        return "an empty file"
    if b"\0" in head:
        return "a binary file"
    return f"{head[:60].decode(errors='replace')!r}"


class _Again:
    """A stream of which the head was read before."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self.head = head
        self.stream = stream

    def read(self, size: int = -1, /) -> bytes:
        head, self.head = self.head, b""
        return head or self.stream.read(size)


def _chunks(pages: Iterable[Article]) -> Iterator[list[Article]]:
    chunk: list[Article] = []
    size = 0
    for page in pages:
        chunk.append(page)
        size += len(page.title) + len(page.text)
        if size >= CHUNK:
            yield chunk
            chunk, size = [], 0
    yield chunk


def _phrases(pages: list[Article]) -> list[str]:
    """The title of each page and the texts of its links."""
    found: list[str] = []
    for page in pages:
        if title := phrase_of_title(page.title):
            found.append(title)
        found += links(page.text, page.namespaces)
    return found
