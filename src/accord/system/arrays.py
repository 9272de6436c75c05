"""The array types of the project, ragged arrays, and pairs of numbers.

Ids of words and phrases are int32, offsets int64, sums float64. A ragged array is flat values and
offsets: item n is values[offsets[n]:offsets[n + 1]].
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Mask = NDArray[np.bool_]


class Ragged(NamedTuple):
    """A ragged array: item n is values[offsets[n]:offsets[n + 1]]."""

    values: Ids
    offsets: Offsets


def offsets_of(lengths: Integers) -> Offsets:
    """Return where each item of a ragged array begins, and where the last one ends."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, dtype=np.int64, out=offsets[1:])
    return offsets


def pair_keys(first: Integers, second: Integers) -> Offsets:
    """Return one number per pair of ids; the numbers sort by the first id, then by the second."""
    keys: Offsets = (first.astype(np.int64) << 32) | second
    return keys


def split_keys(keys: Offsets) -> tuple[Ids, Ids]:
    """The two ids of each key."""
    return (keys >> 32).astype(np.int32), keys.astype(np.int32)


def find_keys(keys: Offsets, wanted: Offsets) -> tuple[Offsets, Mask]:
    """Return the place of each wanted key among the ascending `keys`, and whether it is there."""
    if not len(keys):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    places = np.searchsorted(keys[:-1], wanted)
    return places, keys[places] == wanted
