"""Shards on the threads of this machine; the kernels release the interpreter lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from accord.errors import SettingError
from accord.system.memory import checked_memory


class Threads:
    """A runner with a fixed number of threads: as many as there are cores, if none is given."""

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
        task: Callable[..., Any],
        shared: tuple[Any, ...],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Any]:
        def run(first: int) -> Any:
            last = min(first + shard, items)
            result = task(*shared, first, last)
            self.searched(worth * (last - first) / items)
            return result

        firsts = range(0, items, shard)
        if len(firsts) == 1:  # to start a thread takes longer than many a small shard
            return [run(0)]
        with ThreadPoolExecutor(self.threads) as pool:
            return list(pool.map(run, firsts))


def checked_threads(threads: int | None) -> int:
    """So many threads, or one for each core if none is given."""
    if threads is not None and threads < 1:
        raise SettingError(f"threads: must be a whole number of at least 1, found {threads}")
    return threads or available_cores()


def available_cores() -> int:
    """The cores this process may use, where the system tells."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
