"""Files out: written beside their place, then moved into it, so that no half file is ever seen."""

import fcntl
import gzip
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, cast

from accord.errors import OutputError

STANDARD_OUTPUT = "-"
# A third of the time of gzip's own level 6, and files a fourteenth larger.
LEVEL = 4
LINES_AT_ONCE = 10_000


def check_place(out: Path) -> None:
    """A file can be there: what would else be found out only when it is written."""
    if str(out) == STANDARD_OUTPUT:
        return
    if out.is_dir():
        raise OutputError(f"{out}: expected the name of a file, found a folder")
    if not out.parent.is_dir():
        raise OutputError(f"{out}: there is no folder {out.parent}")


@contextmanager
def output_errors(path: Path) -> Iterator[None]:
    """A full disk, a missing right and their like as an error that names the path."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


class FolderLock:
    """Keeps other processes out of a folder for as long as it lives; a killed one lets go."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise OutputError(f"{folder}: another run is writing there; wait for it") from None

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            os.close(self._descriptor)


def clear_leftovers(folder: Path) -> None:
    """Remove what a killed process left beside its place."""
    for beside in [*folder.glob(".*.part"), *folder.glob(".*.old")]:
        shutil.rmtree(beside) if beside.is_dir() else beside.unlink()


def write_file(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """The file that `write` makes, whole or not at all; in gzip if the name ends with .gz. A link
    stays one, and so does a device or a pipe, which is written to; `-` is standard output."""
    if path.suffix == ".gz":
        write = _packed(write)
    if str(path) == STANDARD_OUTPUT:
        with output_errors(Path("standard output")):
            write(sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    path = path.resolve()
    with output_errors(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            with path.open("wb") as stream:
                write(stream)
            return
        beside = path.with_name(f".{path.name}.part")
        try:
            with beside.open("wb") as stream:
                write(stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


def _packed(write: Callable[[IO[bytes]], object]) -> Callable[[IO[bytes]], object]:
    def pack(stream: IO[bytes]) -> None:
        # Neither name nor time: the same content makes the same bytes.
        with gzip.GzipFile("", "wb", LEVEL, stream, mtime=0) as packed:
            write(cast(IO[bytes], packed))

    return pack


def write_text(path: Path, lines: Iterable[str]) -> None:
    """Lines of text, each with its line end."""

    def write(stream: IO[bytes]) -> None:
        rest = iter(lines)
        while block := [*islice(rest, LINES_AT_ONCE)]:
            stream.write("\n".join([*block, ""]).encode())

    write_file(path, write)


def write_folder(path: Path, fill: Callable[[Path], object]) -> None:
    """The folder that `fill` fills, whole or not at all."""
    beside = path.with_name(f".{path.name}.part")
    old = path.with_name(f".{path.name}.old")
    with output_errors(path):
        shutil.rmtree(beside, ignore_errors=True)
        try:
            beside.mkdir()
            fill(beside)
            # The old one is moved away whole: no folder under its final name is ever half gone.
            shutil.rmtree(old, ignore_errors=True)
            if path.exists():
                os.replace(path, old)
            os.replace(beside, path)
            shutil.rmtree(old, ignore_errors=True)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
