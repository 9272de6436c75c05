"""Work on chunks of a text in several processes, with the results in the order of the text."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from signal import SIG_IGN, SIGINT, signal
from typing import TypeVar

# Chunks that are on their way to each process: no more of the text is read than these.
AHEAD = 2

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


def in_order(
    task: Callable[[Chunk], Result], chunks: Iterable[Chunk], jobs: int
) -> Iterator[Result]:
    """The results of all chunks."""
    if jobs == 1:
        yield from map(task, chunks)
        return
    chunks = iter(chunks)
    # Whoever stops the program stops the parent, and needs no word from each of the processes.
    with ProcessPoolExecutor(jobs, initializer=signal, initargs=(SIGINT, SIG_IGN)) as pool:
        running = deque(pool.submit(task, chunk) for chunk in islice(chunks, AHEAD * jobs))
        while running:
            yield running.popleft().result()
            running.extend(pool.submit(task, chunk) for chunk in islice(chunks, 1))
