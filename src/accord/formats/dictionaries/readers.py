"""Reading a dictionary in any format, which is recognised by the file name or the first line.

MUSE files and other tables of two columns are read here. In tab-separated columns, a cell can have
several glosses. Columns after the second are ignored, but a line is skipped if its third column is
`rejected`, as in a seed.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from accord.errors import InputError
from accord.formats.dictionaries.cedict import is_cedict, read_cedict, read_installed_cedict
from accord.formats.dictionaries.freedict import read_freedict
from accord.formats.dictionaries.glosses import split_glosses
from accord.formats.dictionaries.stardict import find_stardict, read_stardict
from accord.system.reading import place, read_lines

INSTALLED = "cedict"


def read_dictionary(name: str) -> Iterator[tuple[str, str]]:
    """Yield each word of a dictionary with each of its glosses, as they are in the file."""
    if name == INSTALLED and not Path(name).exists():
        yield from read_installed_cedict()
        return
    if base := find_stardict(Path(name)):
        yield from read_stardict(base)
        return
    lines = read_lines(name)
    head = []
    for number, line in lines:
        head.append((number, line))
        if line.strip() and not line.startswith("#"):
            break
    first, rest = head[-1][1] if head else "", chain(head, lines)
    if first.lstrip().startswith("<"):
        yield from read_freedict(name, rest)
    elif is_cedict(first):
        yield from read_cedict(name, rest)
    else:
        yield from _read_table(name, rest)


def _read_table(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    for number, line in lines:
        if "\t" in line:
            left, right, *others = line.split("\t")
            if others[:1] != ["rejected"]:
                yield from (
                    (word, gloss) for word in split_glosses(left) for gloss in split_glosses(right)
                )
        elif line.strip() and not line.startswith("#"):
            match line.split():
                case word, gloss:
                    yield word, gloss
                case _:
                    raise InputError(
                        f"{place(name, number)}: expected two columns (tab-separated, or two "
                        f"words), CC-CEDICT, FreeDict or StarDict, found {line[:60]!r}"
                    )
