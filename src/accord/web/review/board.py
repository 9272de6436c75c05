"""What a review works on: the pairs of a run, and what is decided of each."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.decisions import (
    STATUSES,
    Decision,
    DecisionConflictError,
    DecisionLog,
    DecisionStatus,
)
from accord.evidence.seed import Entry
from accord.web.review.choosing import Choice
from accord.web.review.estimate import Estimate, estimate
from accord.web.review.marks import NUMBERS, UNDECIDED
from accord.web.review.pairs import Pair, Pairs

# Filters whose pairs are kept, at most.
KEPT = 8


class Board:
    """The pairs, and what is decided of them; for one thread."""

    def __init__(self, pairs: Pairs, decisions: DecisionLog) -> None:
        self.pairs, self.decisions = pairs, decisions
        self.marks = np.full(len(pairs), UNDECIDED, np.uint8)
        self._read = 0  # so many lines of the log
        self._catch_up()
        # For the filters that are asked for again and again.
        self._chosen = lru_cache(maxsize=KEPT)(lambda choice: choice.among(pairs))

    def page(self, choice: Choice, begin: int, size: int) -> list[Pair]:
        """So many of the chosen pairs, from the place `begin` on; the last ones before it, if the
        size is less than none."""
        self._catch_up()
        chosen = self._shown(choice)
        begin = min(max(begin, 0), len(chosen))
        if size < 0:
            places = np.flatnonzero(chosen[:begin])[size:].tolist()
        else:
            places = (np.flatnonzero(chosen[begin:])[:size] + begin).tolist()
        return [self.pairs[place] for place in places]

    def count(self, choice: Choice) -> int:
        """How many pairs are chosen."""
        return int(np.count_nonzero(self._shown(choice)))

    def status(self, place: int) -> DecisionStatus | None:
        number = int(self.marks[place])
        return STATUSES[number - 1] if number else None

    def probability(self, source: str, target: str) -> float | None:
        """Of a pair, if the run has found it and has any."""
        place = self.pairs.find(source, target)
        return None if place is None else self.pairs[place].probability

    def holding(self, pair: Pair) -> Decision | None:
        return self.decisions.find_current(pair.kind, pair.source, pair.target)

    def decide(
        self, pair: Entry, status: DecisionStatus, corrected: Entry | None, *, seen: int, tab: str
    ) -> Decision:
        """As people have it; it is on the disk when this returns."""
        place = self.pairs.find(*pair)
        if place is None:
            raise InputError(f"{' = '.join(pair)}: expected a pair of the run; load the page anew")
        kind = self.pairs[place].kind
        try:
            made = self.decisions.decide(kind, *pair, status, corrected, seen=seen, tab=tab)
        except DecisionConflictError as error:
            # An answer that was lost on its way is asked for once more.
            if not error.current or not _is_said(error.current, status, corrected, tab):
                raise
            made = error.current
        finally:
            self._catch_up()
        return made

    def undo(self, tab: str) -> Decision | None:
        """Take back what a tab has decided last; what it was, if there is any."""
        undone = self.decisions.undo(tab)
        self._catch_up()
        return undone

    def counts(self) -> dict[str, int]:
        """How many pairs are undecided, accepted and so on."""
        counts = np.bincount(self.marks, minlength=len(NUMBERS) + 1).tolist()
        return dict(zip(("undecided", *STATUSES), counts, strict=True))

    def estimate(self, choice: Choice) -> Estimate | None:
        """How many of the pairs that the filters let through are right."""
        chosen = self._chosen(choice.whatever_is_decided)
        return estimate(self.marks, self.pairs.by_worth, self.pairs.at_random, chosen)

    def _shown(self, choice: Choice) -> NDArray[np.bool_]:
        chosen = self._chosen(choice.whatever_is_decided)
        if choice.shown != "all":
            chosen = chosen & (self.marks == NUMBERS.get(choice.shown, UNDECIDED))
        return np.asarray(chosen)

    def _catch_up(self) -> None:
        """Mark what was decided or taken back since, be it by another server."""
        for number, source, target, status in self.decisions.read_since(self._read):
            place = self.pairs.find(source, target)
            if place is not None:  # what a run of other pairs has lost stays decided
                self.marks[place] = NUMBERS[status] if status else UNDECIDED
            self._read = number


def _is_said(made: Decision, status: DecisionStatus, corrected: Entry | None, tab: str) -> bool:
    """Whether a decision is the one that these words make."""
    shown = made.source, made.target
    put = (normalise(corrected[0]), normalise(corrected[1])) if corrected else None
    same = made.status == status or (made.status == "accepted" and put == shown)
    return made.tab == tab and same and (made.corrected or shown) == (put or shown)
