"""Loading phrases from lines of text, and counting the lines that are left out."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from accord.corpus.numbering import NumberedText, number_words
from accord.corpus.phrases import Phrases, encode_texts
from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.system.arrays import Mask
from accord.system.reading import place, read_blocks

# The white space of str.split(), except for the space and the line feed.
OTHER_SPACES = (
    "\t\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


@dataclass(frozen=True)
class LineCounts:
    """How many lines a corpus has, and how many of them were kept or left out."""

    lines: int
    phrases: int
    duplicates: int
    empty: int
    too_long: int

    def __str__(self) -> str:
        left_out = [
            f"{number:,} {reason}"
            for number, reason in [
                (self.duplicates, "duplicate"),
                (self.empty, "empty"),
                (self.too_long, "too long"),
            ]
            if number
        ]
        kept = f"{self.phrases:,} {'phrase' if self.phrases == 1 else 'phrases'}"
        return f"{kept} (left out: {', '.join(left_out)})" if left_out else kept


class LoadedCorpus(NamedTuple):
    """The phrases of one language, and the lines that they were loaded from."""

    phrases: Phrases
    lines: LineCounts
    # Which phrases may appear in the results; the others are only learned from. None means all.
    wanted: Mask | None = None


def load_phrases(lines: Iterable[str], max_words: int, name: str) -> LoadedCorpus:
    """Return the phrases of the lines. Errors mention the name."""
    return _select_phrases(number_words(encode_texts(map(normalise, lines))), max_words, name)


def read_phrases(path: str | Path, max_words: int) -> LoadedCorpus:
    """Read the phrases of a file, one per line."""
    return _select_phrases(number_words(_read_normalised(path)), max_words, str(path))


def _select_phrases(given: NumberedText, max_words: int, name: str) -> LoadedCorpus:
    total = len(given.lengths)
    empty = int((given.lengths == 0).sum())
    too_long = int((given.lengths > max_words).sum())
    if total == empty + too_long:
        raise InputError(
            f"{name}: expected one phrase per line, found none "
            f"({total:,} lines, {empty:,} empty, {too_long:,} of more than {max_words} words)"
        )
    phrases = Phrases.of_numbered(given.select((given.lengths > 0) & (given.lengths <= max_words)))
    kept = len(phrases) - 1
    counts = LineCounts(total, kept, total - empty - too_long - kept, empty, too_long)
    return LoadedCorpus(phrases, counts)


def _read_normalised(path: str | Path) -> bytearray:
    text = bytearray()
    for first, block in read_blocks(path):
        if "\t" in block:
            _refuse_columns(path, first, block)
        text += normalise_lines(block).encode()
    return text


def normalise_lines(block: str) -> str:
    """Return the lines in NFC, with all white space as spaces. Most text needs no change."""
    if unicodedata.is_normalized("NFC", block) and not any(s in block for s in OTHER_SPACES):
        return block
    return "\n".join(map(normalise, block.split("\n")))


def _refuse_columns(path: str | Path, first: int, block: str) -> None:
    for number, line in enumerate(block.split("\n"), first):
        if "\t" in line.strip():
            raise InputError(
                f"{place(path, number)}: expected a phrase, found tab-separated columns; "
                "give one column (cut -f1)"
            )
