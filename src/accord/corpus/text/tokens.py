"""Text files to numbered words, block by block, in as many processes as are wanted.

What is kept of the text is four bytes for each word, and each distinct word once. A word has a
letter in it; all other tokens, numbers and punctuation, end a phrase, as does the end of a line.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from accord.corpus.numbering import NumberedText, number_words
from accord.corpus.text.ngrams import Text
from accord.errors import InputError
from accord.system.processes import in_order
from accord.system.reading import read_blocks

NO_WORD = -1
# Characters that go to a process at a time.
CHUNK = 1 << 21

Prepare = Callable[[str], str]


def read_text(
    paths: Sequence[str | Path], prepare: Prepare, jobs: int, read: Callable[[int], object]
) -> Text:
    """The words of all these files. `read` is told how many bytes are done."""
    index: dict[str, int] = {}
    words: list[str] = []
    tokens = []
    for numbered, size in prepared_blocks(paths, prepare, jobs):
        for word in numbered.distinct:
            if word not in index:
                index[word] = len(words) if is_word(word) else NO_WORD
                if index[word] != NO_WORD:
                    words.append(word)
        number = np.fromiter((index[word] for word in numbered.distinct), np.int32)
        tokens.append(_with_line_ends(number, numbered))
        read(size)
    if not words:
        raise InputError(f"{', '.join(map(str, paths))}: expected text, found no words")
    return Text(words, np.concatenate(tokens))


def is_word(token: str) -> bool:
    return any(letter.isalpha() for letter in token)


def _with_line_ends(number: Any, numbered: NumberedText) -> Any:
    """The tokens of a block, with NO_WORD after each line."""
    lines = np.arange(len(numbered.lengths))
    tokens = np.full(len(numbered.words) + len(lines), NO_WORD, np.int32)
    tokens[np.arange(len(numbered.words)) + np.repeat(lines, numbered.lengths)] = number[
        numbered.words
    ]
    return tokens


def prepared_blocks(
    paths: Sequence[str | Path], prepare: Prepare, jobs: int
) -> Iterator[tuple[NumberedText, int]]:
    """The tokens of each block, and its bytes."""
    chunks = (chunk for path in paths for chunk in chunks_of(path))
    yield from in_order(partial(_numbered, prepare), chunks, jobs)


def chunks_of(path: str | Path) -> Iterator[str]:
    """The text of a file by some megabytes of whole lines."""
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


def _numbered(prepare: Prepare, chunk: str) -> tuple[NumberedText, int]:
    return number_words(bytearray(prepare(chunk).encode())), len(chunk.encode())
