"""Pairs from files of concepts with terms in any number of languages: TMX and TBX.

Within a concept, every term of the source language is paired with every term of the target
language.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.formats.annotations import Annotations, parse_record
from accord.formats.records import ImportedRecords, Record, RecordStatus, RequestedLanguages


class Term(NamedTuple):
    """A term, its language such as `zh-tw`, and the decision of a reviewer."""

    language: str
    text: str
    status: RecordStatus = ""


class Concept(NamedTuple):
    """Terms with the same meaning, and their annotations."""

    terms: list[Term]
    annotations: Annotations


NO_TERM = Term("", "")
# The options that name the languages.
OPTIONS = "--source-lang", "--target-lang"


def pair_terms(
    path: str | Path,
    concepts: Iterable[Concept],
    languages: RequestedLanguages,
    source_language: str = "",
) -> ImportedRecords:
    """Return the pairs in two languages; a side is empty if the concept has no term in it.

    `source_language` is that of the file, if it declares one.
    """
    known = list(concepts)
    source, target = _choose_languages(path, known, languages, source_language)
    return ImportedRecords((source, target), _pair_records(known, source, target))


def _pair_records(concepts: list[Concept], source: str, target: str) -> Iterator[Record]:
    for concept in concepts:
        for one in _select_terms(concept, source):
            for other in _select_terms(concept, target):
                record = parse_record(one.text, other.text, concept.annotations)
                # "rejected" prevails over "accepted", and that over "".
                yield record._replace(status=max(record.status, one.status, other.status))


def matches_language(tag: str, language: str) -> bool:
    """Return whether the tag in a file is of the requested language: zh-tw is also zh."""
    requested = language.strip().lower().replace("_", "-")
    return tag == requested or tag.startswith(f"{requested}-")


def _select_terms(concept: Concept, language: str) -> list[Term]:
    return [term for term in concept.terms if matches_language(term.language, language)] or [
        NO_TERM
    ]


def _choose_languages(
    path: str | Path, concepts: list[Concept], languages: RequestedLanguages, source_language: str
) -> tuple[str, str]:
    tags = list(dict.fromkeys(term.language for concept in concepts for term in concept.terms))
    found = ", ".join(sorted(tags)) or "none"
    source, target = (requested and _find_language(tags, requested) for requested in languages)
    for option, requested, language in zip(OPTIONS, languages, (source, target), strict=True):
        if requested and not language:
            raise InputError(
                f"{path}: expected terms in {requested!r} ({option}), found the languages {found}"
            )
    declared = _find_language(tags, source_language)
    if not source and declared and not (target and _overlap(declared, target)):
        source = declared
    if not source or not target:
        given = source or target
        others = [tag for tag in tags if not given or not matches_language(tag, given)]
        if len(others) != (1 if given else 2):
            raise InputError(
                f"{path}: expected two languages, found {found}; "
                f"name two with {OPTIONS[0]} and {OPTIONS[1]}"
            )
        source, target = source or others[0], target or others[-1]
    if _overlap(source, target):
        raise InputError(
            f"{path}: expected two different languages, was asked for {source} and {target}; "
            f"name two with {OPTIONS[0]} and {OPTIONS[1]}"
        )
    return source, target


def _find_language(tags: list[str], requested: str) -> str:
    """Return the requested language as the file has it, with or without its region, or ""."""
    for language in (requested, re.split("[-_]", requested.strip())[0]):
        if language and any(matches_language(tag, language) for tag in tags):
            return language
    return ""


def _overlap(one: str, other: str) -> bool:
    return matches_language(one.lower(), other) or matches_language(other.lower(), one)
