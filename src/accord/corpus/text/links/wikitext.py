"""The texts of the links in wikitext.

The parser of wikitext takes a hundred times as long for a page as it takes to read it, most of
it for templates and tables, of which nothing is wanted here. So links are found by a pattern,
and only the texts that hold markup themselves are parsed. The one kind of link that has others
in it, a picture with its caption, is no phrase; those in it are found.
"""

import re
from collections.abc import Iterator, Set
from itertools import takewhile
from typing import TYPE_CHECKING

from accord.corpus.text.links.linktext import phrase_of_link, phrase_of_title
from accord.errors import AccordError

if TYPE_CHECKING:
    from mwparserfromhell.wikicode import Wikicode

COMMENT = re.compile("<!--.*?(?:-->|$)", re.DOTALL)
# What stands in these is no wikitext, or no text.
OTHER_TEXT = re.compile(
    r"<(nowiki|pre|math|chem|ce|source|syntaxhighlight|gallery|imagemap|score|timeline|graph|hiero)"
    r"\b[^<>]*(?<!/)>.*?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
HOLE = "\0"  # left by it: a link with a hole in its text lacks something
# [[target]], [[target|text]], and the letters right after.
LINK = re.compile(r"\[\[([^][{}|<>\n\0]+)(?:\|([^][{}|\0]*))?\]\]([^\W\d_]*)")
MARKUP = re.compile("[<&]|''")
# Tags that change how a text looks, but not what it says.
LOOKS = {
    *("abbr", "b", "bdi", "big", "cite", "em", "font", "i", "small", "span", "strong", "sub"),
    *("sup", "u"),
}
SHOWN_AS = {"br": " ", "wbr": "", "nowiki": ""}
# These names every wiki understands, beside those in its own language.
NAMESPACES = {
    *("category", "draft", "file", "help", "image", "media", "mediawiki", "module", "portal"),
    *("project", "special", "talk", "template", "user", "wikipedia", "wp"),
}
# A dump does not tell which prefixes lead to other wikis, as in [[fr:Ulm]]. They are written in
# small letters; titles that hold a colon are not.
INTERWIKI = re.compile("[a-z][a-z0-9-]*")


def links(wikitext: str, namespaces: Set[str] = frozenset()) -> Iterator[str]:
    """The texts of the links to articles of this wiki.

    Links to the web are left out: most are titles of works that an article cites, many of them in
    other languages. `namespaces` are the wiki's own names of what is no article, case-folded.
    """
    for link in LINK.finditer(OTHER_TEXT.sub(HOLE, COMMENT.sub("", wikitext))):
        target, text, trail = link.groups()
        if _leads_elsewhere(target, namespaces):
            continue
        if text is None:  # what follows "#" is a heading in the page
            phrase = phrase_of_title(_shown(target.partition("#")[0].strip(" :")))
        else:
            phrase = phrase_of_link(_shown(text))
        if phrase:
            yield phrase + _ending(trail)


def _leads_elsewhere(target: str, namespaces: Set[str]) -> bool:
    """Whether to a file, a category and so on, or to another wiki."""
    prefix, colon, _ = target.strip(" _:").partition(":")
    prefix = prefix.rstrip(" _").replace("_", " ")
    return bool(colon) and (
        prefix.casefold() in NAMESPACES
        or prefix.casefold() in namespaces
        or bool(INTERWIKI.fullmatch(prefix))
    )


def _ending(trail: str) -> str:
    """The small letters right after a link belong to it: [[bus]]es; scripts without them do not."""
    return "".join(takewhile(str.islower, trail))


def _shown(text: str) -> str:
    """The text as a reader sees it; "" where that cannot be told."""
    if not MARKUP.search(text):
        return text
    try:
        from mwparserfromhell import parse
    except ImportError:
        raise AccordError(
            "wikitext needs mwparserfromhell: pip install 'accord[anchors]'"
        ) from None
    return _plain(parse(text)) or ""


def _plain(code: "Wikicode") -> str | None:
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
            part = _plain(node.contents) if tag in LOOKS and node.contents else SHOWN_AS.get(tag)
        if part is None:
            return None
        plain += part
    return plain
