"""An ARPA file to a language model.

Its words are read by Python, its longer n-grams by a kernel. A file that was cut off or is damaged
is an error that names the line.
"""

import re
from collections.abc import Iterator
from math import isnan, nan
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError
from accord.system.arrays import offsets_of
from accord.system.reading import place, read_blocks
from accord.translate.language_model import BEGIN, END, UNKNOWN, LanguageModel
from accord.translate.language_model.arpa import DATA, END_OF_FILE, title
from accord.translate.language_model.arpa import arpa_kernels as kernels
from accord.translate.language_model.growing import GrowingTrie, UnfitRowError

# log10 p of an unknown word in a model that has none, as KenLM has it.
MISSING_UNKNOWN = -100.0
# A file may name great numbers that it does not hold: there is room for so many at first.
ROOM = 1 << 20
BLANKS = " \t\r"
_COUNT = re.compile(r"ngram\s+(\d+)\s*=\s*(\d+)")
_BETWEEN = re.compile(f"[{BLANKS}]+")


def read_arpa(path: str | Path) -> LanguageModel:
    """The language model of an ARPA file, which may be compressed."""
    file = _File(path)
    sizes = _sizes(file)
    vocabulary, log_prob, backoff = _words(file, sizes[0])
    trie = GrowingTrie(vocabulary, log_prob, backoff)
    spelling = _spelling(vocabulary)
    for length, size in enumerate(sizes[1:], 2):
        _expect(file, title(length), length - 1, sizes[length - 2])
        first = file.number + 1
        try:
            trie.add(*_longer(file, length, size, spelling))
        except UnfitRowError as error:
            where = place(path, first + error.row)
            raise InputError(f"{where}: found an n-gram {error}") from None
    _expect(file, END_OF_FILE, len(sizes), sizes[-1])
    return trie.model


class Grams(NamedTuple):
    """The n-grams of one length, as the file has them."""

    words: NDArray[np.int32]  # a row each
    log_prob: NDArray[np.float32]
    backoff: NDArray[np.float32]

    @classmethod
    def room_for(cls, size: int, length: int) -> "Grams":
        numbers = np.empty(size, np.float32), np.empty(size, np.float32)
        return cls(np.empty((size, length), np.int32), *numbers)


Spelling = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int32]]


class _File:
    """The lines of a file, one by one or many at once."""

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
        """The next line without blanks around it; None at the end."""
        if not self.has_more():
            return None
        end = self._at + int(np.argmax(self._text[self._at :] == ord("\n")))
        line, self._at = self._text[self._at : end].tobytes(), end + 1
        self.number += 1
        return line.decode().strip(BLANKS)

    def next_filled(self) -> str | None:
        """The next line that is not empty."""
        return next(filter(None, self.lines()), None)

    def parse(self, spelling: Spelling, grams: Grams, done: int) -> tuple[int, int]:
        """Read on into these rows: (how many are done, what is wrong with the next line)."""
        before = done
        done, self._at, wrong = kernels.parse_lines(self._text, self._at, spelling, *grams, done)
        self.number += done - before
        return done, wrong

    def error(self, expected: str, found: str | None) -> InputError:
        what = "the end of the file: it was cut off" if found is None else repr(found[:60])
        return InputError(f"{place(self.path, self.number)}: expected {expected}, found {what}")


def _sizes(file: _File) -> list[int]:
    """How many n-grams of each length there are to be."""
    # Its maker may have left a word before.
    if DATA not in file.lines():
        raise InputError(f"{file.path}: expected an ARPA file, found no line {DATA}")
    sizes: list[int] = []
    while match := _COUNT.fullmatch(line := file.next_filled() or ""):
        if int(match[1]) != len(sizes) + 1:
            raise file.error(f"ngram {len(sizes) + 1}=…", line)
        sizes.append(int(match[2]))
    if not sizes:
        raise file.error("ngram 1=…", line or None)
    if line != title(1):
        raise file.error(title(1), line or None)
    return sizes


def _expect(file: _File, line: str, length: int, size: int) -> None:
    if (found := file.next_filled()) != line:
        raise file.error(f"{line} after {size:,} {length}-grams", found)


def _words(
    file: _File, size: int
) -> tuple[dict[str, int], NDArray[np.float32], NDArray[np.float32]]:
    """The numbers of the words, and what the file says of them."""
    numbers = {UNKNOWN: 0}
    log_prob, backoff = [MISSING_UNKNOWN], [0.0]
    has_unknown = False
    for done in range(size):
        line = file.next()
        probability, word, weight = _fields(line or "")
        if isnan(probability + weight):
            raise file.error(_expected(1, done, size), line)
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


def _fields(line: str) -> tuple[float, str, float]:
    """(log10 p, word, log10 of the weight) of a line; a number is nan if it cannot be read."""
    match _BETWEEN.split(line):
        case [probability, word]:
            return _number(probability), word, 0.0
        case [probability, word, weight]:
            return _number(probability), word, _number(weight)
        case _:
            return nan, "", nan


def _number(text: str) -> float:
    digits = np.frombuffer(text.encode(), np.uint8)
    good, value = kernels.decimal(digits, 0, len(digits))
    return value if good else nan


def _spelling(vocabulary: dict[str, int]) -> Spelling:
    """The words as the kernel finds them."""
    encoded = [word.encode() for word in vocabulary]
    letters = np.frombuffer(b"".join(encoded), np.uint8)
    offsets = offsets_of(np.array([len(word) for word in encoded]))
    slots = np.zeros(1 << (2 * len(encoded)).bit_length(), np.int32)
    kernels.hash_words(letters, offsets, slots)
    return letters, offsets, slots


def _longer(file: _File, length: int, size: int, spelling: Spelling) -> Grams:
    grams = Grams.room_for(min(size, ROOM), length)
    done = wrong = 0
    while done < size and file.has_more():
        if done == len(grams.words):
            larger = Grams.room_for(min(size, 2 * done), length)
            for old, new in zip(grams, larger, strict=True):
                new[:done] = old
            grams = larger
        before = done
        done, wrong = file.parse(spelling, grams, done)
        if wrong or done == before:
            break
    if done < size:
        raise file.error(WRONG.get(wrong) or _expected(length, done, size), file.next())
    return grams


def _expected(length: int, done: int, size: int) -> str:
    words = "its word" if length == 1 else f"its {length} words"
    return f"{length}-gram {done + 1:,} of {size:,} (log10 p, {words}, perhaps a back-off weight)"


WRONG = {
    kernels.UNKNOWN_WORD: "words that are among the 1-grams",
    kernels.POSITIVE: "a log10 probability, which is 0 at most",
}
