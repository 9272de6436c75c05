"""A seed out of what people have: translation memories, terminologies, glossaries, tables.

The pairs are taken as they stand, in NFC and with single spaces. But a term without spaces of a
language that is written without them is parted into words, as the phrases are, where the language
is named, by whoever asks or by the file, and has a tokeniser.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from accord.corpus.text.languages import find_language
from accord.corpus.text.tokenisers import TOKENISERS, load_tokeniser
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.seed import REJECTED, Entry, JudgedEntry, statuses_of, with_status
from accord.formats.readers import READERS
from accord.formats.records import Record, RequestedLanguages

Words = Callable[[str], str]


class Imported(NamedTuple):
    """The entries of a seed, and what became of the rest."""

    lines: list[str]  # as `read_seed` reads them
    rejected: int
    left_out: Counter[str]  # pairs, by reason


def import_seed(
    path: Path,
    form: str,
    languages: RequestedLanguages,
    tell: Callable[[str], object] = lambda _: None,
) -> Imported:
    """The entries in the order of the file."""
    left_out: Counter[str] = Counter()
    asked = [None if language is None else _words_of(language) for language in languages]
    told, records = READERS[form](path, languages)
    source, target = (
        words or _words_as_told(path, language, tell)
        for words, language in zip(asked, told, strict=True)
    )
    statuses = statuses_of(_entries(records, (source, target), left_out), str(path))
    if not statuses:
        raise InputError(f"{path}: expected pairs of {form}, found none with both sides")
    left_out["duplicate"] -= len(statuses)
    return Imported(
        ["\t".join([*entry, said] if said else entry) for entry, said in statuses.items()],
        sum(said == REJECTED for said in statuses.values()),
        +left_out,
    )


def _words_of(language: str) -> Words:
    code = find_language(language).code
    if code not in TOKENISERS:
        return normalise
    words = load_tokeniser(code)

    def parted(text: str) -> str:
        tidy = normalise(text)
        return tidy if " " in tidy else words(tidy)

    return parted


def _words_as_told(path: Path, language: str | None, tell: Callable[[str], object]) -> Words:
    """The same for a language that nobody asked for, but the file names."""
    try:
        code = find_language(language).code if language else ""
    except InputError:  # files may call their languages anything
        return normalise
    library = TOKENISERS.get(code)
    if library is None:
        return normalise
    if not library.is_installed:
        tell(
            f"{path}: terms in {library.language.name} are not parted into words, which needs "
            f"{' and '.join(library.packages)}: {library.install_command}"
        )
        return normalise
    return _words_of(code)


def _entries(
    records: Iterator[Record],
    parted: tuple[Words, Words],
    left_out: Counter[str],
) -> Iterator[Entry | JudgedEntry]:
    for record in records:
        source, target = parted[0](record.source), parted[1](record.target)
        if not source or not target:
            left_out["without a source or a target"] += 1
            continue
        left_out["duplicate"] += 1  # for now: all that are no entries of their own
        yield with_status(source, target, [record.status] if record.status else [])
