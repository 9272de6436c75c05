"""The text that a language model is trained on, as word numbers.

As for KenLM's lmplz, every line is a sentence, even an empty one, and blanks separate words. Unlike
there, the text is normalised to NFC, as phrase tables are. Words are numbered in sorted order, so
that the order of the lines does not matter.
"""

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.corpus.numbering import NumberedText, number_words
from accord.errors import InputError
from accord.system.arrays import Ids, offsets_of
from accord.system.reading import place, read_blocks
from accord.translate.language_model.trie import BEGIN, END, UNKNOWN

SPECIAL = (UNKNOWN, BEGIN, END)
BEGIN_NUMBER, END_NUMBER = SPECIAL.index(BEGIN), SPECIAL.index(END)
# Nodes and positions are 32-bit numbers.
MOST_TOKENS = 2**31 - 1
_BLANKS = bytes.maketrans(b"\t\r\0", b"   ")


class TrainingText(NamedTuple):
    """All sentences in one array, each with <s> before it and </s> after it."""

    vocabulary: list[str]  # SPECIAL, then the words in sorted order
    tokens: Ids
    origin: str  # the names of the files, for messages


def normalise_nfc(block: str) -> str:
    return unicodedata.normalize("NFC", block)


def read_training_text(
    paths: Sequence[str | Path],
    read: Callable[[int], object] = lambda _: None,
    prepare: Callable[[str], str] = normalise_nfc,
) -> TrainingText:
    """Read the sentences of these files.

    `prepare` is applied to each block of lines; `read` is called with the characters done.
    """
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
        raise InputError(f"{names}: expected sentences, one per line, found no word")
    _refuse_special(numbered, paths, lines)
    return _sort_words(numbered, names)


def _refuse_special(
    numbered: NumberedText, paths: Sequence[str | Path], lines: Sequence[int]
) -> None:
    special = [number for number, word in enumerate(numbered.distinct) if word in SPECIAL]
    if not special:
        return
    # Words are numbered in order of appearance: the first one has the lowest number.
    at = int(np.argmax(numbered.words == special[0]))
    line = int(np.searchsorted(np.cumsum(numbered.lengths), at, side="right"))
    ends = [*accumulate(lines)]
    file = bisect_right(ends, line)
    raise InputError(
        f"{place(paths[file], line + 1 - (ends[file] - lines[file]))}: expected words, found "
        f"{numbered.distinct[special[0]]}, which is reserved for the language model; remove it"
    )


def _sort_words(numbered: NumberedText, origin: str) -> TrainingText:
    """Renumber the words in sorted order, and add the ends of the sentences."""
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
    return TrainingText([*SPECIAL, *(numbered.distinct[word] for word in order)], tokens, origin)
