"""Text files in: plain, gz, bz2, xz, zst or standard input, line by line.

A line comes out without a byte order mark and without its line end. What cannot be read is an
InputError that names the file and, where there is one, the line.
"""

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, cast

from accord.errors import InputError

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

STANDARD_INPUT = "-"


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, from 1."""
    number = 0
    try:
        with _standard_input() if str(path) == STANDARD_INPUT else _open(Path(path)) as stream:
            for number, raw in enumerate(stream, start=1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                yield number, line.rstrip("\r\n")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: expected a file, found a folder") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{place(path, number)}: expected UTF-8, found the byte "
            f"0x{error.object[error.start]:02x}; convert the file to UTF-8"
        ) from None
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zstd.ZstdError) as error:
        where = (
            f"{place(path, number)}: unreadable after this line"
            if number
            else f"{path}: unreadable"
        )
        raise InputError(f"{where}: {error}") from None


def place(path: str | Path, line: int) -> str:
    """A file and a line of it, as messages name them."""
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
