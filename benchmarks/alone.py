"""A task in a process of its own, whose peak memory is nobody else's."""

import resource
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def alone(task: Callable[..., Any], *arguments: object) -> Any:
    """What the task returns. A process begins with the peak of the one that has started it, so
    that one must not have been large itself."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(task, *arguments).result()


def peak_mb() -> float:
    """The greatest memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
