"""The filters of the review page: which pairs are shown."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

import numpy as np

from accord.errors import InputError
from accord.system.arrays import Array, Mask
from accord.web.review.pair_index import LONGEST, PairIndex
from accord.web.review.text_column import fold_text

StatusFilter = Literal["undecided", "all", "accepted", "rejected", "corrected", "skipped"]
KindFilter = Literal["all", "phrases", "words"]


@dataclass(frozen=True)
class PairFilter:
    """The conditions that a pair must meet to be shown."""

    status: StatusFilter = "undecided"
    kind: KindFilter = "all"
    only_new: bool = False  # only with words that are not in the seed
    no_identical: bool = False  # only with two different sides
    min_confidence: float = 0.0
    max_confidence: float = 1.0
    shortest: int = 1  # words of the longer side
    longest: int = LONGEST
    contains: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "PairFilter":
        """Read the filters from the query of an address, with defaults for missing ones."""
        status = _read_choice(query, "shown", get_args(StatusFilter), cls.status)
        kind = _read_choice(query, "kind", get_args(KindFilter), cls.kind)
        return cls(
            cast(StatusFilter, status),
            cast(KindFilter, kind),
            query.get("new", "") == "yes",
            query.get("identical", "") == "no",
            _read_number(query, "least", cls.min_confidence, 1),
            _read_number(query, "most", cls.max_confidence, 1),
            int(_read_number(query, "shortest", cls.shortest, LONGEST)),
            int(_read_number(query, "longest", cls.longest, LONGEST)),
            fold_text(query.get("contains", "")),
        )

    @property
    def of_any_status(self) -> "PairFilter":
        """The same filter, regardless of decisions."""
        return replace(self, status="all")

    def match(self, index: PairIndex) -> Mask:
        """Return which pairs match the filter, regardless of decisions."""
        chosen = np.ones(len(index), np.bool_)
        if self.kind != "all":
            chosen &= index.is_word == (self.kind == "words")
        if self.only_new:
            chosen &= index.has_new_word
        if self.no_identical:
            chosen &= ~index.is_identical
        least, most = self.min_confidence, self.max_confidence
        if (least, most) != (0.0, 1.0):
            chosen &= _is_within(index.confidence, np.float32(least), np.float32(most))
        if (self.shortest, self.longest) != (1, LONGEST):
            chosen &= _is_within(index.length, self.shortest, self.longest)
        if self.contains:
            chosen &= index.searched.search(self.contains)
        return chosen


def _is_within(column: Array, least: np.float32 | int, most: np.float32 | int) -> Mask:
    return np.asarray((column >= least) & (column <= most))


def _read_choice(query: Mapping[str, str], name: str, known: tuple[str, ...], default: str) -> str:
    value = query.get(name, default)
    if value not in known:
        raise InputError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
    return value


def _read_number(query: Mapping[str, str], name: str, default: float, highest: int) -> float:
    text = query.get(name, "")
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0 <= value <= highest:
        raise InputError(f"{name}: expected a number from 0 to {highest}, found {text!r}")
    return value
