"""Which pairs are shown: those that all filters let through."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from accord.decisions import STATUSES
from accord.errors import InputError
from accord.review.pairs import Pairs
from accord.review.texts import folded

Shown = Literal["undecided", "all", "accepted", "rejected", "corrected", "skipped"]
Wanted = Literal["all", "phrases", "words"]
# In the column of what is decided, by place; statuses are numbered from 1.
UNDECIDED = 0
NUMBERS: dict[str, int] = {status: number for number, status in enumerate(STATUSES, start=1)}


@dataclass(frozen=True)
class Choice:
    """What is asked for."""

    shown: Shown = "undecided"
    kind: Wanted = "all"
    new: bool = False  # only with words that are not in the seed
    least: float = 0.0  # probability
    most: float = 1.0
    shortest: int = 1  # words of the longer side
    longest: int = 255
    contains: str = ""

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> "Choice":
        """As an address has it; what it does not say is the default."""
        return cls(
            cast(Shown, _one_of(get_args(Shown), "shown", asked.get("shown", cls.shown))),
            cast(Wanted, _one_of(get_args(Wanted), "kind", asked.get("kind", cls.kind))),
            asked.get("new", "") == "yes",
            _number(asked, "least", cls.least),
            _number(asked, "most", cls.most),
            int(_number(asked, "shortest", cls.shortest)),
            int(_number(asked, "longest", cls.longest)),
            folded(asked.get("contains", "")),
        )

    def among(self, pairs: Pairs, decided: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which pairs these are; `decided` has the number of the status of each."""
        chosen = np.ones(len(pairs), np.bool_)
        if self.shown != "all":
            chosen &= decided == NUMBERS.get(self.shown, UNDECIDED)
        if self.kind != "all":
            chosen &= pairs.is_word == (self.kind == "words")
        if self.new:
            chosen &= pairs.new
        if (self.least, self.most) != (0.0, 1.0):
            # As they are shown: to three digits.
            sure = np.round(pairs.probability, 3)
            chosen &= (sure >= np.float32(self.least)) & (sure <= np.float32(self.most))
        if (self.shortest, self.longest) != (1, 255):
            chosen &= (pairs.length >= self.shortest) & (pairs.length <= self.longest)
        if self.contains:
            chosen &= pairs.searched.having(self.contains)
        return chosen


def _one_of(known: tuple[str, ...], name: str, value: str) -> str:
    if value not in known:
        raise InputError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
    return value


def _number(asked: Mapping[str, str], name: str, default: float) -> float:
    text = asked.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0 <= value <= 255:
        raise InputError(f"{name}: expected a number from 0 on, found {text!r}")
    return value
