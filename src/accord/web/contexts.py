"""Where the pairs of a run were seen: the snippets of contexts.tsv, with the phrase marked."""

import re
from collections.abc import Container, Sequence
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.concordance import SNIPPETS
from accord.errors import InputError
from accord.system.reading import place, read_lines
from accord.web.html import Html, element, foreign, joined

BRACKETS = re.compile(r"\[([^\[\]]+)\]")


class Contexts(NamedTuple):
    """Snippets of either text, the phrase in brackets."""

    source: tuple[str, ...]
    target: tuple[str, ...]

    @classmethod
    def of(cls, snippets: Sequence[str]) -> "Contexts":
        """As contexts.tsv has them: so many of either side, some of them empty."""
        sides = snippets[:SNIPPETS], snippets[SNIPPETS : 2 * SNIPPETS]
        return cls(*(tuple(filter(None, side)) for side in sides))


def read_contexts(
    path: Path, wanted: Container[tuple[str, str]]
) -> dict[tuple[str, str], Contexts]:
    """The contexts of these pairs; none where the run was not mined out of text."""
    if not path.exists():
        return {}
    found = {}
    for number, line in read_lines(path):
        source, target, *snippets = line.split("\t") if "\t" in line else (line, "")
        if len(snippets) != 2 * SNIPPETS:
            raise InputError(
                f"{place(path, number)}: expected two phrases and {2 * SNIPPETS} snippets with "
                f"tabs between, found {line[:60]!r}"
            )
        if (source, target) in wanted:
            found[source, target] = Contexts.of(snippets)
    return found


def contexts_list(contexts: Contexts, phrases: tuple[str, str], languages: tuple[str, str]) -> Html:
    """The snippets of both texts, those of the source first."""
    sides = zip(contexts, phrases, languages, strict=True)
    lists = (
        element("ul", *(_snippet(text, phrase, language) for text in some), class_="contexts")
        for some, phrase, language in sides
        if some
    )
    return joined(*lists)


def _snippet(text: str, phrase: str, language: str) -> Html:
    """The phrase is marked where it stands in brackets, be it with spaces between words or not."""
    for found in BRACKETS.finditer(text):
        if found[1].replace(" ", "") == phrase.replace(" ", ""):
            before, after = text[: found.start()], text[found.end() :]
            inside = joined(before, element("mark", found[1]), after)
            return element("li", inside, lang=language or None, dir="auto")
    return foreign(text, language, "li")
