"""The formats that `accord import` reads, by name."""

from collections.abc import Callable, Iterator
from pathlib import Path

from accord.formats.concepts import Asked, Pairs
from accord.formats.csv import read_csv
from accord.formats.moses import read_moses
from accord.formats.muse import read_muse
from accord.formats.omegat import read_omegat
from accord.formats.records import Record
from accord.formats.tbx import read_tbx
from accord.formats.tmx import read_tmx_records

Reader = Callable[[Path, Asked], Pairs]


def _of_two_languages(read: Callable[[Path], Iterator[Record]]) -> Reader:
    """A format that has two languages anyway, and does not say which."""
    return lambda path, languages: Pairs(languages, read(path))


READERS: dict[str, Reader] = {
    "tmx": read_tmx_records,
    "tbx": read_tbx,
    "muse": _of_two_languages(read_muse),
    "omegat": _of_two_languages(read_omegat),
    "csv": lambda path, languages: Pairs(languages, read_csv(path, languages)),
    "moses": _of_two_languages(read_moses),
}
