"""The lock on a folder: held by one process at a time, and released however the process ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accord.errors import OutputError
from accord.system.locks import lock_folder

HOLD = """
import sys
from pathlib import Path
from accord.system.locks import lock_folder
with lock_folder(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""
LOCKED = "another run is writing there; wait for it, or choose another folder$"


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    with (
        lock_folder(tmp_path),
        pytest.raises(OutputError, match=LOCKED),
        lock_folder(tmp_path),
    ):
        pass
    with lock_folder(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_a_lock_is_released_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), lock_folder(tmp_path):
        raise ZeroDivisionError
    with lock_folder(tmp_path):
        pass


def test_a_killed_process_releases_its_lock(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(OutputError, match=LOCKED), lock_folder(tmp_path):
            pass
        os.kill(process.pid, signal.SIGKILL)
    with lock_folder(tmp_path):
        pass


def test_a_file_instead_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(OutputError, match="file: cannot be written: "),
        lock_folder(tmp_path / "file"),
    ):
        pass
