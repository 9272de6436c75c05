"""Probabilistic dictionaries of bicleaner, gzipped, one file per direction; single words only.

NAME.gz, for its flag -d, has `target source p(target|source)`; NAME.reverse.gz, for -D, has
`source target p(source|target)`. As bicleaner advises, a translation is left out if its probability
is less than a tenth of that of the word's best translation. It may still be in the other file.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from accord.errors import OutputError
from accord.formats.records import LanguageCodes, LeftOut, Record
from accord.formats.writing import name_extra_file, refuse_phrases, select_writable
from accord.system.writing import write_text

# bicleaner ignores entries of at most this probability.
IGNORED = 1e-7
SHARE_OF_BEST = 0.1
REVERSE = ".reverse.gz"
NOT_AMONG_BEST = "both probabilities are less than a tenth of the best for the word"


class WordTranslation(NamedTuple):
    """A word, a translation of it, and the probability of the translation given the word."""

    word: str
    translation: str
    probability: float


def write_bicleaner(path: Path, records: Iterable[Record], _: LanguageCodes) -> LeftOut:
    """Write both dictionaries."""
    if path.suffix != ".gz":
        raise OutputError(f"{path}: bicleaner reads only gzip; choose a name that ends with .gz")
    left_out = LeftOut()
    kept = [*select_writable(records, left_out, _refuse_unknown)]
    forward = _prune(WordTranslation(e, f, p or 0.0) for e, f, p, *_ in kept)
    backward = _prune(WordTranslation(f, e, p or 0.0) for e, f, _, p, *_ in kept)
    write_text(path, map(_format_translation, forward))
    write_text(name_extra_file(path, REVERSE), map(_format_translation, backward))
    written = {(e, f) for e, f, _ in forward} | {(e, f) for f, e, _ in backward}
    if len(written) < len(kept):
        left_out[NOT_AMONG_BEST] = len(kept) - len(written)
    return left_out


def _prune(entries: Iterable[WordTranslation]) -> list[WordTranslation]:
    """Drop entries of less than a tenth of the best probability of the same word."""
    entries = [*entries]
    best: dict[str, float] = {}
    for word, _, p in entries:
        best[word] = max(p, best.get(word, 0.0))
    return [
        entry
        for entry in entries
        if entry.probability >= SHARE_OF_BEST * best[entry.word] and entry.probability > IGNORED
    ]


def _refuse_unknown(record: Record) -> str:
    """Refuse pairs without probabilities, and all but single words."""
    if record.forward is None or record.backward is None:
        return "their probabilities are not known"
    return refuse_phrases(record)


def _format_translation(entry: WordTranslation) -> str:
    return f"{entry.translation} {entry.word} {entry.probability:.7f}"
