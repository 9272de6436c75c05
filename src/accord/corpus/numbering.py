"""Text to numbers: which words it has, and the order of its phrases."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.corpus import numbering_kernels as kernels
from accord.system.arrays import offsets_of


class Numbered(NamedTuple):
    """The words of a text, numbered from 0 as they come, and how many each line has."""

    distinct: list[str]
    words: NDArray[np.int32]
    lengths: NDArray[np.int32]

    def only(self, kept: NDArray[np.bool_]) -> "Numbered":
        """These lines, and no words but theirs."""
        if kept.all():
            return self
        words = self.words[np.repeat(kept, self.lengths)]
        used = np.zeros(len(self.distinct), np.bool_)
        used[words] = True
        number = np.cumsum(used, dtype=np.int32) - 1
        distinct = [self.distinct[word] for word in np.flatnonzero(used).tolist()]
        return Numbered(distinct, number[words], self.lengths[kept])


def number_words(text: bytearray) -> Numbered:
    """The words of lines of UTF-8, each ended by a line feed; only spaces part the words."""
    lines = text.count(b"\n")
    words, lengths, spans = kernels.number_words(
        np.frombuffer(text, np.uint8), lines + text.count(b" "), lines
    )
    distinct = [text[begin:end].decode("utf-8", "surrogatepass") for begin, end in spans.tolist()]
    return Numbered(distinct, words, lengths)


def ascending(
    words: NDArray[np.int32], lengths: NDArray[np.int32], vocabulary: int
) -> NDArray[np.int32]:
    """The order of phrases by their first words, then by their second ones, and so on.

    Sorted by their last words first: a stable sort keeps that order where earlier words are the
    same. A phrase that has ended goes before those that go on, and costs nothing any more.
    """
    begins = offsets_of(lengths)[:-1]
    longest = int(lengths.max(initial=0))
    first, by_length = kernels.sort_by_number(lengths, longest + 1)
    order = np.empty(0, np.int32)
    for position in range(longest - 1, -1, -1):
        ending = by_length[first[position + 1] : first[position + 2]]
        order = np.concatenate([ending, order])
        _, places = kernels.sort_by_number(words[begins[order] + position], vocabulary)
        order = order[places]
    return order
