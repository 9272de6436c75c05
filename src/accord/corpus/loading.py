"""Lines to phrases: what is left out is counted."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from accord.corpus.numbering import Numbered, number_words
from accord.corpus.phrases import Phrases, as_lines, normalise
from accord.errors import InputError
from accord.system.reading import place, read_blocks

# What str.split() takes for white space, but for the space and the line feed.
OTHER_SPACES = (
    "\t\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


@dataclass(frozen=True)
class Intake:
    """What became of the lines of a corpus."""

    lines: int
    phrases: int
    duplicates: int
    empty: int
    too_long: int

    def __str__(self) -> str:
        left_out = [
            f"{number:,} {what}"
            for number, what in [
                (self.duplicates, "duplicate"),
                (self.empty, "empty"),
                (self.too_long, "too long"),
            ]
            if number
        ]
        told = f"{self.phrases:,} phrase{'s' * (self.phrases != 1)}"
        return f"{told} (left out: {', '.join(left_out)})" if left_out else told


def take_in(lines: Iterable[str], max_words: int, name: str) -> tuple[Phrases, Intake]:
    """Lines to phrases; what is left out is counted. The name is for the error."""
    return _take_in(number_words(as_lines(map(normalise, lines))), max_words, name)


def read_phrases(path: str | Path, max_words: int) -> tuple[Phrases, Intake]:
    """The phrases of a file, a phrase a line."""
    return _take_in(number_words(_tidy_text(path)), max_words, str(path))


def _take_in(given: Numbered, max_words: int, name: str) -> tuple[Phrases, Intake]:
    total = len(given.lengths)
    empty = int((given.lengths == 0).sum())
    too_long = int((given.lengths > max_words).sum())
    if total == empty + too_long:
        raise InputError(
            f"{name}: expected phrases, a line each, found none "
            f"({total:,} lines, {empty:,} empty, {too_long:,} of more than {max_words} words)"
        )
    phrases = Phrases.of_numbered(given.only((given.lengths > 0) & (given.lengths <= max_words)))
    kept = len(phrases) - 1
    return phrases, Intake(total, kept, total - empty - too_long - kept, empty, too_long)


def _tidy_text(path: str | Path) -> bytearray:
    text = bytearray()
    for first, block in read_blocks(path):
        if "\t" in block:
            _check_columns(path, first, block)
        text += _tidy(block).encode()
    return text


def _tidy(block: str) -> str:
    """The lines in NFC, with nothing but spaces between words: as most text is by itself."""
    if unicodedata.is_normalized("NFC", block) and not any(s in block for s in OTHER_SPACES):
        return block
    return "\n".join(map(normalise, block.split("\n")))


def _check_columns(path: str | Path, first: int, block: str) -> None:
    for number, line in enumerate(block.split("\n"), first):
        if "\t" in line.strip():
            raise InputError(
                f"{place(path, number)}: expected a phrase, found columns with a tab between; "
                "give one column (cut -f1)"
            )
