"""Shards on workers of Ray: of a cluster, or of a Ray that is started on this machine.

Arrays go into Ray's object store, from which all workers of a machine read them without a copy.
An array that is shared again is not stored again, and is removed there when it is deleted here.
"""

import logging
import os
import re
import socket
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, ResourceError, SettingError
from accord.system.memory import checked_memory
from accord.system.runners import Result, Shared
from accord.system.runners.threads import checked_threads
from accord.version import __version__

# Shards that are submitted at the same time, for each core of the cluster: one runs, one waits.
AHEAD = 2
# How often a shard is repeated whose worker dies.
RETRIES = 5
PATIENCE = 10  # seconds that an address has to answer
PROBE = "import sys, ray; ray.init(sys.argv[1], log_to_driver=False, logging_level='ERROR')"


class Placeholder(NamedTuple):
    """Replaces the array of this number in the shared arguments."""

    number: int


class StoredArray(NamedTuple):
    """An array in the object store."""

    alive: weakref.ref[NDArray[Any]]  # to the array here
    reference: Any  # to the one in the store


class Ray:
    """A runner on the Ray at this address, or on a new local one with a worker for each thread.

    If the program has already connected to Ray, the runner uses that connection and leaves it open.
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
            raise InputError("the runner ray needs Ray: pip install 'accord[ray]'") from None
        self.ray: Any = ray
        self.threads = checked_threads(threads)
        self.searched = searched
        self.memory = checked_memory(memory)
        self.stored: dict[int, StoredArray] = {}
        self.run = ray.remote(max_retries=RETRIES)(run_shard)
        self.ours = not ray.is_initialized()
        if address is not None and not self.ours:
            raise SettingError("ray_address: Ray is connected already; leave the address out")
        try:
            if address is not None:
                self._connect(address)
            elif self.ours:
                set_token()
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
        task: Callable[[*Shared, int, int], Result],
        shared: tuple[*Shared],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Result]:
        arrays: list[Any] = []
        layout = self.ray.put(self._store_arrays(shared, arrays))
        name = task.__module__, task.__qualname__
        ranges = [(first, min(first + shard, items)) for first in range(0, items, shard)]
        ahead = AHEAD * max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        results: dict[int, Result] = {}
        waiting = iter(range(len(ranges)))
        running: dict[Any, int] = {}
        while True:
            for number in islice(waiting, ahead - len(running)):
                run = self.run.remote(__version__, name, layout, ranges[number], *arrays)
                running[run] = number
            if not running:
                return [results[number] for number in range(len(ranges))]
            (done,), _ = self.ray.wait([*running], num_returns=1)
            number = running.pop(done)
            results[number] = self._result(done)
            first, last = ranges[number]
            self.searched(worth * (last - first) / items)

    def _store_arrays(self, value: object, arrays: list[Any]) -> object:
        """Replace each array by a placeholder, and append its reference in the object store."""
        if isinstance(value, tuple):
            return rebuild(value, (self._store_arrays(part, arrays) for part in value))
        if not isinstance(value, np.ndarray):
            return value
        arrays.append(self._store(value))
        return Placeholder(len(arrays) - 1)

    def _store(self, array: NDArray[Any]) -> Any:
        """Return the reference of an array in the object store; it stays as long as the array."""
        number = id(array)
        if number not in self.stored:
            # Another array may get the same id, but only after this one is deleted.
            alive = weakref.ref(array, lambda _: self.stored.pop(number, None))
            self.stored[number] = StoredArray(alive, self.ray.put(array))
        return self.stored[number].reference

    def _result(self, done: Any) -> Any:
        try:
            return self.ray.get(done)
        except self.ray.exceptions.RayTaskError as error:
            # As from a thread.
            raise error.cause from error
        except self.ray.exceptions.RayError as error:
            raise ResourceError(f"the work was lost on Ray: {first_line(error)}") from error

    def _connect(self, address: str) -> None:
        probe(address)
        self._init(address)
        try:
            self.map(greet, (), items=1, shard=1)
        except (ImportError, RuntimeError) as error:  # Ray raises either if a module is missing
            reason = str(error).strip().splitlines()[-1]
            raise ResourceError(
                f"a worker of Ray cannot import Accord ({reason}); install it on all machines"
            ) from error

    def _init(self, address: str, **options: Any) -> None:
        try:
            self.ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **options)
        except (OSError, RuntimeError, ValueError) as error:
            raise ResourceError(f"Ray has not started: {first_line(error)}") from error


def run_shard(
    version: str,
    name: tuple[str, str],
    layout: tuple[object, ...],
    limits: tuple[int, int],
    *arrays: NDArray[Any],
) -> Any:
    """Run one shard in a worker, which imports the task by its name, with its own kernels."""
    if version != __version__:
        raise ResourceError(
            f"a worker of Ray has Accord {__version__}, this is {version}; "
            "install the same one on all machines"
        )
    module, function = name
    task = getattr(import_module(module), function)
    for array in arrays:
        # Arrays from the object store are read-only. If all are, each kernel is compiled once.
        array.flags.writeable = False
    return task(*insert_arrays(layout, arrays), *limits)


def greet(first: int, last: int) -> None:
    """Do nothing: a task that shows whether a worker can import Accord."""


def insert_arrays(layout: tuple[object, ...], arrays: Sequence[NDArray[Any]]) -> tuple[object, ...]:
    """Replace each placeholder by its array."""

    def insert(value: object) -> object:
        if isinstance(value, Placeholder):
            return arrays[value.number]
        return insert_arrays(value, arrays) if isinstance(value, tuple) else value

    return rebuild(layout, map(insert, layout))


def rebuild(like: tuple[object, ...], parts: Iterable[object]) -> tuple[object, ...]:
    """Return a tuple or named tuple of the same type with other parts."""
    kind: Any = type(like)
    return kind(*parts) if hasattr(like, "_fields") else tuple(parts)


def set_token() -> None:
    """Choose the token by which the processes of a new Ray identify each other, if there is none.

    Otherwise Ray writes one to the home folder, and if two start at the same time, each overwrites
    the token of the other, and neither can be reached.
    """
    named = any(name in os.environ for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    if not named and not (Path.home() / ".ray" / "auth_token").exists():
        os.environ["RAY_AUTH_TOKEN"] = token_hex(32)


def probe(address: str) -> None:
    """Raise an error if Ray cannot be reached at an address.

    Ray itself tries a dead address for minutes, cannot be interrupted meanwhile, and prints many
    messages. Therefore another process tries first.
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
        reason = re.sub(r"^\[.*?\] \S+: ", "", last)  # the prefix of the log
    else:
        return
    raise ResourceError(
        f"ray_address: no Ray could be reached at {address} within {PATIENCE} seconds ({reason}); "
        "leave it out to start one here"
    )


def first_line(error: BaseException) -> str:
    """Return the first line of the message."""
    return str(error).strip().partition("\n")[0]
