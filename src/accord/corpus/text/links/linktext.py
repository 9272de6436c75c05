"""What of a link's text, or of a title, is a phrase of the language."""

import re

# Soft hyphens, zero-width spaces, marks of direction: nobody sees them, and words differ by them.
INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))
CITATION = re.compile(r"\[[^\[\]]*\]")
ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.|mailto:)\S*|\S+@\S+\.\S+", re.IGNORECASE)
# "Mercury (planet)", "水星（行星）"; but "f(x)" and "(What's the Story) Morning Glory?" are names.
DISAMBIGUATION = re.compile(r"(?<=\S)(?:\s+\([^()]*\)|\s*（[^（）]*）)$")


def phrase_of_link(text: str) -> str:
    """The text with its white space tidied, or "" for an address, a mark like [1], a number."""
    tidied = " ".join(text.translate(INVISIBLE).split())
    if not has_letter(tidied) or CITATION.fullmatch(tidied) or ADDRESS.fullmatch(tidied):
        return ""
    return tidied


def phrase_of_title(title: str) -> str:
    """The same for the name of a page, without what tells it from pages of the same name."""
    return phrase_of_link(DISAMBIGUATION.sub("", " ".join(title.replace("_", " ").split())))


def has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))
