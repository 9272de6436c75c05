"""Text files to numbered words, block by block, in one process or several.

Four bytes are kept for each word of the text, and each distinct word once. A word contains a
letter; all other tokens, numbers and punctuation, end a phrase, as does the end of a line, which
has a number of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from accord.corpus.loading import normalise_lines
from accord.corpus.numbering import NumberedText, number_words
from accord.corpus.text.ngrams import Text
from accord.errors import InputError
from accord.system.arrays import Ids
from accord.system.processes import in_order
from accord.system.reading import read_blocks

# In numbered text, a token that is no word, and the end of a line.
NO_WORD, LINE_END = -1, -2
# Characters that go to a process at a time.
CHUNK = 1 << 21

Prepare = Callable[[str], str]
# A block of text in numbers, and how many bytes it was.
NumberedBlock = tuple[NumberedText, int]


class _Words:
    """The words of a text, numbered as they first appear in its blocks."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._index: dict[str, int] = {}

    def number(self, block: NumberedText, is_counted: Callable[[str], bool]) -> Ids:
        """Return the number of each distinct word of a block; NO_WORD for those not counted."""
        for word in block.distinct:
            if word not in self._index:
                self._index[word] = NO_WORD
                if is_counted(word):
                    self._index[word] = len(self.words)
                    self.words.append(word)
        return np.fromiter((self._index[word] for word in block.distinct), np.int32)


def read_text(
    paths: Sequence[str | Path], prepare: Prepare, jobs: int, read: Callable[[int], object]
) -> Text:
    """Read the words of all these files. `read` is called with the bytes of each block."""
    words = _Words()
    tokens = []
    for block, size in number_files(paths, prepare, jobs):
        tokens.append(_add_line_ends(words.number(block, is_word), block))
        read(size)
    if not words.words:
        raise InputError(f"{', '.join(map(str, paths))}: expected text, found no words")
    return Text(words.words, np.concatenate(tokens))


def join_blocks(blocks: Iterable[NumberedBlock], read: Callable[[int], object]) -> NumberedText:
    """Return the lines of all blocks. `read` is called with the bytes of each."""
    words = _Words()
    numbers, lengths = [np.empty(0, np.int32)], [np.empty(0, np.int32)]
    for block, size in blocks:
        numbers.append(words.number(block, bool)[block.words])
        lengths.append(block.lengths)
        read(size)
    return NumberedText(words.words, np.concatenate(numbers), np.concatenate(lengths))


def is_word(token: str) -> bool:
    return any(letter.isalpha() for letter in token)


def _add_line_ends(number: Ids, block: NumberedText) -> Ids:
    """Return the tokens of a block, with LINE_END after each line."""
    lines = np.arange(len(block.lengths))
    tokens = np.full(len(block.words) + len(lines), LINE_END, np.int32)
    tokens[np.arange(len(block.words)) + np.repeat(lines, block.lengths)] = number[block.words]
    return tokens


def number_files(
    paths: Sequence[str | Path], prepare: Prepare, jobs: int
) -> Iterator[NumberedBlock]:
    """Yield the blocks of all these files."""
    chunks = (chunk for path in paths for chunk in _read_chunks(path))
    yield from in_order(partial(number_chunk, prepare), chunks, jobs)


def _read_chunks(path: str | Path) -> Iterator[str]:
    """Yield the text of a file in chunks of some megabytes, each of whole lines."""
    blocks: list[str] = []
    size = 0
    for _, block in read_blocks(path):
        if "\0" in block:
            raise InputError(f"{path}: expected text, found zero bytes; is it a binary file?")
        blocks.append(block)
        size += len(block)
        if size >= CHUNK:
            yield "".join(blocks)
            blocks, size = [], 0
    if blocks:
        yield "".join(blocks)


def number_chunk(prepare: Prepare, chunk: str) -> NumberedBlock:
    """Return the prepared lines of a chunk, whose words are normalised, in numbers."""
    text = normalise_lines(prepare(chunk))
    return number_words(bytearray(text.encode())), len(chunk.encode())
