"""Numbering the words of a text, and sorting its phrases by number."""

from typing import NamedTuple

import numpy as np

from accord.corpus import numbering_kernels as kernels
from accord.system.arrays import Ids, Mask, offsets_of


class NumberedText(NamedTuple):
    """The words of a text, numbered from 0 by their first occurrence, line by line."""

    distinct: list[str]  # the words by number
    words: Ids  # of all lines, one after the other
    lengths: Ids  # the number of words in each line

    def select(self, kept: Mask) -> "NumberedText":
        """Return these lines, with their words renumbered and all others dropped."""
        if kept.all():
            return self
        words = self.words[np.repeat(kept, self.lengths)]
        return NumberedText(self.distinct, words, self.lengths[kept]).drop_unused_words()

    def drop_unused_words(self) -> "NumberedText":
        """Return the same lines, with their words renumbered and all others dropped."""
        used = np.zeros(len(self.distinct), np.bool_)
        used[self.words] = True
        number = np.cumsum(used, dtype=np.int32) - 1
        distinct = [self.distinct[word] for word in np.flatnonzero(used).tolist()]
        return NumberedText(distinct, number[self.words], self.lengths)


def number_words(text: bytearray) -> NumberedText:
    """Number the words of UTF-8 text whose lines all end with a line feed.

    Only spaces separate words.
    """
    lines = text.count(b"\n")
    words, lengths, spans = kernels.scan_words(
        np.frombuffer(text, np.uint8), lines + text.count(b" "), lines
    )
    distinct = [text[begin:end].decode("utf-8", "surrogatepass") for begin, end in spans.tolist()]
    return NumberedText(distinct, words, lengths)


def sort_phrases(words: Ids, lengths: Ids, vocabulary: int) -> Ids:
    """Return the order of the phrases by their first word, then by their second word, and so on.

    This is a radix sort: phrases are sorted by their last word first, and each stable sort keeps
    that order among phrases with equal earlier words. A phrase that has ended sorts before longer
    ones and takes no further time.
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
