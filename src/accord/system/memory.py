"""How much memory there is, and how much of it a user gives."""

import os
import re
from pathlib import Path

from accord.errors import SettingError

SIZE = re.compile(r"(\d{1,15}(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
UNTOLD = 8 * 2**30  # what a machine is thought to have whose system does not tell
CONTAINER = "/sys/fs/cgroup"
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def checked_memory(given: str | int | None) -> int:
    """So many bytes, as a number or as in 500M or 4G; half of what is free if none is given."""
    if given is None:
        return free_memory() // 2
    match = SIZE.fullmatch(str(given).strip())
    if not match or not (size := int(float(match[1]) * UNITS[match[2].upper()])):
        raise SettingError(f"memory: must be a size such as 500M or 4G, found {given}")
    return size


def free_memory() -> int:
    """The bytes that this process may still take, as far as the system tells."""
    free = [UNTOLD]
    if hasattr(os, "sysconf"):
        free = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    stated = re.search(r"MemAvailable:\s*(\d+) kB", _text("/proc/meminfo"))
    if stated:
        free.append(int(stated[1]) * 2**10)
    # A container may have less than the machine; files that it keeps at hand make way.
    limit, used, uses = (_text(f"{CONTAINER}/memory.{what}") for what in ("max", "current", "stat"))
    files = re.search(r"^inactive_file (\d+)$", uses, re.MULTILINE)
    if limit.strip().isdecimal() and used.strip().isdecimal():
        taken = int(used) - (int(files[1]) if files else 0)
        free.append(max(int(limit) - taken, 0))
    return min(free)


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
