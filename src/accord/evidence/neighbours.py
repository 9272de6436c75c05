"""Nearest neighbours, by which similarity is scaled so that no word is everybody's best (CSLS)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def greatest(block: NDArray[Any], count: int) -> NDArray[Any]:
    """The `count` greatest of each column, or all where there are fewer."""
    count = min(count, len(block))
    return np.partition(block, len(block) - count, axis=0)[len(block) - count :]


def nearness(block: NDArray[Any], count: int) -> NDArray[Any]:
    """The mean of the `count` greatest of each column."""
    means: NDArray[Any] = greatest(block, count).mean(axis=0)
    return means
