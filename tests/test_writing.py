"""Files out: what stands in their place stays what it is."""

import os
from pathlib import Path
from threading import Thread

from accord.writing import write_text


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
