"""Where shards of work run. A shard is a range of items; its result depends on nothing else."""

from collections.abc import Callable
from typing import Literal, Protocol, TypeVar, TypeVarTuple

RunnerName = Literal["threads", "ray"]
# What all shards of a task share, and the result of a shard.
Shared = TypeVarTuple("Shared")
Result = TypeVar("Result")


class Runner(Protocol):
    """Runs a task over all its shards, and returns the results in the order of the shards."""

    memory: int  # the bytes that the index of the search may take

    def map(
        self,
        task: Callable[[*Shared, int, int], Result],
        shared: tuple[*Shared],
        *,
        items: int,
        shard: int,
        worth: float = 0,
    ) -> list[Result]:
        """[task(*shared, first, last) for each range of `shard` items out of `items`].

        The task must be a function of a module, so that a worker can import it, and must not
        change what is shared. Nobody may change an array after it was shared.
        `worth` is how many searched phrases the whole map counts as in a progress bar.
        """
        ...
