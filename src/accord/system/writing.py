"""Output files: written under a temporary name, then moved, so that no incomplete file is seen."""

import gzip
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import IO, cast

from accord.errors import OutputError, ResourceError, is_machine_error

STANDARD_OUTPUT = "-"
# A third of the time of gzip's default level 6, for files that are 7% larger.
GZIP_LEVEL = 4
LINES_PER_WRITE = 10_000
# How often moving a folder is tried: other processes may move theirs to the same place.
ATTEMPTS = 100


def check_place(out: Path) -> None:
    """Raise an error if a file cannot be written there, before it takes work to make it."""
    if str(out) == STANDARD_OUTPUT:
        return
    if out.is_dir():
        raise OutputError(f"{out}: expected the name of a file, found a folder")
    if not out.parent.is_dir():
        raise OutputError(f"{out}: there is no folder {out.parent}")


def check_absent(out: Path) -> None:
    """Raise an error if a file exists; devices, pipes and standard output can be written to."""
    if str(out) != STANDARD_OUTPUT and out.is_file():
        raise OutputError(f"{out}: exists; replace it with --force, or choose another file")


def check_new_folder(out: Path, names: Iterable[str], *, force: bool) -> None:
    """Raise an error if the folder exists or, with force, has other files than these."""
    if not out.exists():
        return
    if not force:
        raise OutputError(f"{out}: exists; replace it with --force, or choose another folder")
    if not out.is_dir():
        raise OutputError(f"{out}: expected a folder for the results, found a file")
    if others := sorted({path.name for path in out.iterdir()} - {*names}):
        raise OutputError(f"{out}: holds {others[0]}, which is no result; choose another folder")


@contextmanager
def output_errors(path: Path) -> Iterator[None]:
    """Turn errors of the system, such as a full disk, into an error that names the path."""
    try:
        yield
    except OSError as error:
        kind = ResourceError if is_machine_error(error) else OutputError
        raise kind(f"{path}: cannot be written: {error.strerror or error}") from error


def clear_leftovers(folder: Path) -> None:
    """Remove temporary files and folders that a killed process has left."""
    for path in [*folder.glob(".*.part"), *folder.glob(".*.old")]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def temporary_path(path: Path, suffix: str) -> Path:
    """Return a new name in the same folder, which `clear_leftovers` recognises."""
    return path.with_name(f".{path.name}.{token_hex(8)}{suffix}")


def write_file(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file completely or not at all; with gzip if the name ends with .gz.

    The target of a link is replaced; devices and pipes are written to; `-` is standard output.
    """
    if path.suffix == ".gz":
        write = _compressed(write)
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
        part = temporary_path(path, ".part")
        try:
            with part.open("xb") as stream:
                write(stream)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def _compressed(write: Callable[[IO[bytes]], object]) -> Callable[[IO[bytes]], object]:
    def compress(stream: IO[bytes]) -> None:
        # Neither name nor time: the same content makes the same bytes.
        with gzip.GzipFile("", "wb", GZIP_LEVEL, stream, mtime=0) as compressed:
            write(cast(IO[bytes], compressed))

    return compress


def write_text(path: Path, lines: Iterable[str]) -> None:
    """Write lines of text, and end each with a line feed."""

    def write(stream: IO[bytes]) -> None:
        rest = iter(lines)
        while block := [*islice(rest, LINES_PER_WRITE)]:
            stream.write("\n".join([*block, ""]).encode())

    write_file(path, write)


def write_folder(path: Path, fill: Callable[[Path], object]) -> None:
    """Create a folder and its contents completely or not at all."""
    part = temporary_path(path, ".part")
    with output_errors(path):
        try:
            part.mkdir()
            fill(part)
            _move_folder(part, path)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise


def _move_folder(part: Path, path: Path) -> None:
    """Move a complete folder to its place, after moving away the one that is there."""
    for attempt in range(ATTEMPTS):
        old = temporary_path(path, ".old")
        with suppress(FileNotFoundError):
            os.replace(path, old)
        try:
            os.replace(part, path)
        except OSError:
            # The old folder goes back, unless another process has moved its own there.
            with suppress(OSError):
                os.replace(old, path)
            if attempt == ATTEMPTS - 1:
                raise
        else:
            return
        finally:
            shutil.rmtree(old, ignore_errors=True)
