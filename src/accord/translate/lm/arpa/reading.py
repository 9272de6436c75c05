"""ARPA files in: the plainest reader, until the one that is fast and checks takes its place."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from accord.reading import read_lines
from accord.translate.lm import UNKNOWN, LanguageModel

Gram = tuple[str, ...]
# log10 p of an unknown word in a file that has none.
NEVER = -100.0


def read_arpa(path: str | Path) -> LanguageModel:
    """The language model of a file."""
    values: dict[Gram, tuple[float, float]] = {(UNKNOWN,): (NEVER, 0.0)}
    values.update(_grams(path))
    vocabulary = [UNKNOWN, *sorted({gram[0] for gram in values if len(gram) == 1} - {UNKNOWN})]
    numbers = {word: number for number, word in enumerate(vocabulary)}
    order = max(map(len, values))
    nodes: dict[Gram, int] = {(): 0}
    contexts = 1
    for length in range(1, order + 1):
        contexts = len(nodes)
        some = [gram for gram in values if len(gram) == length]
        for gram in sorted(some, key=lambda gram: (nodes[gram[:-1]], numbers[gram[-1]])):
            nodes[gram] = len(nodes)
    grams = [*nodes][1:]
    children = np.bincount([nodes[gram[:-1]] for gram in grams], minlength=len(nodes))
    ends = ([gram[n:] for n in range(1, len(gram) + 1)] for gram in grams)
    suffix = [next(nodes[end] for end in some if end in nodes) for some in ends]
    return LanguageModel(
        order,
        numbers,
        np.concatenate([[1], 1 + np.cumsum(children)]).astype(np.int64),
        np.array([-1, *(numbers[gram[-1]] for gram in grams)], np.int32),
        np.array([0.0, *(values[gram][0] for gram in grams)], np.float32),
        np.array([0.0, *(values[gram][1] for gram in grams)], np.float32),
        np.array([0, *suffix], np.int32),
        contexts,
    )


def _grams(path: str | Path) -> Iterator[tuple[Gram, tuple[float, float]]]:
    """The n-grams of a file with log10 p and the logarithm of their back-off weight."""
    length = 0
    for _, line in read_lines(path):
        if line.startswith("\\"):
            length = int(line[1]) if line.endswith("-grams:") else 0
        elif length and line.strip():
            log_prob, *words = line.split()
            backoff = float(words[length]) if len(words) > length else 0.0
            yield tuple(words[:length]), (float(log_prob), backoff)
