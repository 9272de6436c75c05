"""How much memory is free, and how much of it a run may use."""

import re
from pathlib import Path

import psutil

from accord.errors import SettingError

SIZE = re.compile(r"(\d{1,15}(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
CONTAINER = "/sys/fs/cgroup"
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def checked_memory(given: str | int | None) -> int:
    """Return a size such as 500M or 4G in bytes; by default, half of the free memory."""
    if given is None:
        return free_memory() // 2
    match = SIZE.fullmatch(str(given).strip())
    if not match or not (size := int(float(match[1]) * UNITS[match[2].upper()])):
        raise SettingError(f"memory: must be a size such as 500M or 4G, found {given}")
    return size


def free_memory() -> int:
    """Return how many bytes this process may still take."""
    free = int(psutil.virtual_memory().available)
    # psutil ignores the limit of a container. Cached files do not count: they can be evicted.
    limit, used, uses = (_text(f"{CONTAINER}/memory.{what}") for what in ("max", "current", "stat"))
    files = re.search(r"^inactive_file (\d+)$", uses, re.MULTILINE)
    if limit.strip().isdecimal() and used.strip().isdecimal():
        taken = int(used) - (int(files[1]) if files else 0)
        free = min(free, max(int(limit) - taken, 0))
    return free


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
