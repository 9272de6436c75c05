"""Files out: what stands in their place stays what it is."""

import gzip
import os
from pathlib import Path
from threading import Thread

import pytest

from accord.system.writing import LINES_PER_WRITE, write_text


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    link, file = tmp_path / "link", tmp_path / "file"
    file.write_text("old", encoding="utf-8")
    link.symlink_to(file)
    write_text(link, ["new"])
    assert link.is_symlink()
    assert file.read_text(encoding="utf-8") == "new\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_text(pipe, ["one", "two"])
    reader.join()
    assert read == ["one\ntwo\n"]
    assert pipe.is_fifo()


def test_packed_if_the_name_says_so(tmp_path: Path) -> None:
    lines = [*map(str, range(LINES_PER_WRITE + 2))]
    for name in ("one.gz", "other.gz"):
        write_text(tmp_path / name, iter(lines))
    one, other = ((tmp_path / name).read_bytes() for name in ("one.gz", "other.gz"))
    assert one == other
    assert gzip.decompress(one).decode().splitlines() == lines
    write_text(tmp_path / "none.gz", [])
    assert gzip.decompress((tmp_path / "none.gz").read_bytes()) == b""


def test_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_text(Path("-"), ["one", "ö"])
    assert capfdbinary.readouterr().out == "one\nö\n".encode()
