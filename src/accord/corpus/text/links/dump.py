"""The articles of a MediaWiki dump, read page by page, so that a dump of any size fits in memory.

Only pages of namespace 0 are articles; others are talk pages, templates and files. If a page has
several revisions, the last is read.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as faults

from accord.errors import AccordError, InputError

if TYPE_CHECKING:
    from _typeshed import SupportsRead

# The error codes of the parser for a truncated file.
TRUNCATED = {
    faults.codes[fault]
    for fault in (
        faults.XML_ERROR_NO_ELEMENTS,
        faults.XML_ERROR_UNCLOSED_TOKEN,
        faults.XML_ERROR_PARTIAL_CHAR,
    )
}


class Article(NamedTuple):
    """An article or redirect of a wiki."""

    title: str
    text: str  # wikitext; empty for a redirect
    namespaces: frozenset[str]  # the names of the namespaces of this wiki, case-folded


def read_articles(stream: "SupportsRead[bytes]", path: str | Path) -> Iterator[Article]:
    """Yield the articles and redirects of a dump; error messages mention `path`.

    A truncated dump raises an InputError after its complete pages, so that half a text is never
    mistaken for all of it.
    """
    try:
        from mwxml import Dump
        from mwxml.element_iterator import ElementIterator, EventPointer
        from mwxml.errors import MalformedXML
    except ImportError:
        raise AccordError("MediaWiki dumps need mwxml: pip install 'accord[anchors]'") from None
    pages = 0
    try:
        events = EventPointer.from_file(stream)
        _, root = next(events)
        dump = Dump.from_element(ElementIterator(root, events))
        names = (namespace.name for namespace in dump.site_info.namespaces or ())
        namespaces = frozenset(name.casefold() for name in names if name)
        for page in dump.pages:
            if page.namespace == 0:
                yield Article(page.title, "" if page.redirect else _read_wikitext(page), namespaces)
            pages += 1
            root.clear()  # otherwise mwxml keeps an empty element for every page
    # mwxml hardly checks its input: unexpected elements raise errors of all kinds.
    except (
        EOFError,
        ParseError,
        MalformedXML,
        AssertionError,
        AttributeError,
        TypeError,
        ValueError,
    ) as error:
        if isinstance(error, EOFError) or getattr(error, "code", None) in TRUNCATED:
            what = f"one that is truncated after {pages} pages; download it again"
        else:
            what = f"an error after {pages} pages: {error}"
        raise InputError(f"{path}: expected a complete MediaWiki dump, found {what}") from None


def _read_wikitext(page: Any) -> str:
    """Return the text of the last revision, or "" if it is not wikitext."""
    text, model = "", "wikitext"
    for revision in page:
        text, model = revision.text or "", revision.model or "wikitext"
    return text if model == "wikitext" else ""
