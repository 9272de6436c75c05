"""Input files: plain, compressed, with or without a byte order mark, and unreadable ones."""

import bz2
import errno
import gzip
import io
import lzma
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from accord.errors import InputError, ResourceError
from accord.system import reading
from accord.system.reading import read_lines, zstd

TEXT = "\ufeffeins zwei\r\ndrei\n\nvier".encode()
LINES = [(1, "eins zwei"), (2, "drei"), (3, ""), (4, "vier")]


@pytest.mark.parametrize(
    ("name", "content"),
    ids=lambda value: value if isinstance(value, str) else "",
    argvalues=[
        ("plain.txt", TEXT),
        ("text.gz", gzip.compress(TEXT, mtime=0)),
        ("text.bz2", bz2.compress(TEXT)),
        ("text.xz", lzma.compress(TEXT)),
        ("text.zst", zstd.compress(TEXT)),
    ],
)
def test_all_formats_give_the_same_lines(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert list(read_lines(tmp_path / name)) == LINES


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    assert list(read_lines("-")) == LINES


def test_line_ends_are_only_line_feeds(tmp_path: Path) -> None:
    """Other separators, such as U+2028, do not end lines, as in all tools of the field."""
    (tmp_path / "a").write_text("a\u2028b\x0cc\n", encoding="utf-8")
    assert list(read_lines(tmp_path / "a")) == [(1, "a\u2028b\x0cc")]


@pytest.mark.parametrize(
    ("name", "content"),
    ids=lambda value: value if isinstance(value, str) else "",
    argvalues=[
        ("cut.gz", gzip.compress(TEXT * 100, mtime=0)[:-20]),
        ("not.gz", b"plain text"),
        ("not.bz2", b"plain text"),
        ("cut.xz", lzma.compress(TEXT)[:-20]),
        ("not.xz", b"plain text"),
        ("cut.zst", zstd.compress(TEXT * 100)[:-5]),
        ("not.zst", b"plain text"),
    ],
)
def test_damaged_files(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}.*: unreadable"):
        list(read_lines(tmp_path / name))


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(InputError, match="Permission denied"):
        list(read_lines(tmp_path / "a"))


@pytest.mark.parametrize("block", [1, 2, 100])
def test_lines_are_counted_across_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(reading, "BLOCK", block)
    (tmp_path / "a").write_bytes(b"a\n\n\nb")
    assert list(read_lines(tmp_path / "a")) == [(1, "a"), (2, ""), (3, ""), (4, "b")]
    (tmp_path / "a").write_bytes("\ufeff".encode() + b"a\n\n\n\xc3\xa9 \xe9 b\nc")
    with pytest.raises(InputError, match="a, line 4: expected UTF-8, found the byte 0xe9;"):
        list(read_lines(tmp_path / "a"))


def test_the_line_where_a_file_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Path) -> object:
        def lines() -> Iterator[bytes]:
            yield from [b"a\n", b"b\n", b"c\n"]
            raise EOFError("no more")

        return nullcontext(lines())

    monkeypatch.setattr(reading, "_open", broken)
    with pytest.raises(InputError, match="a, line 3: unreadable after this line: no more"):
        list(read_lines(tmp_path / "a"))


def test_an_unreadable_device_is_no_mistake_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(ResourceError, match=r"a: unreadable: .*Input/output error") as found:
        [*read_lines(tmp_path / "a")]
    assert found.value.exit_code == 1
    assert InputError.exit_code == 2
