"""Shards on threads of this machine; the kernels release the interpreter lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from accord.errors import SettingError
from accord.system.memory import checked_memory
from accord.system.runners import Result, Shared


class Threads:
    """A runner with a fixed number of threads; by default, one for each core."""

    def __init__(
        self,
        threads: int | None = None,
        searched: Callable[[float], object] = lambda _: None,
        memory: str | int | None = None,
    ) -> None:
        self.threads = checked_threads(threads)
        self.searched = searched
        self.memory = checked_memory(memory)

    def map(
        self,
        task: Callable[[*Shared, int, int], Result],
        shared: tuple[*Shared],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Result]:
        def run(first: int) -> Result:
            last = min(first + shard, items)
            result = task(*shared, first, last)
            self.searched(worth * (last - first) / items)
            return result

        firsts = range(0, items, shard)
        if len(firsts) == 1:  # starting a thread may take longer than a small shard
            return [run(0)]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(run, firsts))


def checked_threads(threads: int | None) -> int:
    """Return the number of threads; by default, one for each core."""
    if threads is not None and threads < 1:
        raise SettingError(f"threads: must be a whole number of at least 1, found {threads}")
    return threads or available_cores()


def available_cores() -> int:
    """Return how many cores this process may use, or on some systems, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
