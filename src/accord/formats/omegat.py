"""Glossaries of OmegaT: lines of `source<TAB>target<TAB>comment`; lines with # are passed over.

    # accord -*- coding: utf-8 -*-
    经济 危机<TAB>economic crisis<TAB>accepted; probability 0.93

OmegaT takes the encoding from the first line, looks for # before it takes white space off the
cells, and for nothing else: a space before a # that belongs to a phrase keeps the phrase. Word
links are lost.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from accord.formats.annotations import evidence, read_remark, remark, with_evidence
from accord.formats.records import Languages, LeftOut, Record
from accord.formats.writable import CONTROLS, CONTROLS_ARE, writable
from accord.system.reading import read_lines
from accord.system.writing import write_text

FIRST_LINE = "# accord -*- coding: utf-8 -*-"
COMMENT = "#"
# What Java's trim takes off the ends of a cell.
TRIMMED = "".join(map(chr, range(33)))


def write_omegat(path: Path, records: Iterable[Record], _: Languages) -> LeftOut:
    """A line a pair; the file does not say the languages."""
    left_out = LeftOut()
    write_text(path, _lines(writable(records, CONTROLS, CONTROLS_ARE, left_out)))
    return left_out


def _lines(records: Iterable[Record]) -> Iterator[str]:
    yield FIRST_LINE
    for record in records:
        source = f" {record.source}" if record.source.startswith(COMMENT) else record.source
        told = remark(evidence(record))
        yield "\t".join([source, record.target, told] if told else [source, record.target])


def read_omegat(path: str | Path) -> Iterator[Record]:
    """The pairs; a line that has no target, as OmegaT allows, has an empty one."""
    for _, line in read_lines(path):
        if line.startswith(COMMENT) or not line.strip(TRIMMED):
            continue
        source, target, comment, *_ = *(cell.strip(TRIMMED) for cell in line.split("\t")), "", ""
        yield with_evidence(source, target, read_remark(comment))
