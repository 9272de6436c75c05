"""Small pieces that many tests use."""

import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from accord.planted import Planted, plant
from accord.runners.threads import Threads

# Time must not fail a test, and a green run must be green again.
settings.register_profile("accord", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("accord")

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def runner() -> Threads:
    return Threads(2)


@pytest.fixture(scope="session")
def small() -> Planted:
    return plant(words=60, phrases=150, noise=50, random=1)


@pytest.fixture
def laid_out(small: Planted, tmp_path: Path) -> Path:
    """A folder with source.txt, target.txt, seed.tsv and gold.tsv."""
    lay_out(small, tmp_path, seeds=15)
    return tmp_path


def lay_out(planted: Planted, folder: Path, seeds: int) -> None:
    def tab_separated(pairs: list[tuple[str, str]]) -> str:
        return "".join(f"{source}\t{target}\n" for source, target in pairs)

    (folder / "source.txt").write_text("\n".join(planted.source) + "\n", encoding="utf-8")
    (folder / "target.txt").write_text("\n".join(planted.target) + "\n", encoding="utf-8")
    (folder / "seed.tsv").write_text(tab_separated(planted.lexicon[:seeds]), encoding="utf-8")
    (folder / "gold.tsv").write_text(tab_separated(planted.gold), encoding="utf-8")


@pytest.fixture
def accord(tmp_path: Path) -> Run:
    """The command itself, in a process of its own."""

    def run(
        *arguments: object, stdin: bytes | None = None, cwd: Path = tmp_path
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "accord", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=cwd,
            env={**os.environ, "COLUMNS": "80"},
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a run but the trace, whose seconds differ."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "trace.jsonl"
    }


def on_a_terminal(folder: Path, *arguments: str) -> str:
    """What the command shows on the standard error of a terminal of 80 columns."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=child,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(child)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error on Linux
        while part := os.read(parent, 4096):
            shown += part
    os.close(parent)
    assert process.wait() == 0
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
