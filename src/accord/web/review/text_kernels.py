"""The compiled loop of a search for a piece of text among all pairs: arrays in, arrays out."""

import numpy as np

from accord.system.compiled import compiled

# Bytes that are compared at once, in the processor's cache.
BLOCK = 4096
# Of these, as many as are passed over by a single look.
WORD = 8


@compiled
def lines_with(text, offsets, piece):
    """Which lines text[offsets[n]:offsets[n + 1]] have the piece in them. It is not empty, and has
    no line end in it, so that it goes over none."""
    found = np.zeros(len(offsets) - 1, np.bool_)
    size = len(piece)
    first, final = piece[0], piece[size - 1]
    places = len(text) - size + 1
    line, line_end = 0, 0  # of the last line that was found to have it
    hits = np.empty(BLOCK, np.uint8)
    words = hits.view(np.uint64)
    for begin in range(0, places, BLOCK):
        count = min(BLOCK, places - begin)
        # Where a piece begins its first byte is, and its last so far on. Without a branch, the
        # compiler compares many bytes in one step.
        ones, others = text[begin : begin + count], text[begin + size - 1 :]
        for n in range(count):
            hits[n] = (ones[n] == first) & (others[n] == final)
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
