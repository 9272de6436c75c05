"""Where shards of work run. A shard is a range of items; its result depends on nothing else."""

from collections.abc import Callable
from typing import Any, Literal, Protocol

RunnerName = Literal["threads", "ray"]


class Runner(Protocol):
    """Runs a task over all its shards, and returns the results in the order of the shards."""

    memory: int  # the bytes that the posting lists of the search may take at once

    def map(
        self,
        task: Callable[..., Any],
        shared: tuple[Any, ...],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Any]:
        """[task(*shared, first, last) for each range of `shard` items out of `items`].

        The task is a function of a module, so that it has a name elsewhere, and changes nothing
        of what is shared; nobody changes an array that was shared once.
        `worth` is what the whole map means to somebody who watches, in phrases searched.
        """
        ...
