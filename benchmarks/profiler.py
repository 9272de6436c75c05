"""How long each part of an iteration takes, by sampling.

A thread inspects the stack of the working thread a hundred times per second. The innermost function
of a module that is listed here determines the part. No function is wrapped, and a part includes
what it does between the shards that it passes to the runner.
"""

import sys
import threading
from time import perf_counter
from types import FrameType
from typing import Self

INTERVAL = 0.01
REST = "rest"
PARTS = {
    "accord.learning.search.retrieval": "search",
    "accord.learning.search.pairs": "closer look",
    "accord.learning.viterbi": "closer look",
    "accord.learning.posterior": "closer look",
    "accord.learning.search.candidates": "search",
    "accord.learning.matching": "matching",
    "accord.learning.agreement": "matching",
    "accord.learning.update": "update",
    "accord.learning.confidence": REST,
    "accord.learning.em": REST,
}


class Profiler:
    """The seconds of each part, for what the creating thread does inside `with`."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS.values(), 0.0)
        self.worker = threading.get_ident()
        self.done = threading.Event()
        self.watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self.watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.watcher.join()

    def _watch(self) -> None:
        then = perf_counter()
        while not self.done.wait(INTERVAL):
            # By the clock, not by the number of samples: some calls never release the interpreter
            # lock, and then the next sample is taken when they return, in the same function.
            part = find_part(sys._current_frames()[self.worker])
            now = perf_counter()
            self.seconds[part] += now - then
            then = now


def find_part(frame: FrameType | None) -> str:
    while frame is not None:
        if part := PARTS.get(frame.f_globals.get("__name__", "")):
            return part
        frame = frame.f_back
    return REST


def compute_shares(seconds: dict[str, float]) -> dict[str, float]:
    total = sum(seconds.values())
    return {part: value / total if total else 0.0 for part, value in seconds.items()}
