"""TMX 1.4, translation memories: a <tu> has one <tuv xml:lang="…"><seg>…</seg></tuv> per language.

    <tu tuid="1"><prop type="score">0.93</prop><prop type="status">accepted</prop>
      <tuv xml:lang="zh"><seg>…</seg></tuv><tuv xml:lang="en"><seg>…</seg></tuv></tu>

All fields of a record are kept; the other properties have the same names as in CSV.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from accord.errors import InputError
from accord.formats.annotations import annotate
from accord.formats.concepts import Concept, Term, matches_language, pair_terms
from accord.formats.records import (
    ImportedRecords,
    LanguageCodes,
    LeftOut,
    Record,
    RequestedLanguages,
)
from accord.formats.xml import (
    escape_text,
    local_name,
    read_elements,
    read_language,
    write_xml,
)
from accord.version import __version__

CONFIDENCE, SCORE = "confidence", "score"
# Elements with formatting codes of the translated document instead of text.
CODES = ("bpt", "ept", "it", "ph", "ut")


def write_tmx(path: Path, records: Iterable[Record], languages: LanguageCodes) -> LeftOut:
    """Write one translation unit per pair."""
    return write_xml(path, records, lambda kept: _format_units(kept, languages))


def _format_units(records: Iterable[Record], languages: LanguageCodes) -> Iterator[str]:
    source, target = map(quoteattr, languages)
    yield '<tmx version="1.4">'
    yield (
        f'<header creationtool="accord" creationtoolversion="{__version__}" segtype="phrase" '
        f'o-tmf="accord" adminlang="en" srclang={source} datatype="plaintext"/>'
    )
    yield "<body>"
    for number, record in enumerate(records, start=1):
        properties = "".join(
            f'<prop type="{SCORE if name == CONFIDENCE else name}">{value}</prop>'
            for name, value in annotate(record).items()
        )
        yield (
            f'<tu tuid="{number}">{properties}'
            f"<tuv xml:lang={source}><seg>{escape_text(record.source)}</seg></tuv>"
            f"<tuv xml:lang={target}><seg>{escape_text(record.target)}</seg></tuv></tu>"
        )
    yield "</body>"
    yield "</tmx>"


def read_tmx(path: str | Path, languages: RequestedLanguages) -> ImportedRecords:
    """Read the pairs with all their fields.

    The source language is that of the header, unless another is requested or it is `*all*`.
    """
    units, source_language = [], ""
    for element in read_elements(path, "header", "tu"):
        if local_name(element) == "tu":
            units.append(_read_unit(element))
        else:
            source_language = element.get("srclang", "")
    if not units:
        raise InputError(f"{path}: expected translation units (<tu>) of TMX, found none")
    return pair_terms(path, units, languages, source_language)


def read_tmx_segments(path: Path, source_lang: str, target_lang: str) -> Iterator[tuple[str, str]]:
    """Read the pairs of segments in two languages, and skip units that lack one of them."""
    for unit in map(_read_unit, read_elements(path, "tu")):
        source, target = (
            [term.text for term in unit.terms if matches_language(term.language, language)]
            for language in (source_lang, target_lang)
        )
        if source and target:
            yield source[-1], target[-1]


def _read_unit(unit: Element) -> Concept:
    properties = {
        child.get("type", ""): child.text or "" for child in unit if local_name(child) == "prop"
    }
    if SCORE in properties:
        properties[CONFIDENCE] = properties.pop(SCORE)
    terms = [
        Term(read_language(variant), _join_segment(segment))
        for variant in unit
        if local_name(variant) == "tuv"
        for segment in variant
        if local_name(segment) == "seg"
    ]
    return Concept(terms, properties)


def _join_segment(segment: Element) -> str:
    """Return the text of a segment without codes. A stack takes elements nested to any depth."""
    found: list[str] = []
    waiting: list[Element | str] = [segment]
    while waiting:
        match waiting.pop():
            case str(tail):
                found.append(tail)
            case element if local_name(element) not in CODES:
                found.append(element.text or "")
                for child in reversed(element):
                    waiting += [child.tail or "", child]
    return "".join(found)
