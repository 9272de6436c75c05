"""The texts of links in wikitext, and titles of pages, as phrases of the language.

Parsing a page takes a hundred times as long as reading it, mostly for templates and tables, which
are not needed here. So links are found by a regular expression, and only link texts that contain
markup are parsed. The one kind of link that contains other links, a picture with its caption, is
not a phrase, but the links in it are found.
"""

import re
from collections.abc import Iterator, Set
from itertools import takewhile
from typing import TYPE_CHECKING

from accord.corpus.vocabulary import has_letter
from accord.errors import AccordError

if TYPE_CHECKING:
    from mwparserfromhell.wikicode import Wikicode

COMMENT = re.compile("<!--.*?(?:-->|$)", re.DOTALL)
# The content of these tags is not wikitext, or not text.
OTHER_CONTENT = re.compile(
    r"<(nowiki|pre|math|chem|ce|source|syntaxhighlight|gallery|imagemap|score|timeline|graph|hiero)"
    r"\b[^<>]*(?<!/)>.*?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
HOLE = "\0"  # put in its place: a link text with a hole is incomplete
# [[target]] or [[target|text]], and the letters right after it.
LINK = re.compile(r"\[\[([^][{}|<>\n\0]+)(?:\|([^][{}|\0]*))?\]\]([^\W\d_]*)")
MARKUP = re.compile("[<&]|''")
# Tags that change the look of a text but not its words.
FORMATTING = re.compile("abbr|b|bdi|big|cite|em|font|i|small|span|strong|sub|sup|u")
REPLACEMENT = {"br": " ", "wbr": "", "nowiki": ""}
# Namespaces that every wiki knows under these names, besides those of its own language.
NAMESPACES = re.compile(
    "category|draft|file|help|image|media|mediawiki|module|portal|project|special|talk|template|"
    "user|wikipedia|wp"
)
# A dump does not list the prefixes of other wikis, as in [[fr:Ulm]]. They are in lower case, and
# the beginnings of titles that contain a colon are not.
INTERWIKI = re.compile("[a-z][a-z0-9-]*")
# Soft hyphens, zero-width spaces, and marks of direction, by which words would differ invisibly.
INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))
CITATION = re.compile(r"\[[^\[\]]*\]")
ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.|mailto:)\S*|\S+@\S+\.\S+", re.IGNORECASE)
# "Mercury (planet)", "水星（行星）"; but "f(x)" and "(What's the Story) Morning Glory?" are names.
DISAMBIGUATION = re.compile(r"(?<=\S)(?:\s+\([^()]*\)|\s*（[^（）]*）)$")


def clean_link_text(text: str) -> str:
    """Return a link text with single spaces, or "" for an address, a mark like [1] or a number."""
    clean = " ".join(text.translate(INVISIBLE).split())
    if not has_letter(clean) or CITATION.fullmatch(clean) or ADDRESS.fullmatch(clean):
        return ""
    return clean


def clean_title(title: str) -> str:
    """Return the title of a page without the disambiguation in brackets; "" as for a link text."""
    return clean_link_text(DISAMBIGUATION.sub("", " ".join(title.replace("_", " ").split())))


def find_link_texts(wikitext: str, namespaces: Set[str] = frozenset()) -> Iterator[str]:
    """Yield the texts of links to articles of the same wiki.

    External links are left out: most are titles of works that an article cites, often in other
    languages. `namespaces` are the names of the namespaces of this wiki, case-folded.
    """
    for link in LINK.finditer(OTHER_CONTENT.sub(HOLE, COMMENT.sub("", wikitext))):
        target, text, trail = link.groups()
        if _leads_elsewhere(target, namespaces):
            continue
        if text is None:  # "#" is followed by the heading of a section
            phrase = clean_title(_render(target.partition("#")[0].strip(" :")))
        else:
            phrase = clean_link_text(_render(text))
        if phrase:
            yield phrase + _take_ending(trail)


def _leads_elsewhere(target: str, namespaces: Set[str]) -> bool:
    """Return whether a link leads to a file, a category and so on, or to another wiki."""
    prefix, colon, _ = target.strip(" _:").partition(":")
    prefix = prefix.rstrip(" _").replace("_", " ")
    return bool(colon) and (
        bool(NAMESPACES.fullmatch(prefix.casefold()))
        or prefix.casefold() in namespaces
        or bool(INTERWIKI.fullmatch(prefix))
    )


def _take_ending(trail: str) -> str:
    """Return the lower-case letters after a link, which belong to its text, as in [[bus]]es."""
    return "".join(takewhile(str.islower, trail))


def _render(text: str) -> str:
    """Return the text as a reader sees it, or "" if it contains other markup than formatting."""
    if not MARKUP.search(text):
        return text
    try:
        from mwparserfromhell import parse
    except ImportError:
        raise AccordError(
            "wikitext needs mwparserfromhell: pip install 'accord[anchors]'"
        ) from None
    return _strip_markup(parse(text)) or ""


def _strip_markup(code: "Wikicode") -> str | None:
    """Return the text without formatting, or None if it contains other markup."""
    from mwparserfromhell.nodes import HTMLEntity, Tag, Text

    plain = ""
    for node in code.nodes:
        part: str | None = None
        if isinstance(node, Text):
            part = node.value
        elif isinstance(node, HTMLEntity):
            part = node.normalize()
        elif isinstance(node, Tag):
            tag = str(node.tag).strip().lower()
            if FORMATTING.fullmatch(tag) and node.contents:
                part = _strip_markup(node.contents)
            else:
                part = REPLACEMENT.get(tag)
        if part is None:
            return None
        plain += part
    return plain
