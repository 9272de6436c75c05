"""What the functions are given, as the objects that the package works with."""

from collections.abc import Iterable
from logging import getLogger
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import OutputError, SettingError

if TYPE_CHECKING:
    from accord.corpus.loading import LoadedCorpus
    from accord.evidence.seed import Entry, ReviewedEntry, SeedLexicon
    from accord.runs.evaluation import Gold

LOGGER = getLogger("accord")


def load_corpus(given: str | Path | Iterable[str], max_words: int, name: str) -> "LoadedCorpus":
    from accord.corpus.loading import load_phrases, read_phrases

    if isinstance(given, str | Path):
        return read_phrases(given, max_words)
    return load_phrases(given, max_words, name)


def load_seed(given: "str | Path | Iterable[Entry | ReviewedEntry]") -> "SeedLexicon":
    from accord.evidence.seed import SeedLexicon, read_seed

    return read_seed(given) if isinstance(given, str | Path) else SeedLexicon.of(given)


def load_gold(given: str | Path | Iterable[tuple[str, str]]) -> "Gold":
    from accord.runs.evaluation import Gold, read_gold

    return read_gold(given) if isinstance(given, str | Path) else Gold.of(given)


def check_out(out: str | Path | None, *inputs: object) -> None:
    """Raise an error if the output is one of the inputs, or a folder with one of the files."""
    if out is None:
        return
    place = Path(out).resolve()
    for given in inputs:
        path = Path(given).resolve() if isinstance(given, str | Path) else None
        if path and (path == place or (path.is_file() and path.parent == place)):
            raise OutputError(f"{out}: is or holds the input {given}; choose another place")


def check_least(least: int, **given: int | None) -> None:
    """Raise an error for a parameter that is smaller than this."""
    for name, value in given.items():
        if value is not None and value < least:
            raise SettingError(f"{name}: must be at least {least}, found {value}")


def ignore_progress(_: int) -> None:
    """Take the number of bytes that were read."""


def list_paths(given: str | Path | Iterable[str | Path]) -> list[Path]:
    """Return the paths of one file or several."""
    return [Path(given)] if isinstance(given, str | Path) else [*map(Path, given)]


def optional_path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)
