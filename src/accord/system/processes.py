"""Work on the chunks of a text in several processes; the results keep the order of the text."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
from typing import TypeVar

# Chunks per process that are read in advance.
AHEAD = 2

Chunk = TypeVar("Chunk")
ChunkResult = TypeVar("ChunkResult")


def in_order(
    task: Callable[[Chunk], ChunkResult], chunks: Iterable[Chunk], jobs: int
) -> Iterator[ChunkResult]:
    """Yield the results of all chunks."""
    if jobs == 1:
        yield from map(task, chunks)
        return
    chunks = iter(chunks)
    # Only the parent process reacts to an interrupt, so that there is one message.
    with ProcessPoolExecutor(jobs, initializer=signal, initargs=(SIGINT, SIG_IGN)) as pool:
        running = deque(pool.submit(task, chunk) for chunk in islice(chunks, AHEAD * jobs))
        while running:
            yield running.popleft().result()
            running.extend(pool.submit(task, chunk) for chunk in islice(chunks, 1))
