"""Which pairs are shown: those that all filters let through."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError
from accord.web.review.pairs import LONGEST, Pairs
from accord.web.review.texts import folded

Shown = Literal["undecided", "all", "accepted", "rejected", "corrected", "skipped"]
Wanted = Literal["all", "phrases", "words"]


@dataclass(frozen=True)
class Choice:
    """What is asked for."""

    shown: Shown = "undecided"
    kind: Wanted = "all"
    new: bool = False  # only with words that are not in the seed
    least: float = 0.0  # probability
    most: float = 1.0
    shortest: int = 1  # words of the longer side
    longest: int = LONGEST
    contains: str = ""

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> "Choice":
        """As an address has it; what it does not say is the default."""
        return cls(
            cast(Shown, _one_of(get_args(Shown), "shown", asked.get("shown", cls.shown))),
            cast(Wanted, _one_of(get_args(Wanted), "kind", asked.get("kind", cls.kind))),
            asked.get("new", "") == "yes",
            _number(asked, "least", cls.least, 1),
            _number(asked, "most", cls.most, 1),
            int(_number(asked, "shortest", cls.shortest, LONGEST)),
            int(_number(asked, "longest", cls.longest, LONGEST)),
            folded(asked.get("contains", "")),
        )

    @property
    def whatever_is_decided(self) -> "Choice":
        """The same without regard to decisions."""
        return replace(self, shown="all")

    def among(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Which pairs these are, whatever is decided of them."""
        chosen = np.ones(len(pairs), np.bool_)
        if self.kind != "all":
            chosen &= pairs.is_word == (self.kind == "words")
        if self.new:
            chosen &= pairs.new
        if (self.least, self.most) != (0.0, 1.0):
            chosen &= _within(pairs.probability, np.float32(self.least), np.float32(self.most))
        if (self.shortest, self.longest) != (1, LONGEST):
            chosen &= _within(pairs.length, self.shortest, self.longest)
        if self.contains:
            chosen &= pairs.searched.having(self.contains)
        return chosen


def _within(column: NDArray[Any], least: Any, most: Any) -> NDArray[np.bool_]:
    return np.asarray((column >= least) & (column <= most))


def _one_of(known: tuple[str, ...], name: str, value: str) -> str:
    if value not in known:
        raise InputError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
    return value


def _number(asked: Mapping[str, str], name: str, default: float, highest: int) -> float:
    text = asked.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0 <= value <= highest:
        raise InputError(f"{name}: expected a number from 0 to {highest}, found {text!r}")
    return value
