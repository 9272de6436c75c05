"""ARPA files: language models as text, which every toolkit reads.

    \\data\\
    ngram 1=3000
    ngram 2=20000

    \\1-grams:
    -3.412345<tab>word<tab>-0.301030

    \\2-grams:
    -1.204120<tab>two words

    \\end\\

A line holds log10 p of the last word, the words, and log10 of the back-off weight. The weight may
be missing if it is 0, and is never given for n-grams of the highest order.

Python reads the words, a kernel the longer n-grams. A truncated or damaged file is an error that
names the line.
"""

import re
from collections.abc import Iterable, Iterator
from math import isnan, nan
from pathlib import Path

import numpy as np

from accord.errors import InputError
from accord.system.arrays import Floats32, offsets_of
from accord.system.reading import place, read_blocks
from accord.system.writing import write_file
from accord.translate.language_model import arpa_kernels as kernels
from accord.translate.language_model.arpa_kernels import NgramRows, Spelling, WordTable
from accord.translate.language_model.trie import (
    BEGIN,
    END,
    UNKNOWN,
    LanguageModel,
    TrieBuilder,
    UnfitRowError,
)
from accord.translate.language_model.trie_kernels import ROOT

DATA, END_OF_FILE = "\\data\\", "\\end\\"
# log10 p of an unknown word if the file has none, as in KenLM.
MISSING_UNKNOWN = -100.0
# A damaged file may announce huge numbers of n-grams: memory is first allocated for this many.
ROOM = 1 << 20
NODES_PER_BLOCK = 100_000
BLANKS = " \t\r"
_COUNT = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)")
_BETWEEN = re.compile(f"[{BLANKS}]+")


def _format_title(length: int) -> str:
    """Return the line above the n-grams of a length."""
    return f"\\{length}-grams:"


def _spell_words(words: Iterable[str]) -> Spelling:
    encoded = [word.encode() for word in words]
    letters = np.frombuffer(b"".join(encoded), np.uint8)
    return Spelling(letters, offsets_of(np.array([len(word) for word in encoded])))


# Writing


def write_arpa(path: Path, model: LanguageModel) -> None:
    """Write a model, compressed if the name ends with .gz. The same model gives the same bytes."""
    write_file(path, lambda stream: stream.writelines(arpa_blocks(model)))


def arpa_blocks(model: LanguageModel) -> Iterator[bytes]:
    """Yield the bytes of the file."""
    spelling, trie = _spell_words(model.numbers), model.trie
    parents = np.repeat(
        np.arange(len(model.words), dtype=np.int32), np.diff(model.offsets)
    )  # of every node except the root
    parents = np.concatenate([np.zeros(1, np.int32), parents])
    header = [DATA, *(f"ngram {length}={size}" for length, size in enumerate(model.sizes, 1))]
    yield "\n".join([*header, ""]).encode()
    begin = ROOT + 1
    for length, size in enumerate(model.sizes, 1):
        yield f"\n{_format_title(length)}\n".encode()
        for first in range(begin, begin + size, NODES_PER_BLOCK):
            last = min(first + NODES_PER_BLOCK, begin + size)
            yield kernels.print_nodes(trie, parents, spelling, length, first, last).tobytes()
        begin += size
    yield f"\n{END_OF_FILE}\n".encode()


# Reading


def read_arpa(path: str | Path) -> LanguageModel:
    """Read the language model of an ARPA file, which may be compressed."""
    file = _File(path)
    sizes = _read_sizes(file)
    vocabulary, log_prob, backoff = _read_unigrams(file, sizes[0])
    trie = TrieBuilder(vocabulary, log_prob, backoff)
    table = _build_word_table(vocabulary)
    for length, size in enumerate(sizes[1:], 2):
        _expect(file, _format_title(length), length - 1, sizes[length - 2])
        first = file.number + 1
        try:
            trie.add(*_read_ngrams(file, length, size, table))
        except UnfitRowError as error:
            where = place(path, first + error.row)
            raise InputError(f"{where}: found an n-gram {error}") from None
    _expect(file, END_OF_FILE, len(sizes), sizes[-1])
    return trie.model


class _File:
    """A file that is read line by line, or many lines at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.number = 0  # of the line that was read last
        self._blocks = read_blocks(path)
        self._text = np.empty(0, np.uint8)
        self._at = 0

    def has_more(self) -> bool:
        if self._at == len(self._text):
            _, block = next(self._blocks, (0, ""))
            self._text, self._at = np.frombuffer(block.encode(), np.uint8), 0
        return bool(len(self._text))

    def lines(self) -> Iterator[str]:
        while (line := self.next()) is not None:
            yield line

    def next(self) -> str | None:
        """Return the next line without surrounding blanks, or None at the end."""
        if not self.has_more():
            return None
        end = self._at + int(np.argmax(self._text[self._at :] == ord("\n")))
        line, self._at = self._text[self._at : end].tobytes(), end + 1
        self.number += 1
        return line.decode().strip(BLANKS)

    def next_filled(self) -> str | None:
        """Return the next line that is not empty."""
        return next(filter(None, self.lines()), None)

    def parse(self, table: WordTable, rows: NgramRows, done: int) -> tuple[int, int]:
        """Continue to fill the rows; return (how many are done, the error in the next line)."""
        before = done
        done, self._at, wrong = kernels.parse_lines(self._text, self._at, table, rows, done)
        self.number += done - before
        return done, wrong

    def error(self, expected: str, found: str | None) -> InputError:
        what = "the end of the file: it was cut off" if found is None else repr(found[:60])
        return InputError(f"{place(self.path, self.number)}: expected {expected}, found {what}")


def _read_sizes(file: _File) -> list[int]:
    """Read how many n-grams of each length the file announces."""
    # Some programs write a comment before it.
    if DATA not in file.lines():
        raise InputError(f"{file.path}: expected an ARPA file, found no line {DATA}")
    sizes: list[int] = []
    while match := _COUNT.fullmatch(line := file.next_filled() or ""):
        if int(match[1]) != len(sizes) + 1:
            raise file.error(f"ngram {len(sizes) + 1}=…", line)
        sizes.append(int(match[2]))
    if not sizes:
        raise file.error("ngram 1=…", line or None)
    if line != _format_title(1):
        raise file.error(_format_title(1), line or None)
    return sizes


def _expect(file: _File, line: str, length: int, size: int) -> None:
    if (found := file.next_filled()) != line:
        raise file.error(f"{line} after {size:,} {length}-grams", found)


def _read_unigrams(file: _File, size: int) -> tuple[dict[str, int], Floats32, Floats32]:
    """Read the 1-grams: the numbers of the words, their log10 p and their back-off weights."""
    numbers = {UNKNOWN: 0}
    log_prob, backoff = [MISSING_UNKNOWN], [0.0]
    has_unknown = False
    for done in range(size):
        line = file.next()
        probability, word, weight = _split_unigram(line or "")
        if isnan(probability + weight):
            raise file.error(_expected_line(1, done, size), line)
        if probability > 0:
            raise file.error(WRONG[kernels.POSITIVE], line)
        if word == UNKNOWN and not has_unknown:
            has_unknown = True
            log_prob[0], backoff[0] = probability, weight
            continue
        if word in numbers:
            raise file.error("each word once", line)
        numbers[word] = len(numbers)
        log_prob.append(probability)
        backoff.append(weight)
    for word in (BEGIN, END):
        if word not in numbers:
            raise InputError(f"{file.path}: expected {word} among the 1-grams, found none")
    return numbers, np.array(log_prob, np.float32), np.array(backoff, np.float32)


def _split_unigram(line: str) -> tuple[float, str, float]:
    """Return (log10 p, word, log10 of the back-off weight); nan for what is not a number."""
    match _BETWEEN.split(line):
        case [probability, word]:
            return _parse_number(probability), word, 0.0
        case [probability, word, weight]:
            return _parse_number(probability), word, _parse_number(weight)
        case _:
            return nan, "", nan


def _parse_number(text: str) -> float:
    digits = np.frombuffer(text.encode(), np.uint8)
    good, value = kernels.parse_decimal(digits, 0, len(digits))
    return value if good else nan


def _build_word_table(vocabulary: dict[str, int]) -> WordTable:
    """Build the hash table in which the kernel looks words up."""
    spelling = _spell_words(vocabulary)
    slots = np.zeros(1 << (2 * len(vocabulary)).bit_length(), np.int32)
    kernels.fill_word_table(*spelling, slots)
    return WordTable(*spelling, slots)


def _read_ngrams(file: _File, length: int, size: int, table: WordTable) -> NgramRows:
    rows = _allocate_rows(min(size, ROOM), length)
    done = wrong = 0
    while done < size and file.has_more():
        if done == len(rows.words):
            larger = _allocate_rows(min(size, 2 * done), length)
            for old, new in zip(rows, larger, strict=True):
                new[:done] = old
            rows = larger
        before = done
        done, wrong = file.parse(table, rows, done)
        if wrong or done == before:
            break
    if done < size:
        raise file.error(WRONG.get(wrong) or _expected_line(length, done, size), file.next())
    return rows


def _allocate_rows(size: int, length: int) -> NgramRows:
    numbers = np.empty(size, np.float32), np.empty(size, np.float32)
    return NgramRows(np.empty((size, length), np.int32), *numbers)


def _expected_line(length: int, done: int, size: int) -> str:
    words = "its word" if length == 1 else f"its {length} words"
    number = f"{length}-gram {done + 1:,} of {size:,}"
    return f"{number} (log10 p, {words}, optionally a back-off weight)"


WRONG = {
    kernels.UNKNOWN_WORD: "words that are among the 1-grams",
    kernels.POSITIVE: "a log10 probability, which is 0 at most",
}
