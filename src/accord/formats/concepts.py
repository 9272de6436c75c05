"""Pairs out of files that have any number of languages and of terms in each: TMX and TBX.

Of each concept, every term of the source language goes with every term of the target language.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.formats.evidence import with_evidence
from accord.formats.records import Record, Status

# As they are asked for; None is for the file to say.
Languages = tuple[str | None, str | None]


class Term(NamedTuple):
    """A term, its language as `zh-tw`, and what a person said of it."""

    language: str
    text: str
    status: Status = ""


class Concept(NamedTuple):
    """Terms that mean the same, and what is known of them, by name."""

    terms: list[Term]
    evidence: dict[str, str]


NOTHING = Term("", "")


def pairs_of(
    path: str | Path, concepts: Iterable[Concept], languages: Languages
) -> Iterator[Record]:
    """The pairs in two languages; a concept that lacks one of them has an empty side."""
    known = list(concepts)
    source, target = _choose(path, known, languages)
    for concept in known:
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


def _choose(path: str | Path, concepts: list[Concept], languages: Languages) -> tuple[str, str]:
    tags = list(dict.fromkeys(term.language for concept in concepts for term in concept.terms))
    found = ", ".join(sorted(tags)) or "none"
    for language in languages:
        if language is not None and not any(is_of(tag, language) for tag in tags):
            raise InputError(f"{path}: expected terms in {language!r}, found the languages {found}")
    source, target = languages
    if source is None or target is None:
        given = source or target
        others = [tag for tag in tags if given is None or not is_of(tag, given)]
        if len(others) != (2 if given is None else 1):
            raise InputError(
                f"{path}: expected two languages, found {found}; "
                "name two with --source-lang and --target-lang"
            )
        source, target = source or others[0], target or others[-1]
    if is_of(source.lower(), target) or is_of(target.lower(), source):
        raise InputError(f"{path}: expected two languages, was asked for {source} and {target}")
    return source, target
