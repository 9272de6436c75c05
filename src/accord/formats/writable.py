"""What a format cannot hold is taken out before it is written, and counted."""

import re
from collections.abc import Iterable, Iterator

from accord.formats.records import LeftOut, Record

# Reasons, as they end the sentence "tmx: 3 characters left out: …".
EMPTY = "they have no source or no target"
# Tabs and line ends among them, which part cells and rows.
CONTROLS = re.compile("[\x00-\x1f\ud800-\udfff]")
CONTROLS_ARE = "they are control characters"
# Strings of Python may have lone surrogates, which no encoding knows.
SURROGATES = re.compile("[\ud800-\udfff]")
SURROGATES_ARE = "Unicode does not allow them"
# The characters of XML 1.0, and all others.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NO_XML_ARE = "XML does not allow them"
# Reasons that characters are left out for, not pairs.
OF_CHARACTERS = (CONTROLS_ARE, SURROGATES_ARE, NO_XML_ARE)


def writable(
    records: Iterable[Record], forbidden: re.Pattern[str], reason: str, left_out: LeftOut
) -> Iterator[Record]:
    """The records without these characters, of each of which the reason counts one; white space
    among them becomes a space. A pair of which a side is empty is left out."""
    for given in records:
        record = given
        if taken := len(forbidden.findall(given.source)) + len(forbidden.findall(given.target)):
            left_out[reason] += taken
            record = _without(given, forbidden)
        if record.source.strip() and record.target.strip():
            yield record
        else:
            left_out[EMPTY] += 1


def _without(record: Record, forbidden: re.Pattern[str]) -> Record:
    sides = record.source, record.target
    kept = [forbidden.sub(lambda found: " " if found[0].isspace() else "", side) for side in sides]
    # Where a whole word is gone, the links are of other words.
    same = all(len(a.split()) == len(b.split()) for a, b in zip(sides, kept, strict=True))
    alignment = record.alignment if same else ()
    return record._replace(source=kept[0], target=kept[1], alignment=alignment)
