"""A seed out of what people have: translation memories, terminologies, glossaries, tables.

The pairs are taken as they stand, in NFC and with single spaces. But a term without spaces of a
language that is written without them is parted into words, as the phrases are, where the language
is named and has a segmenter.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError
from accord.extract.languages import find_language
from accord.extract.segmenters import LIBRARIES, segmenter
from accord.formats.concepts import Languages
from accord.formats.importing import READERS
from accord.formats.records import Record
from accord.phrases import normalise
from accord.seed import REJECTED, Entry, JudgedEntry, statuses_of, with_status


class Imported(NamedTuple):
    """The entries of a seed, and what became of the rest."""

    lines: list[str]  # as `read_seed` reads them
    rejected: int
    left_out: Counter[str]  # pairs, by reason


def import_seed(path: Path, form: str, languages: Languages) -> Imported:
    """The entries in the order of the file."""
    left_out: Counter[str] = Counter()
    parted = _words_of(languages[0]), _words_of(languages[1])
    records = READERS[form](path, languages)
    statuses = statuses_of(_entries(records, parted, left_out), str(path))
    if not statuses:
        raise InputError(f"{path}: expected pairs of {form}, found none with both sides")
    left_out["duplicate"] -= len(statuses)
    return Imported(
        ["\t".join([*entry, said] if said else entry) for entry, said in statuses.items()],
        sum(said == REJECTED for said in statuses.values()),
        +left_out,
    )


def _words_of(language: str | None) -> Callable[[str], str]:
    if language is None or (code := find_language(language).code) not in LIBRARIES:
        return normalise
    words = segmenter(code)

    def parted(text: str) -> str:
        tidy = normalise(text)
        return tidy if " " in tidy else words(tidy)

    return parted


def _entries(
    records: Iterator[Record],
    parted: tuple[Callable[[str], str], Callable[[str], str]],
    left_out: Counter[str],
) -> Iterator[Entry | JudgedEntry]:
    for record in records:
        source, target = parted[0](record.source), parted[1](record.target)
        if not source or not target:
            left_out["without a source or a target"] += 1
            continue
        left_out["duplicate"] += 1  # for now: all that are no entries of their own
        yield with_status(source, target, [record.status] if record.status else [])
