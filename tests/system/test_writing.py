"""Output files: links, pipes, compression, and several writers of one file or folder."""

import gzip
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import IO

import pytest

from accord.errors import OutputError
from accord.system.writing import (
    LINES_PER_WRITE,
    check_new_folder,
    clear_leftovers,
    write_file,
    write_folder,
    write_text,
)


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


def test_compressed_if_the_name_ends_with_gz(tmp_path: Path) -> None:
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


def test_two_writers_of_one_folder(tmp_path: Path) -> None:
    """The second one begins and ends while the first one writes; each folder is complete."""
    folder = tmp_path / "model"

    def fill(name: str, meanwhile: Callable[[], object]) -> Callable[[Path], None]:
        def write(path: Path) -> None:
            (path / "one").write_text(name)
            meanwhile()
            (path / "other").write_text(name)

        return write

    seen: list[list[str]] = []

    def second() -> None:
        write_folder(folder, fill("second", lambda: None))
        seen.append(texts_in(folder))

    write_folder(folder, fill("first", second))
    assert [*seen, texts_in(folder)] == [["second"] * 2, ["first"] * 2]
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def texts_in(folder: Path) -> list[str]:
    return [path.read_text() for path in sorted(folder.iterdir())]


def test_two_writers_of_one_file(tmp_path: Path) -> None:
    def write(stream: IO[bytes]) -> None:
        stream.write(b"first ")
        write_text(tmp_path / "file", ["second"])
        assert (tmp_path / "file").read_text() == "second\n"
        stream.write(b"writer")

    write_file(tmp_path / "file", write)
    assert (tmp_path / "file").read_text() == "first writer"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_many_writers_of_one_folder(tmp_path: Path) -> None:
    def fill(path: Path) -> None:
        for name in ("one", "other"):
            (path / name).write_text(path.name)

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(write_folder, tmp_path / "model", fill) for _ in range(80)]:
            done.result()
    one, other = texts_in(tmp_path / "model")
    assert one == other
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_the_old_folder_stays_if_the_new_one_cannot_be_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "model"
    write_folder(folder, lambda path: (path / "file").write_text("old"))
    replace = os.replace

    def refuse(source: Path, target: Path) -> None:
        if source.suffix == ".part":
            raise PermissionError(13, "Permission denied")
        replace(source, target)

    monkeypatch.setattr("accord.system.writing.os.replace", refuse)
    with pytest.raises(OutputError, match=r"model: cannot be written: Permission denied$"):
        write_folder(folder, lambda path: (path / "file").write_text("new"))
    assert texts_in(folder) == ["old"]
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_what_killed_processes_leave_is_removed(tmp_path: Path) -> None:
    names: list[str] = []

    def leave(path: Path) -> None:
        names.append(path.name)
        path.with_name(path.name.replace("model", "kept")).mkdir()

    write_folder(tmp_path / "model", leave)
    assert [path.name for path in tmp_path.glob(".kept.*.part")]
    clear_leftovers(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    write_folder(tmp_path / "model", leave)
    assert len({*names}) == 2


def test_permissions_are_those_of_new_files(tmp_path: Path) -> None:
    """Not those of temporary files, which only the owner can read."""
    (tmp_path / "plain").touch()
    (tmp_path / "folder").mkdir()
    write_text(tmp_path / "file", ["text"])
    write_folder(tmp_path / "model", lambda path: (path / "file").touch())
    modes = {path.name: stat.filemode(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes["file"] == modes["plain"]
    assert modes["model"] == modes["folder"]


def test_new_folders(tmp_path: Path) -> None:
    out = tmp_path / "out"
    check_new_folder(out, ["a"], force=False)
    out.mkdir()
    (out / "a").touch()
    with pytest.raises(OutputError, match="out: exists; replace it with --force"):
        check_new_folder(out, ["a"], force=False)
    check_new_folder(out, ["a"], force=True)
    (out / "photo").touch()
    with pytest.raises(OutputError, match="out: holds photo, which is no result"):
        check_new_folder(out, ["a"], force=True)
    with pytest.raises(OutputError, match="expected a folder for the results, found a file"):
        check_new_folder(out / "a", ["a"], force=True)
