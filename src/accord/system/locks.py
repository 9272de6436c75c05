"""Locks on folders, so that only one run writes there at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from accord.errors import OutputError
from accord.system.writing import output_errors

# The lock file stays when the lock is released: if it were removed, one process could lock the
# removed file, and another a new one.
LOCK_FILE = ".lock"


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; fail if another run holds it.

    The operating system releases the lock of a process that is killed.
    """
    lock = FileLock(folder / LOCK_FILE, blocking=False)
    with output_errors(folder):
        try:
            lock.acquire()
        except Timeout:
            raise OutputError(
                f"{folder}: another run is writing there; wait for it, or choose another folder"
            ) from None
    try:
        yield
    finally:
        lock.release()
