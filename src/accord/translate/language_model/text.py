"""Sentences to numbers, as a language model is counted from them.

A line is a sentence, an empty one too, and blanks part its words: as KenLM's lmplz reads text, but
in NFC, as tables are read. The words are numbered as they sort, so that the order of the lines
changes nothing.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus.numbering import NumberedText, number_words
from accord.errors import InputError
from accord.system.arrays import offsets_of
from accord.system.reading import place, read_blocks
from accord.translate.language_model import BEGIN, END, UNKNOWN

SPECIAL = (UNKNOWN, BEGIN, END)
BEGIN_NUMBER, END_NUMBER = SPECIAL.index(BEGIN), SPECIAL.index(END)
# Nodes and places in the text are numbers of 32 bits.
MOST_TOKENS = 2**31 - 1
_BLANKS = bytes.maketrans(b"\t\r\0", b"   ")


class Sentences(NamedTuple):
    """Each as its words between <s> and </s>, one after the other."""

    vocabulary: list[str]  # SPECIAL, then the words in their order
    tokens: NDArray[np.int32]
    origin: str  # the names of the files


def nfc(block: str) -> str:
    return unicodedata.normalize("NFC", block)


def read_sentences(
    paths: Sequence[str | Path],
    read: Callable[[int], object] = lambda _: None,
    prepare: Callable[[str], str] = nfc,
) -> Sentences:
    """The sentences of these files, of which blocks of lines are prepared so; `read` is called with
    the bytes that are done."""
    text = bytearray()
    lines = []
    for path in paths:
        before = text.count(b"\n")
        for _, block in read_blocks(path):
            text += prepare(block).encode().translate(_BLANKS)
            read(len(block))
        lines.append(text.count(b"\n") - before)
    numbered = number_words(text)
    names = ", ".join(str(path) for path in paths)
    if not len(numbered.words):
        raise InputError(f"{names}: expected sentences, one a line, found no word")
    _refuse_special(numbered, paths, lines)
    return _sentences(numbered, names)


def _refuse_special(
    numbered: NumberedText, paths: Sequence[str | Path], lines: Sequence[int]
) -> None:
    special = [number for number, word in enumerate(numbered.distinct) if word in SPECIAL]
    if not special:
        return
    # They are numbered as they come: the first has the least number.
    at = int(np.argmax(numbered.words == special[0]))
    line = int(np.searchsorted(np.cumsum(numbered.lengths), at, side="right"))
    ends = [*accumulate(lines)]
    file = bisect_right(ends, line)
    raise InputError(
        f"{place(paths[file], line + 1 - (ends[file] - lines[file]))}: expected words, found "
        f"{numbered.distinct[special[0]]}, which a language model has for itself; take it out"
    )


def _sentences(numbered: NumberedText, origin: str) -> Sentences:
    if len(numbered.words) + 2 * len(numbered.lengths) > MOST_TOKENS:
        raise InputError(
            f"{origin}: expected at most {MOST_TOKENS:,} words and sentence ends, found "
            f"{len(numbered.words) + 2 * len(numbered.lengths):,}; give less text"
        )
    order = sorted(range(len(numbered.distinct)), key=numbered.distinct.__getitem__)
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(SPECIAL), len(SPECIAL) + len(order), dtype=np.int32)
    offsets = offsets_of(numbered.lengths + 2)
    tokens = np.zeros(offsets[-1], np.int32)
    tokens[offsets[:-1]] = BEGIN_NUMBER
    tokens[offsets[1:] - 1] = END_NUMBER
    tokens[tokens == 0] = number[numbered.words]
    return Sentences([*SPECIAL, *(numbered.distinct[word] for word in order)], tokens, origin)
