"""OmegaT glossaries: lines of `source<TAB>target<TAB>comment`; lines that begin with # are skipped.

    # accord -*- coding: utf-8 -*-
    经济 危机<TAB>economic crisis<TAB>accepted; confidence 0.93

OmegaT takes the encoding from the first line. It looks for # before it trims the cells, so a space
protects a phrase that begins with #. Word links are lost.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.formats.annotations import annotate, format_remark, parse_record, parse_remark
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import CONTROLS, drop_characters
from accord.system.reading import read_lines
from accord.system.writing import write_text

FIRST_LINE = "# accord -*- coding: utf-8 -*-"
COMMENT = "#"
# The characters that Java's trim removes from the ends of a cell.
TRIMMED = "".join(map(chr, range(33)))


def write_omegat(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write one line per pair. The languages are not stored."""
    left_out = LeftOut()
    write_text(path, _format_glossary(drop_characters(records, CONTROLS, left_out)))
    return left_out


def _format_glossary(records: Iterable[Record]) -> Iterator[str]:
    yield FIRST_LINE
    for record in records:
        source = f" {record.source}" if record.source.startswith(COMMENT) else record.source
        remark = format_remark(annotate(record))
        yield "\t".join([source, record.target, remark] if remark else [source, record.target])


def read_omegat(path: str | Path) -> Iterator[Record]:
    """Read the pairs; the target is empty in lines without one, which OmegaT allows."""
    for _, line in read_lines(path):
        if line.startswith(COMMENT) or not line.strip(TRIMMED):
            continue
        source, target, comment, *_ = *(cell.strip(TRIMMED) for cell in line.split("\t")), "", ""
        yield parse_record(source, target, parse_remark(comment))
