"""Words by the boundaries of Unicode (UAX #29), and by a library where a script has no spaces.

Text comes and goes in blocks: any number of lines, each ended by a line feed or the end, in which
spaces are the only other white space.
"""

import re
from collections.abc import Callable, Iterable

from unicode_segmentation_rs import split_word_bounds

# A library is given that many letters at most: SudachiPy takes 49,149 bytes, four to a letter.
LONGEST = 10_000

Cut = Callable[[str], str]


def unicode_words(block: str) -> str:
    """The block with spaces at all word boundaries; how many, `squeeze` sees to."""
    return " ".join([piece for piece in split_word_bounds(block) if piece != " "])


def by_script(letters: str, split: Callable[[str], Iterable[str]]) -> Cut:
    """Runs of these letters, ranges of a regular expression, are split so; all else by Unicode.

    Names, numbers and punctuation become the same words then, whatever the text around them.
    """
    runs = re.compile(f"([{letters}]{{1,{LONGEST}}})")

    def cut(block: str) -> str:
        pieces = runs.split(block)  # by turns something else, a run, and something else
        pieces[::2] = map(unicode_words, pieces[::2])
        pieces[1::2] = [" ".join(split(run)) for run in pieces[1::2]]
        return " ".join(pieces)

    return cut


def squeeze(block: str) -> str:
    """The block with single spaces between words and none at the ends of lines."""
    while "  " in block:
        block = block.replace("  ", " ")
    return block.replace(" \n", "\n").replace("\n ", "\n").strip(" ")
