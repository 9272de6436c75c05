"""Shards on the workers of Ray: of a cluster, or of this machine alone.

Arrays go into Ray's object store, from which all workers of a machine read them without a copy.
One that is shared again is not stored again, and one that is gone here is gone there.
"""

import logging
import re
import socket
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import islice
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from accord.errors import AccordError, SettingError
from accord.system.memory import checked_memory
from accord.system.runners.threads import checked_threads
from accord.version import __version__

# Shards that are under way at once, for each core of the cluster: one runs, one is at hand.
AHEAD = 2
# A worker that dies costs its shard again; one that dies every time ends the run.
RETRIES = 5
PATIENCE = 10  # seconds until an address has answered, or will not
PROBE = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False, logging_level='ERROR')"


class Place(NamedTuple):
    """Stands in what is shared for the array of this number."""

    number: int


class Ray:
    """A runner on the Ray at this address, or on one made here, with a worker for each thread.

    Where the program has connected to Ray already, this is taken, and left as it is.
    """

    def __init__(
        self,
        threads: int | None = None,
        address: str | None = None,
        searched: Callable[[float], object] = lambda _: None,
        memory: str | int | None = None,
    ) -> None:
        try:
            import ray
        except ImportError:
            raise AccordError("the runner ray needs Ray: pip install 'accord[ray]'") from None
        self.ray: Any = ray
        self.threads = checked_threads(threads)
        self.searched = searched
        self.memory = checked_memory(memory)
        self.stored: dict[int, tuple[weakref.ref[NDArray[Any]], Any]] = {}
        self.run = ray.remote(max_retries=RETRIES)(run_shard)
        self.ours = not ray.is_initialized()
        if address is not None and not self.ours:
            raise SettingError("ray_address: Ray is connected already; leave the address out")
        try:
            if address is not None:
                self._connect(address)
            elif self.ours:
                self._init("local", num_cpus=self.threads, include_dashboard=False)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self.stored.clear()
        if self.ours:
            self.ray.shutdown()

    def map(
        self,
        task: Callable[..., Any],
        shared: tuple[Any, ...],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Any]:
        arrays: list[Any] = []
        layout = self.ray.put(self._laid_out(shared, arrays))
        name = task.__module__, task.__qualname__
        ranges = [(first, min(first + shard, items)) for first in range(0, items, shard)]
        ahead = AHEAD * max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        results: list[Any] = [None] * len(ranges)
        todo = iter(range(len(ranges)))
        running: dict[Any, int] = {}
        while True:
            for number in islice(todo, ahead - len(running)):
                run = self.run.remote(__version__, name, layout, ranges[number], *arrays)
                running[run] = number
            if not running:
                return results
            (done,), _ = self.ray.wait([*running], num_returns=1)
            number = running.pop(done)
            results[number] = self._result(done)
            first, last = ranges[number]
            self.searched(worth * (last - first) / items)

    def _laid_out(self, value: Any, arrays: list[Any]) -> Any:
        """The value with a Place for each array; what is stored of the arrays is appended."""
        if isinstance(value, tuple):
            return rebuilt(value, (self._laid_out(part, arrays) for part in value))
        if not isinstance(value, np.ndarray):
            return value
        arrays.append(self._stored(value))
        return Place(len(arrays) - 1)

    def _stored(self, array: NDArray[Any]) -> Any:
        """The array in the object store, where it stays for as long as there is the array here."""
        number = id(array)
        if number not in self.stored:
            # An id may be given again, but not before the array that has it is forgotten.
            alive = weakref.ref(array, lambda _: self.stored.pop(number, None))
            self.stored[number] = alive, self.ray.put(array)
        return self.stored[number][1]

    def _result(self, done: Any) -> Any:
        try:
            return self.ray.get(done)
        except self.ray.exceptions.RayTaskError as error:
            # As it would come out of a thread.
            raise error.cause from error
        except self.ray.exceptions.RayError as error:
            raise AccordError(f"the work was lost on Ray: {first_line(error)}") from error

    def _connect(self, address: str) -> None:
        probe(address)
        self._init(address)
        try:
            self.map(greet, (), items=1, shard=1)
        except (ImportError, RuntimeError) as error:  # Ray has both for what is not there
            reason = str(error).strip().splitlines()[-1]
            raise AccordError(
                f"a worker of Ray cannot import Accord ({reason}); install it on all machines"
            ) from error

    def _init(self, address: str, **options: Any) -> None:
        try:
            self.ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (OSError, RuntimeError, ValueError) as error:
            raise AccordError(f"Ray has not started: {first_line(error)}") from error


def run_shard(
    version: str,
    name: tuple[str, str],
    layout: tuple[Any, ...],
    limits: tuple[int, int],
    *arrays: NDArray[Any],
) -> Any:
    """One shard, in a worker. The task goes by its name: compiled code is the worker's own."""
    if version != __version__:
        raise AccordError(
            f"a worker of Ray has Accord {__version__}, this is {version}; "
            "install the same one on all machines"
        )
    module, function = name
    task = getattr(import_module(module), function)
    for array in arrays:
        # Those that Ray has stored are so; now all are, and each task is compiled once.
        array.flags.writeable = False
    return task(*filled(layout, arrays), *limits)


def greet(first: int, last: int) -> None:
    """A task for a worker that has only to be there."""


def filled(layout: tuple[Any, ...], arrays: Sequence[NDArray[Any]]) -> tuple[Any, ...]:
    """What was shared, an array in each Place again."""

    def fill(value: Any) -> Any:
        if isinstance(value, Place):
            return arrays[value.number]
        return filled(value, arrays) if isinstance(value, tuple) else value

    return rebuilt(layout, map(fill, layout))


def rebuilt(like: tuple[Any, ...], parts: Iterable[Any]) -> tuple[Any, ...]:
    """A tuple or named tuple of the same type, with other parts."""
    return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)


def probe(address: str) -> None:
    """Fail with one sentence where Ray cannot be reached.

    Ray itself tries an address that is dead for minutes, which nothing can interrupt, and talks
    all the while. So a process of its own has to be the first to get through.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        raise SettingError(f"ray_address: must be HOST:PORT or ray://HOST:PORT, found {address}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
        subprocess.run(
            [sys.executable, "-c", PROBE, address],
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
    except (OSError, OverflowError) as error:
        reason = str(error)
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
        last = (error.stderr or b"no answer").decode(errors="replace").splitlines()[-1]
        reason = re.sub(r"^\[.*?\] \S+: ", "", last)  # the time and place of what Ray logs
    else:
        return
    raise AccordError(
        f"ray_address: no Ray could be reached at {address} within {PATIENCE} seconds ({reason}); "
        "leave it out to start one here"
    )


def first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]
