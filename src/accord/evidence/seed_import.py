"""Import a seed from files of other programs: translation memories, terminologies, glossaries.

Pairs are normalised to NFC with single spaces, and otherwise kept, unless their language is known,
from the user or from the file. Terms without spaces in a language that is written without spaces
are then segmented into words, like the phrases, if there is a segmenter, and clitics such as French
l' are separated from their words.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.elision import find_clitic_splitter
from accord.corpus.text.languages import find_language
from accord.corpus.text.tokenisers import TOKENISERS, load_tokeniser
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.seed import REJECTED, Entry, ReviewedEntry, attach_status, collect_statuses
from accord.formats import ImportFormatName
from accord.formats.readers import READERS
from accord.formats.records import Record, RequestedLanguages

TermSegmenter = Callable[[str], str]


class ImportedSeed(NamedTuple):
    """The entries of a seed, how many of them were rejected, and what was left out."""

    entries: list[Entry | ReviewedEntry]
    rejected: int
    left_out: Counter[str]  # number of pairs by reason


def import_seed(
    path: Path,
    form: ImportFormatName,
    languages: RequestedLanguages,
    log: Callable[[str], object] = lambda _: None,
) -> ImportedSeed:
    """Read the entries of a file in their order. `log` gets warnings."""
    left_out: Counter[str] = Counter()
    # Languages that the user names are checked before the file is read.
    asked = [None if language is None else _make_segmenter(language) for language in languages]
    named, records = READERS[form](path, languages)
    source, target = (
        segment or _make_segmenter_if_possible(path, language, log)
        for segment, language in zip(asked, named, strict=True)
    )
    statuses = collect_statuses(_segment_records(records, (source, target), left_out), str(path))
    if not statuses:
        raise InputError(f"{path}: expected pairs of {form}, found none with both sides")
    left_out["duplicate"] -= len(statuses)
    return ImportedSeed(
        [(*entry, status) if status else entry for entry, status in statuses.items()],
        sum(status == REJECTED for status in statuses.values()),
        +left_out,
    )


def _make_segmenter(language: str) -> TermSegmenter:
    """Return a function that normalises the terms of a language, and segments them if necessary."""
    code = find_language(language).code
    if clitics := find_clitic_splitter(code):
        return lambda text: clitics.separate(normalise(text))
    if code not in TOKENISERS:
        return normalise
    segment = load_tokeniser(code)

    def segment_term(text: str) -> str:
        term = normalise(text)
        return term if " " in term else segment(term)

    return segment_term


def _make_segmenter_if_possible(
    path: Path, language: str | None, log: Callable[[str], object]
) -> TermSegmenter:
    """Return the same for a language that only the file names; it may be unknown or not installed.

    Terms that cannot be segmented are only normalised.
    """
    try:
        code = find_language(language).code if language else ""
    except InputError:  # files may call their languages anything
        return normalise
    library = TOKENISERS.get(code)
    if library and not library.is_installed:
        log(
            f"{path}: terms in {library.language.name} are not segmented into words, which needs "
            f"{' and '.join(library.packages)}: {library.install_command}"
        )
        return normalise
    return _make_segmenter(code) if code else normalise


def _segment_records(
    records: Iterator[Record],
    segmenters: tuple[TermSegmenter, TermSegmenter],
    left_out: Counter[str],
) -> Iterator[Entry | ReviewedEntry]:
    for record in records:
        source, target = segmenters[0](record.source), segmenters[1](record.target)
        if not source or not target:
            left_out["without a source or a target"] += 1
            continue
        # Counts all pairs here; the distinct entries are subtracted in the end.
        left_out["duplicate"] += 1
        yield attach_status(source, target, [record.status] if record.status else [])
