"""TBX, terminologies: version 2 (MARTIF) is written, versions 2 and 3 are read.

    <termEntry id="c1"><note>confidence 0.93</note>
      <langSet xml:lang="zh"><tig><term>…</term></tig></langSet>
      <langSet xml:lang="en"><tig><term>…</term>
        <termNote type="administrativeStatus">preferredTerm-admn-sts</termNote></tig></langSet>
    </termEntry>

OmegaT displays notes as comments. The status is written to the target term. Other programs call a
term preferred or admitted (accepted), deprecated or superseded (rejected), as its administrative
status or its normative authorization; in version 3 these can be elements. A pair is rejected if
either of its terms is. Word links are lost.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from accord.errors import InputError
from accord.formats.annotations import annotate, format_remark, parse_remark
from accord.formats.concepts import Concept, Term, pair_terms
from accord.formats.records import (
    ImportedRecords,
    LanguageCodes,
    LeftOut,
    Record,
    RecordStatus,
    RequestedLanguages,
)
from accord.formats.xml import (
    escape_text,
    local_name,
    read_elements,
    read_language,
    write_xml,
)

STATUS = "administrativeStatus"
STATUS_NOTES = {
    "": "",
    "accepted": f'<termNote type="{STATUS}">preferredTerm-admn-sts</termNote>',
    "rejected": f'<termNote type="{STATUS}">deprecatedTerm-admn-sts</termNote>',
}
# What other programs call the status, and how its values begin.
STATUSES = (STATUS, "normativeAuthorization")
ACCEPTED = ("preferred", "admitted")
REJECTED = ("deprecated", "superseded", "forbidden", "obsolete")
# The names of elements in versions 2 and 3.
CONCEPTS, LANGUAGES = ("termEntry", "conceptEntry"), ("langSet", "langSec")
TERMS = ("tig", "ntig", "termSec")


def write_tbx(path: Path, records: Iterable[Record], languages: LanguageCodes) -> LeftOut:
    """Write one entry per pair."""
    return write_xml(path, records, lambda kept: _format_entries(kept, languages))


def _format_entries(records: Iterable[Record], languages: LanguageCodes) -> Iterator[str]:
    source, target = map(quoteattr, languages)
    yield f'<martif type="TBX" xml:lang={source}>'
    yield "<martifHeader><fileDesc><sourceDesc><p>accord</p></sourceDesc></fileDesc></martifHeader>"
    yield "<text><body>"
    for number, record in enumerate(records, start=1):
        note = format_remark(annotate(record._replace(status="")))
        # An XML identifier begins with a letter.
        yield (
            f'<termEntry id="c{number}">{f"<note>{note}</note>" if note else ""}'
            f"<langSet xml:lang={source}>"
            f"<tig><term>{escape_text(record.source)}</term></tig></langSet>"
            f"<langSet xml:lang={target}><tig><term>{escape_text(record.target)}</term>"
            f"{STATUS_NOTES[record.status]}</tig></langSet></termEntry>"
        )
    yield "</body></text>"
    yield "</martif>"


def read_tbx(path: str | Path, languages: RequestedLanguages) -> ImportedRecords:
    """Read the pairs with their statuses and probabilities."""
    concepts = [
        Concept(
            [
                Term(read_language(language), *_read_term(term))
                for language in concept
                if local_name(language) in LANGUAGES
                for term in language
                if local_name(term) in TERMS
            ],
            parse_remark(
                "; ".join(note.text or "" for note in concept if local_name(note) == "note")
            ),
        )
        for concept in read_elements(path, *CONCEPTS)
    ]
    if not concepts:
        raise InputError(f"{path}: expected entries (<termEntry>) of TBX, found none")
    return pair_terms(path, concepts, languages)


def _read_term(group: Element) -> tuple[str, RecordStatus]:
    content, statuses = "", []
    for element in group.iter():
        name = local_name(element)
        if name == "term":
            content = "".join(element.itertext())
        elif name in STATUSES or (name == "termNote" and element.get("type") in STATUSES):
            statuses.append((element.text or "").strip().lower())
    if any(status.startswith(REJECTED) for status in statuses):
        return content, "rejected"
    return content, "accepted" if any(status.startswith(ACCEPTED) for status in statuses) else ""
