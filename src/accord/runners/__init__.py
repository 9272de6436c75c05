"""Where shards of work run. A shard is a range of items; its result depends on nothing else."""

from collections.abc import Callable
from typing import Any, Literal, Protocol

RunnerName = Literal["threads", "ray"]


class Runner(Protocol):
    """Runs a task over all its shards, and returns the results in the order of the shards."""

    def map(
        self,
        task: Callable[..., Any],
        shared: tuple[Any, ...],
        *,
        items: int,
        shard: int,
        worth: int = 0,
    ) -> list[Any]:
        """[task(*shared, first, last) for each range of `shard` items out of `items`].

        The task is a function of a module, so that it has a name elsewhere, and changes nothing
        of what is shared; nobody changes an array that was shared once.
        `worth` is what the whole map means to somebody who watches, in phrases searched.
        """
        ...
