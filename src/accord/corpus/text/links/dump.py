"""The articles of a MediaWiki dump, page by page, so that its size does not matter.

Only namespace 0 counts: other pages are talk, templates and files. Of a page with several
revisions the last counts.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors as faults

from accord.errors import AccordError, InputError

if TYPE_CHECKING:
    from _typeshed import SupportsRead

# What the parser says of a file that ends too soon.
CUT_OFF = {
    faults.codes[fault]
    for fault in (
        faults.XML_ERROR_NO_ELEMENTS,
        faults.XML_ERROR_UNCLOSED_TOKEN,
        faults.XML_ERROR_PARTIAL_CHAR,
    )
}


class Article(NamedTuple):
    title: str
    text: str  # wikitext; of a redirect, which says but where it leads, none
    namespaces: frozenset[str]  # the names of what is no article in this wiki, case-folded


def articles(stream: "SupportsRead[bytes]", path: str | Path) -> Iterator[Article]:
    """The articles and redirects of a dump; `path` is for messages.

    A dump that is cut off gives the pages before, and then an InputError: half a text must not
    pass for the whole.
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
                yield Article(page.title, "" if page.redirect else _wikitext(page), namespaces)
            pages += 1
            root.clear()  # mwxml lets the husks of all pages pile up there
    # mwxml checks little, and stumbles over what it does not expect.
    except (
        *(EOFError, ParseError, MalformedXML),
        *(AssertionError, AttributeError, TypeError, ValueError),
    ) as error:
        if isinstance(error, EOFError) or getattr(error, "code", None) in CUT_OFF:
            what = f"a dump that is cut off after {pages} pages; download it again"
        else:
            what = f"after {pages} pages: {error}"
        raise InputError(f"{path}: expected a whole MediaWiki dump, found {what}") from None


def _wikitext(page: Any) -> str:
    """The text of the last revision, if it is wikitext."""
    text, model = "", "wikitext"
    for revision in page:
        text, model = revision.text or "", revision.model or "wikitext"
    return text if model == "wikitext" else ""
