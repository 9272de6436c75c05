"""Tasks in a process of their own, so that their peak memory can be measured."""

import resource
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def run_isolated(task: Callable[..., Any], *arguments: object) -> Any:
    """Run a task in a new process, and return its result.

    A process inherits the peak memory of its parent, which must therefore be small itself.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(task, *arguments).result()


def peak_mb() -> float:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
