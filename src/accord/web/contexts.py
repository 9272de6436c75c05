"""Where the pairs of a run occur: the snippets of contexts.tsv, with the phrase marked."""

import re
from collections.abc import Container, Sequence
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.concordance import SNIPPETS
from accord.errors import InputError
from accord.evidence.seed import Entry
from accord.system.reading import place, read_lines

BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class Contexts(NamedTuple):
    """Snippets of both texts, with the phrase in brackets."""

    source: tuple[str, ...]
    target: tuple[str, ...]

    @classmethod
    def of(cls, snippets: Sequence[str]) -> "Contexts":
        """Take the snippets of a line of contexts.tsv: a fixed number per side, some empty."""
        sides = snippets[:SNIPPETS], snippets[SNIPPETS : 2 * SNIPPETS]
        return cls(*(tuple(filter(None, side)) for side in sides))


class Snippet(NamedTuple):
    """A snippet in three parts; `phrase` is empty where the phrase was not found."""

    before: str
    phrase: str = ""
    after: str = ""


class SnippetList(NamedTuple):
    """The snippets of one text."""

    language: str
    snippets: list[Snippet]


def read_contexts(path: Path, wanted: Container[Entry]) -> dict[Entry, Contexts]:
    """Return the contexts of these pairs; none where the run was not mined from text."""
    if not path.exists():
        return {}
    found = {}
    for number, line in read_lines(path):
        source, target, *snippets = line.split("\t") if "\t" in line else (line, "")
        if len(snippets) != 2 * SNIPPETS:
            raise InputError(
                f"{place(path, number)}: expected two phrases and {2 * SNIPPETS} snippets, "
                f"tab-separated, found {line[:60]!r}"
            )
        if (source, target) in wanted:
            found[source, target] = Contexts.of(snippets)
    return found


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
    """Find the phrase where it stands in brackets, with or without spaces between its words."""
    for found in BRACKETS.finditer(text):
        if found[1].replace(" ", "") == phrase.replace(" ", ""):
            return Snippet(text[: found.start()], found[1], text[found.end() :])
    return Snippet(text)
