"""The compiled full-text search over all pairs: arrays in, arrays out."""

import numpy as np

from accord.system.compiled import compiled

# Bytes that are compared in one step; they fit into the processor's cache.
BLOCK = 4096
# Bytes that are skipped together if none of them is a hit.
WORD = 8


@compiled
def find_lines(text, offsets, piece):
    """Return which lines text[offsets[n]:offsets[n + 1]] contain the piece. It must not be empty,
    and must not contain a line end, so that no match spans two lines."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    size = len(piece)
    first, final = piece[0], piece[size - 1]
    places = len(text) - size + 1
    line, line_end = 0, 0  # of the last line in which it was found
    hits = np.empty(BLOCK, np.uint8)
    words = hits.view(np.uint64)
    for begin in range(0, places, BLOCK):
        count = min(BLOCK, places - begin)
        # A match has the first byte here and the last byte size - 1 further on. Without a branch,
        # the compiler vectorises this loop.
        starts, ends = text[begin : begin + count], text[begin + size - 1 :]
        for n in range(count):
            hits[n] = (starts[n] == first) & (ends[n] == final)
        for word in range((count + WORD - 1) // WORD):
            if words[word] == 0:
                continue
            for n in range(word * WORD, min(word * WORD + WORD, count)):
                at = begin + n
                if hits[n] == 0 or at < line_end:
                    continue
                same = 1
                while same < size and text[at + same] == piece[same]:
                    same += 1
                if same == size:
                    while offsets[line + 1] <= at:
                        line += 1
                    found[line] = True
                    line_end = offsets[line + 1]
    return found
