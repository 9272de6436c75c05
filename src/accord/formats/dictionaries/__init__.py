"""Dictionaries as people have them: each format is told by its name and its first line.

MUSE files and other tables of two columns are read here. With a tab between the columns a cell
may have several glosses; columns after the second are passed over, and with them the line if the
third says `rejected`, as in a seed.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from accord.errors import InputError
from accord.formats.dictionaries.cedict import installed_cedict, is_cedict, read_cedict
from accord.formats.dictionaries.freedict import read_freedict
from accord.formats.dictionaries.glosses import parts
from accord.formats.dictionaries.stardict import read_stardict, stardict_base
from accord.system.reading import place, read_lines

INSTALLED = "cedict"

Pair = tuple[str, str]


def read_dictionary(name: str) -> Iterator[Pair]:
    """The words of a dictionary, each with each of its glosses, as they stand there."""
    if name == INSTALLED and not Path(name).exists():
        yield from installed_cedict()
        return
    if base := stardict_base(Path(name)):
        yield from read_stardict(base)
        return
    lines = read_lines(name)
    passed = []
    for number, line in lines:
        passed.append((number, line))
        if line.strip() and not line.startswith("#"):
            break
    first, rest = passed[-1][1] if passed else "", chain(passed, lines)
    if first.lstrip().startswith("<"):
        yield from read_freedict(name, rest)
    elif is_cedict(first):
        yield from read_cedict(name, rest)
    else:
        yield from _read_table(name, rest)


def _read_table(name: str, lines: Iterable[tuple[int, str]]) -> Iterator[Pair]:
    for number, line in lines:
        if "\t" in line:
            left, right, *others = line.split("\t")
            if others[:1] != ["rejected"]:
                yield from ((word, gloss) for word in parts(left) for gloss in parts(right))
        elif line.strip() and not line.startswith("#"):
            match line.split():
                case word, gloss:
                    yield word, gloss
                case _:
                    raise InputError(
                        f"{place(name, number)}: expected two columns (a tab between them, or two "
                        f"words), CC-CEDICT, FreeDict or StarDict, found {line[:60]!r}"
                    )
