"""TMX 1.4, translation memories: <tu> with a <tuv xml:lang="…"><seg>…</seg></tuv> a language.

    <tu tuid="1"><prop type="score">0.93</prop><prop type="status">accepted</prop>
      <tuv xml:lang="zh"><seg>…</seg></tuv><tuv xml:lang="en"><seg>…</seg></tuv></tu>

Nothing that is known of a pair is lost: the other properties are called as in CSV.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from accord.errors import InputError
from accord.formats.annotations import evidence
from accord.formats.concepts import Asked, Concept, Pairs, Term, is_of, pairs_of
from accord.formats.markup import attribute, elements, language_of, local, text, write_markup
from accord.formats.records import Languages, LeftOut, Record
from accord.version import __version__

PROBABILITY, SCORE = "probability", "score"
# These hold the codes of the document that was translated, and not its text.
CODES = ("bpt", "ept", "it", "ph", "ut")


def write_tmx(path: Path, records: Iterable[Record], languages: Languages) -> LeftOut:
    """A unit a pair."""
    return write_markup(path, records, lambda kept: _lines(kept, languages))


def _lines(records: Iterable[Record], languages: Languages) -> Iterator[str]:
    source, target = map(attribute, languages)
    yield '<tmx version="1.4">'
    yield (
        f'<header creationtool="accord" creationtoolversion="{__version__}" segtype="phrase" '
        f'o-tmf="accord" adminlang="en" srclang={source} datatype="plaintext"/>'
    )
    yield "<body>"
    for number, record in enumerate(records, start=1):
        properties = "".join(
            f'<prop type="{SCORE if name == PROBABILITY else name}">{value}</prop>'
            for name, value in evidence(record).items()
        )
        yield (
            f'<tu tuid="{number}">{properties}'
            f"<tuv xml:lang={source}><seg>{text(record.source)}</seg></tuv>"
            f"<tuv xml:lang={target}><seg>{text(record.target)}</seg></tuv></tu>"
        )
    yield "</body>"
    yield "</tmx>"


def read_tmx_records(path: str | Path, languages: Asked) -> Pairs:
    """The pairs with all that is known of them. The source language is the header's, if nobody
    asks for another and it is not `*all*`."""
    units, spoken = [], ""
    for element in elements(path, "header", "tu"):
        if local(element) == "tu":
            units.append(_unit(element))
        else:
            spoken = element.get("srclang", "")
    if not units:
        raise InputError(f"{path}: expected translation units (<tu>) of TMX, found none")
    return pairs_of(path, units, languages, spoken)


def read_tmx(path: Path, source_lang: str, target_lang: str) -> Iterator[tuple[str, str]]:
    """The pairs of segments in the two languages; units that lack one of them are passed over."""
    for unit in map(_unit, elements(path, "tu")):
        source, target = (
            [term.text for term in unit.terms if is_of(term.language, language)]
            for language in (source_lang, target_lang)
        )
        if source and target:
            yield source[-1], target[-1]


def _unit(unit: Element) -> Concept:
    properties = {
        child.get("type", ""): child.text or "" for child in unit if local(child) == "prop"
    }
    if SCORE in properties:
        properties[PROBABILITY] = properties.pop(SCORE)
    terms = [
        Term(language_of(variant), _content(segment))
        for variant in unit
        if local(variant) == "tuv"
        for segment in variant
        if local(segment) == "seg"
    ]
    return Concept(terms, properties)


def _content(segment: Element) -> str:
    """The text of a segment, without codes, however deep its elements stand in one another."""
    found: list[str] = []
    waiting: list[Element | str] = [segment]
    while waiting:
        match waiting.pop():
            case str(words):
                found.append(words)
            case element if local(element) not in CODES:
                found.append(element.text or "")
                for child in reversed(element):
                    waiting += [child.tail or "", child]
    return "".join(found)
