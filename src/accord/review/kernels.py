"""The compiled loop of a search for a piece of text among all pairs: arrays in, arrays out."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def lines_with(text, offsets, piece):
    """Which lines text[offsets[n]:offsets[n + 1]] have the piece in them; it is not empty, and no
    piece goes over the end of a line, as it has no line end in it."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    size, first = len(piece), piece[0]
    line = 0
    at, last = 0, len(text) - size
    while at <= last:
        if text[at] != first:
            at += 1
            continue
        same = 1
        while same < size and text[at + same] == piece[same]:
            same += 1
        if same < size:
            at += 1
            continue
        while offsets[line + 1] <= at:
            line += 1
        found[line] = True
        at = offsets[line + 1]
    return found
