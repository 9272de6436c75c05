"""Snippets of text in which a pair of a run occurs, with the phrase marked."""

import re
from typing import NamedTuple

from accord.evidence.seed import Entry
from accord.runs.tsv import Contexts

BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class Snippet(NamedTuple):
    """A snippet in three parts; `phrase` is empty if the phrase was not found."""

    before: str
    phrase: str = ""
    after: str = ""


class SnippetList(NamedTuple):
    """The snippets of one text."""

    language: str
    snippets: list[Snippet]


def mark_phrases(
    contexts: Contexts, phrases: Entry, languages: tuple[str, str]
) -> list[SnippetList]:
    """Return the snippets of both texts, source first, with the phrases marked in them."""
    sides = zip(contexts, phrases, languages, strict=True)
    return [
        SnippetList(language, [_mark_phrase(text, phrase) for text in texts])
        for texts, phrase, language in sides
        if texts
    ]


def _mark_phrase(text: str, phrase: str) -> Snippet:
    """Find the phrase in brackets, with or without spaces between its words."""
    for found in BRACKETS.finditer(text):
        if found[1].replace(" ", "") == phrase.replace(" ", ""):
            return Snippet(text[: found.start()], found[1], text[found.end() :])
    return Snippet(text)
