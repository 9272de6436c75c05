"""The formats that `accord import` reads, by name. Add a new one to `READERS`."""

from collections.abc import Callable, Iterator
from pathlib import Path

from accord.formats import ImportFormatName
from accord.formats.csv import read_csv
from accord.formats.moses import read_moses
from accord.formats.muse import read_muse
from accord.formats.omegat import read_omegat
from accord.formats.records import ImportedRecords, Record, RequestedLanguages
from accord.formats.tbx import read_tbx
from accord.formats.tmx import read_tmx

Reader = Callable[[Path, RequestedLanguages], ImportedRecords]


def _keep_languages(read: Callable[[Path], Iterator[Record]]) -> Reader:
    """Adapt the reader of a format that has two languages and does not name them."""
    return lambda path, languages: ImportedRecords(languages, read(path))


READERS: dict[ImportFormatName, Reader] = {
    "tmx": read_tmx,
    "tbx": read_tbx,
    "muse": _keep_languages(read_muse),
    "omegat": _keep_languages(read_omegat),
    "csv": lambda path, languages: ImportedRecords(languages, read_csv(path, languages)),
    "moses": _keep_languages(read_moses),
}
