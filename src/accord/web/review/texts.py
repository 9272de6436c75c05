"""Many lines of text as two arrays, which are mapped into memory and not read."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from accord.corpus.vocabulary import normalise
from accord.web.review import text_kernels as kernels


@dataclass(frozen=True, eq=False)
class Texts:
    """Line n in UTF-8, with its line end, is letters[offsets[n]:offsets[n + 1]]."""

    letters: NDArray[np.uint8]
    offsets: NDArray[np.int64]

    @classmethod
    def of(cls, lines: Iterable[str]) -> "Texts":
        encoded = [f"{line}\n".encode() for line in lines]
        ends = np.fromiter(accumulate(map(len, encoded), initial=0), np.int64, len(encoded) + 1)
        return cls(np.frombuffer(b"".join(encoded), np.uint8), ends)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, line: int) -> str:
        begin, end = self.offsets[line], self.offsets[line + 1] - 1
        return self.letters[begin:end].tobytes().decode()

    def having(self, piece: str) -> NDArray[np.bool_]:
        """Which lines have this in them."""
        wanted = np.frombuffer(piece.encode("utf-8", "replace"), np.uint8)
        if not len(wanted):
            return np.ones(len(self), np.bool_)
        found: NDArray[np.bool_] = kernels.lines_with(self.letters, self.offsets, wanted)
        return found


def folded(text: str) -> str:
    """The text as it is searched: whatever its case."""
    return normalise(text.casefold())
