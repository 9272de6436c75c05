"""TBX, terminology: version 2 (MARTIF) is written, versions 2 and 3 are read.

    <termEntry id="c1"><note>probability 0.93</note>
      <langSet xml:lang="zh"><tig><term>…</term></tig></langSet>
      <langSet xml:lang="en"><tig><term>…</term>
        <termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig></langSet>
    </termEntry>

OmegaT shows notes as comments. The status is the target term's: this is what may be right or wrong
as a translation. Others call a term preferred or admitted (accepted), deprecated or superseded
(rejected), as its administrative status or its normative authorization; in version 3 these may be
elements of their own. A pair is rejected if either of its terms is. Word links are lost.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from accord.errors import InputError
from accord.formats.annotations import evidence, read_remark, remark
from accord.formats.concepts import Asked, Concept, Pairs, Term, pairs_of
from accord.formats.markup import attribute, elements, language_of, local, text, write_markup
from accord.formats.records import Languages, LeftOut, Record, Status

STATUS = "administrativeStatus"
WRITTEN = {
    "": "",
    "accepted": f'<termNote type="{STATUS}">preferredTerm-admn-sts</termNote>',
    "rejected": f'<termNote type="{STATUS}">deprecatedTerm-admn-sts</termNote>',
}
# What others call it, and how it begins there.
STATUSES = (STATUS, "normativeAuthorization")
ACCEPTED = ("preferred", "admitted")
REJECTED = ("deprecated", "superseded", "forbidden", "obsolete")
# As they are called in versions 2 and 3.
CONCEPTS, LANGUAGES = ("termEntry", "conceptEntry"), ("langSet", "langSec")
TERMS = ("tig", "ntig", "termSec")


def write_tbx(path: Path, records: Iterable[Record], languages: Languages) -> LeftOut:
    """An entry a pair."""
    return write_markup(path, records, lambda kept: _lines(kept, languages))


def _lines(records: Iterable[Record], languages: Languages) -> Iterator[str]:
    source, target = map(attribute, languages)
    yield f'<martif type="TBX" xml:lang={source}>'
    yield "<martifHeader><fileDesc><sourceDesc><p>accord</p></sourceDesc></fileDesc></martifHeader>"
    yield "<text><body>"
    for number, record in enumerate(records, start=1):
        told = remark(evidence(record._replace(status="")))
        # An identifier of XML begins with a letter.
        yield (
            f'<termEntry id="c{number}">{f"<note>{told}</note>" if told else ""}'
            f"<langSet xml:lang={source}><tig><term>{text(record.source)}</term></tig></langSet>"
            f"<langSet xml:lang={target}><tig><term>{text(record.target)}</term>"
            f"{WRITTEN[record.status]}</tig></langSet></termEntry>"
        )
    yield "</body></text>"
    yield "</martif>"


def read_tbx(path: str | Path, languages: Asked) -> Pairs:
    """The pairs with their statuses and probabilities."""
    concepts = [
        Concept(
            [
                Term(language_of(language), *_term(term))
                for language in concept
                if local(language) in LANGUAGES
                for term in language
                if local(term) in TERMS
            ],
            read_remark("; ".join(note.text or "" for note in concept if local(note) == "note")),
        )
        for concept in elements(path, *CONCEPTS)
    ]
    if not concepts:
        raise InputError(f"{path}: expected entries (<termEntry>) of TBX, found none")
    return pairs_of(path, concepts, languages)


def _term(group: Element) -> tuple[str, Status]:
    content, said = "", []
    for element in group.iter():
        name = local(element)
        if name == "term":
            content = "".join(element.itertext())
        elif name in STATUSES or (name == "termNote" and element.get("type") in STATUSES):
            said.append((element.text or "").strip().lower())
    if any(status.startswith(REJECTED) for status in said):
        return content, "rejected"
    return content, "accepted" if any(status.startswith(ACCEPTED) for status in said) else ""
