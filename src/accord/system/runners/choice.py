"""The choice of a runner by its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, get_args

from accord.errors import SettingError
from accord.system.runners import RunnerName
from accord.system.runners.threads import Threads

if TYPE_CHECKING:
    from accord.system.runners.ray import Ray


@contextmanager
def running(
    name: RunnerName,
    threads: int | None = None,
    ray_address: str | None = None,
    memory: str | int | None = None,
) -> "Iterator[Threads | Ray]":
    """Start the runner of this name, and close it in the end."""
    if name not in get_args(RunnerName):
        names = ", ".join(get_args(RunnerName))
        raise SettingError(f"runner: must be one of {names}, found {name}")
    if name == "threads":
        if ray_address is not None:
            raise SettingError("ray_address: is for the runner ray only; name it with --runner ray")
        yield Threads(threads, memory=memory)
        return
    from accord.system.runners.ray import Ray

    with Ray(threads, ray_address, memory=memory) as runner:
        yield runner
