"""A column of many texts as two arrays, which are mapped into memory instead of being read."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from accord.corpus.vocabulary import normalise
from accord.system.arrays import Mask, Offsets
from accord.web.review import text_kernels as kernels


@dataclass(frozen=True, eq=False)
class TextColumn:
    """Line n in UTF-8, with its line end, is letters[offsets[n]:offsets[n + 1]]."""

    letters: NDArray[np.uint8]
    offsets: Offsets

    @classmethod
    def of(cls, lines: Iterable[str]) -> "TextColumn":
        encoded = [f"{line}\n".encode() for line in lines]
        ends = np.fromiter(accumulate(map(len, encoded), initial=0), np.int64, len(encoded) + 1)
        return cls(np.frombuffer(b"".join(encoded), np.uint8), ends)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, line: int) -> str:
        begin, end = self.offsets[line], self.offsets[line + 1] - 1
        return self.letters[begin:end].tobytes().decode()

    def search(self, piece: str) -> Mask:
        """Return which lines contain this text."""
        wanted = np.frombuffer(piece.encode("utf-8", "replace"), np.uint8)
        if not len(wanted):
            return np.ones(len(self), np.bool_)
        found: Mask = kernels.find_lines(self.letters, self.offsets, wanted)
        return found


def fold_text(text: str) -> str:
    """Return text as it is searched: normalised and case-folded."""
    return normalise(text.casefold())
