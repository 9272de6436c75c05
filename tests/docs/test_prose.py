"""The prose of the documentation: short lines and paragraphs, and the terms of the field."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from accord.cli import app
from tests.docs.pages import (
    MARKDOWN,
    NOTEBOOKS,
    README,
    ROOT,
    TEMPLATES,
    list_paragraphs,
    name_of,
    read_markdown,
    remove_code,
)

SOURCES = sorted((ROOT / "src").rglob("*.py"))

# Phrases of old versions that readers stumble over, and what to write.
AVOID = {
    r"\bpart(s|ed|ing)? (\w+ ){0,4}(by|with) (a )?(space|tab|comma|semicolon)s?": "space-separated",
    r"\bparts? (\w+ ){0,3}into words|\bparted\b": "tokenise, segment, split",
    r"\b(a|an) (\w+ )?(phrase|line|pair|word|row|key|entry|sentence) (a|an|each) "
    r"(line|iteration|pair|word|side)\b": "one … per …",
    r"(s|\d) a side\b": "per side",
    r"\b(come|comes|came|coming) to rest\b|\blinks? rests?\b": "converges",
    r"\bwhat Accord does by itself\b": "the default method, posterior agreement",
    r"\bkinds? of agreement\b|\bthe paper's (own )?kinds?\b|\bagreement by posteriors?\b": "method",
    r"\bsurest\b|\bhow sure(ly)?\b|\bprob\.|\bprobability of being right\b": "confidence",
    r"\b(surer|more sure)\b": "higher confidence",
    r"\b(begin|words|lengths|are) alike\b|\brelatives\b|\bforms? of one word\b": "cognates, "
    "morphological variants",
    r"\bsightings?\b": "counts, pseudo-counts",
    r"\bcompany (a|the|each|that) words? keeps?\b|\bby the company\b|\bstands? beside\b": "context",
    r"\bwhat people (said|have said|decided|have decided)\b": "decisions, reviewed",
    r"\bmost telling\b": "most informative",
    r"\b(go|goes|gone|going|went) on (with|from|until)\b": "continue",
    r"\btrue pairs?\b": "gold pairs",
    r"\bempty phrase's own\b": "phrases without a translation",
    r"\brivals?\b": "competing candidates",
    r"\bplanted\b|\bmade[- ]up\b": "synthetic",
    r"\bpictures? of the words?\b": "alignment matrix",
    r"\b(by|in the order of) the alphabet\b": "sorted alphabetically",
    r"(?<!all )(?<!of it )\bat once\b": "immediately",
    r"\bfrom [\d.,]+ on\b": "at least",
    r"\b(bears?|borne|bore) out\b": "confirms",
    r"\bsays? less\b": "set lower",
    r"\bnoise phrases?\b": "phrases without a translation",
    r"(?<!un)\bdecided\b|\bjudges itself\b": "reviewed, estimates",
    r"\bbeside\b": "next to, compared with",
}


@pytest.mark.parametrize("path", [*MARKDOWN, *NOTEBOOKS], ids=name_of)
def test_lines_and_paragraphs_are_short(path: Path) -> None:
    text = read_markdown(path)
    if path.suffix == ".md":
        assert not [line for line in list_prose_lines(text) if len(line) > 100]
    assert not [part for part in list_paragraphs(text) if len(part.split()) > 100]


def list_prose_lines(text: str) -> Iterator[str]:
    """Yield the lines outside tables and code, without the targets of links."""
    for line in remove_code(text).splitlines():
        if not line.lstrip().startswith("|"):
            yield re.sub(r"\]\([^)]*\)|<?https?://\S+", "", line)


@pytest.mark.parametrize("path", [*MARKDOWN, *NOTEBOOKS, *TEMPLATES], ids=name_of)
def test_pages_use_the_terms_of_the_field(path: Path) -> None:
    assert not find_phrases_to_avoid(remove_code(read_markdown(path)))


def test_the_help_uses_the_terms_of_the_field() -> None:
    assert not find_phrases_to_avoid("\n\n".join(list_help_texts()))


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_messages_use_the_terms_of_the_field(path: Path) -> None:
    assert not find_phrases_to_avoid("\n\n".join(list_messages(path)))


def list_messages(path: Path) -> Iterator[str]:
    """Yield the strings of a module that are sentences or parts of them; no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) and node not in statements else None
        if isinstance(value, str) and " " in value:
            yield value


def list_help_texts() -> Iterator[str]:
    for command in typer.main.get_command(app).commands.values():  # type: ignore[attr-defined]
        yield command.help
        yield from (parameter.help or "" for parameter in command.params)


def find_phrases_to_avoid(text: str) -> list[str]:
    """Return the phrases of a text that should not be there, with what to write instead."""
    text = " ".join(re.sub(r"`[^`\n]*`", "", text).split())
    return [
        f"{found[0]}: write {instead}; …{text[max(0, found.start() - 40) : found.end() + 20]}…"
        for pattern, instead in AVOID.items()
        for found in re.finditer(pattern, text, re.IGNORECASE)
    ]


def test_phrases_to_avoid_are_found() -> None:
    for phrase in (
        "words parted by spaces",
        "a phrase a line",
        "20,000 a side",
        "until the links rest",
        "the surest first",
        "from 0.4 on",
        "An answer at\nonce",
    ):
        assert find_phrases_to_avoid(phrase), phrase
    for phrase in (
        "one phrase per line",
        "the other side of the table; a phrase of either side",
        "reads all at once",
        "from 0.4 to 0.5",
        "make sure that it is once there",
        "`rivals` in code",
    ):
        assert not find_phrases_to_avoid(phrase), phrase


def test_the_readme_is_short() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert len(remove_code(text).split()) <= 900
