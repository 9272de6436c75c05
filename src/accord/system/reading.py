"""Input files: plain, gz, bz2, xz, zst or standard input; as lines of text or as bytes.

Lines have no byte order mark and no line end. If a file cannot be read, the InputError names the
file and, if possible, the line.
"""

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from accord.errors import InputError, ResourceError, is_machine_error

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

STANDARD_INPUT = "-"
# Lines that are decoded at a time: enough to be fast, few enough to fit in the processor's cache.
BLOCK = 2_000
# The errors of the operating system and of the decompressors.
DAMAGED = (OSError, EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError)


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (number, line) for each line of a file, numbered from 1."""
    for first, block in read_blocks(path):
        for number, line in enumerate(block[:-1].split("\n"), first):
            yield number, line.rstrip("\r")


def read_blocks(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (number of its first line, text) for each block of whole lines of a file.

    A block ends with a line feed, even if the file does not.
    """
    done = 0
    lines: list[bytes] = []
    with open_bytes(path) as stream:
        try:
            while True:
                lines = []
                # One by one: if a file is damaged, we know how many lines came before.
                for line in islice(stream, BLOCK):
                    lines.append(line)
                if not lines:
                    return
                text = b"".join(lines).decode("utf-8" if done else "utf-8-sig")
                yield done + 1, text if text.endswith("\n") else text + "\n"
                done += len(lines)
        except UnicodeDecodeError as error:
            number = done + 1 + error.object.count(b"\n", 0, error.start)
            raise InputError(
                f"{place(path, number)}: expected UTF-8, found the byte "
                f"0x{error.object[error.start]:02x}; convert the file to UTF-8"
            ) from None
        except DAMAGED as error:
            if number := done + len(lines):
                raise _choose_error(error)(
                    f"{place(path, number)}: unreadable after this line: {error}"
                ) from None
            raise


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file or standard input as bytes, decompressed according to the file name."""
    try:
        with _standard_input() if str(path) == STANDARD_INPUT else _open(Path(path)) as stream:
            yield stream
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: expected a file, found a folder") from None
    except DAMAGED as error:
        raise _choose_error(error)(f"{path}: unreadable: {error}") from None


def _choose_error(error: Exception) -> type[InputError] | type[ResourceError]:
    return ResourceError if is_machine_error(error) else InputError


def place(path: str | Path, line: int) -> str:
    """Return how messages name a line of a file."""
    return f"{'standard input' if str(path) == STANDARD_INPUT else path}, line {line}"


def _standard_input() -> AbstractContextManager[BinaryIO]:
    if sys.stdin is None:
        raise InputError("standard input: expected text, but it is closed")
    return nullcontext(sys.stdin.buffer)


def _open(path: Path) -> BinaryIO:
    match path.suffix:
        case ".gz":
            return cast(BinaryIO, gzip.open(path, "rb"))
        case ".bz2":
            return cast(BinaryIO, bz2.open(path, "rb"))
        case ".xz":
            return cast(BinaryIO, lzma.open(path, "rb"))
        case ".zst":
            return cast(BinaryIO, zstd.open(path, "rb"))
        case _:
            return path.open("rb")
