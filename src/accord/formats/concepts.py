"""Pairs out of files that have any number of languages and of terms in each: TMX and TBX.

Of each concept, every term of the source language goes with every term of the target language.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.formats.annotations import with_evidence
from accord.formats.records import Record, Status

# As they are asked for; None is for the file to say.
Asked = tuple[str | None, str | None]


class Term(NamedTuple):
    """A term, its language as `zh-tw`, and what a person said of it."""

    language: str
    text: str
    status: Status = ""


class Concept(NamedTuple):
    """Terms that mean the same, and what is known of them, by name."""

    terms: list[Term]
    evidence: dict[str, str]


class Pairs(NamedTuple):
    """The pairs of a file, and the languages they are in, as far as they are known."""

    languages: Asked
    records: Iterator[Record]


NOTHING = Term("", "")


def pairs_of(
    path: str | Path, concepts: Iterable[Concept], languages: Asked, spoken: str = ""
) -> Pairs:
    """The pairs in two languages; a concept that lacks one of them has an empty side. `spoken` is
    what the file calls its source language, if it says so."""
    known = list(concepts)
    source, target = _choose(path, known, languages, spoken)
    return Pairs((source, target), _records(known, source, target))


def _records(concepts: list[Concept], source: str, target: str) -> Iterator[Record]:
    for concept in concepts:
        for one in _terms(concept, source):
            for other in _terms(concept, target):
                record = with_evidence(one.text, other.text, concept.evidence)
                said = {record.status, one.status, other.status}
                yield record._replace(
                    status="rejected"
                    if "rejected" in said
                    else "accepted"
                    if "accepted" in said
                    else ""
                )


def is_of(tag: str, language: str) -> bool:
    """Whether a language as files have it is the one asked for: zh-tw is zh, too."""
    asked = language.strip().lower().replace("_", "-")
    return tag == asked or tag.startswith(f"{asked}-")


def _terms(concept: Concept, language: str) -> list[Term]:
    return [term for term in concept.terms if is_of(term.language, language)] or [NOTHING]


def _choose(
    path: str | Path, concepts: list[Concept], languages: Asked, spoken: str
) -> tuple[str, str]:
    tags = list(dict.fromkeys(term.language for concept in concepts for term in concept.terms))
    found = ", ".join(sorted(tags)) or "none"
    source, target = (asked and _among(tags, asked) for asked in languages)
    for asked, language in zip(languages, (source, target), strict=True):
        if asked and not language:
            raise InputError(f"{path}: expected terms in {asked!r}, found the languages {found}")
    if not source and (told := _among(tags, spoken)) and not (target and _overlap(told, target)):
        source = told
    if not source or not target:
        given = source or target
        others = [tag for tag in tags if not given or not is_of(tag, given)]
        if len(others) != (1 if given else 2):
            raise InputError(
                f"{path}: expected two languages, found {found}; "
                "name two with --source-lang and --target-lang"
            )
        source, target = source or others[0], target or others[-1]
    if _overlap(source, target):
        raise InputError(f"{path}: expected two languages, was asked for {source} and {target}")
    return source, target


def _among(tags: list[str], asked: str) -> str:
    """The language that a file of these has: the one asked for or, where its region is not there,
    the same without a region; nothing if it has neither."""
    for language in (asked, re.split("[-_]", asked.strip())[0]):
        if language and any(is_of(tag, language) for tag in tags):
            return language
    return ""


def _overlap(one: str, other: str) -> bool:
    return is_of(one.lower(), other) or is_of(other.lower(), one)
