"""What the formats of the field are about: pairs of words or phrases, and what is known of them."""

from collections import Counter
from pathlib import Path
from typing import Literal, NamedTuple

# What a person said of a pair, if anything.
Status = Literal["", "accepted", "rejected"]
# The codes of the source and the target language, empty where nobody has told.
Languages = tuple[str, str]
# What a writer returns: why it could not hold pairs, and how many each time.
LeftOut = Counter[str]


class Exported(NamedTuple):
    """What became of the pairs of a run."""

    pairs: int
    files: tuple[Path, ...]
    left_out: LeftOut


class Record(NamedTuple):
    """A pair of words or phrases; formats hold some of this, or all."""

    source: str
    target: str
    forward: float | None = None  # P(target|source)
    backward: float | None = None  # P(source|target)
    confidence: float | None = None  # the probability of being right
    alignment: tuple[tuple[int, int], ...] = ()  # 0-based (source word, target word)
    status: Status = ""

    @property
    def is_of_words(self) -> bool:
        """Whether both sides are single words."""
        return " " not in self.source and " " not in self.target
