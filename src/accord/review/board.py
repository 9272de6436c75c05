"""What a review works on: the pairs of a run, and what is decided of each."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from accord.decision import STATUSES, Decision, Status
from accord.decisions import DecidedSinceError, Decisions
from accord.errors import InputError
from accord.phrases import normalise
from accord.review.choosing import Choice
from accord.review.estimate import Estimate, estimate
from accord.review.marks import NUMBERS, UNDECIDED
from accord.review.pairs import Pair, Pairs
from accord.seed import Entry

# Filters whose pairs are kept, at most.
KEPT = 8


class Page(NamedTuple):
    """Some of the pairs that are chosen, and how many these are."""

    pairs: list[Pair]
    chosen: int


class Board:
    """The pairs, and what is decided of them; for one thread."""

    def __init__(self, pairs: Pairs, decisions: Decisions) -> None:
        self.pairs, self.decisions = pairs, decisions
        self.marks = np.full(len(pairs), UNDECIDED, np.uint8)
        for decision in decisions.latest().values():
            self._note(decision.source, decision.target, decision)
        # For the filters that are asked for again and again.
        self._chosen = lru_cache(maxsize=KEPT)(lambda choice: choice.among(pairs))

    def page(self, choice: Choice, begin: int, size: int) -> Page:
        """So many of the chosen pairs, from the place `begin` on; the last ones before it, if the
        size is less than none."""
        chosen = self._chosen(choice.whatever_is_decided)
        if choice.shown != "all":
            chosen = chosen & (self.marks == NUMBERS.get(choice.shown, UNDECIDED))
        begin = max(begin, 0)
        if size < 0:
            places = np.flatnonzero(chosen[:begin])[size:].tolist()
        else:
            places = (np.flatnonzero(chosen[begin:])[:size] + begin).tolist()
        return Page([self.pairs[place] for place in places], int(np.count_nonzero(chosen)))

    def status(self, place: int) -> Status | None:
        number = int(self.marks[place])
        return STATUSES[number - 1] if number else None

    def probability(self, source: str, target: str) -> float | None:
        """Of a pair, if the run has found it and has any."""
        place = self.pairs.find(source, target)
        return None if place is None else self.pairs[place].probability

    def holding(self, pair: Pair) -> Decision | None:
        return self.decisions.holding(pair.kind, pair.source, pair.target)

    def decide(
        self, pair: Entry, status: Status, corrected: Entry | None, *, seen: int, tab: str
    ) -> Decision:
        """As people have it; it is on the disk when this returns."""
        place = self.pairs.find(*pair)
        if place is None:
            raise InputError(f"{' = '.join(pair)}: expected a pair of the run; load the page anew")
        kind = self.pairs[place].kind
        try:
            made = self.decisions.decide(kind, *pair, status, corrected, seen=seen, tab=tab)
        except DecidedSinceError as error:
            self._note(*pair, error.holding)
            # An answer that was lost on its way is asked for once more.
            if not error.holding or not _is_said(error.holding, status, corrected, tab):
                raise
            made = error.holding
        self._note(*pair, made)
        return made

    def undo(self, tab: str) -> int | None:
        """Take back what a tab has decided last; the place of the pair, if there is one."""
        undone = self.decisions.undo(tab)
        if undone is None:
            return None
        holding = self.decisions.holding(*undone.pair)
        self._note(undone.source, undone.target, holding)
        return self.pairs.find(undone.source, undone.target)

    def counts(self) -> dict[str, int]:
        """How many pairs are undecided, accepted and so on."""
        counts = np.bincount(self.marks, minlength=len(NUMBERS) + 1).tolist()
        return dict(zip(("undecided", *STATUSES), counts, strict=True))

    def estimate(self, choice: Choice) -> Estimate | None:
        """How many of the pairs that the filters let through are right."""
        chosen = self._chosen(choice.whatever_is_decided)
        return estimate(self.marks, self.pairs.by_worth, self.pairs.at_random, chosen)

    def _note(self, source: str, target: str, holding: Decision | None) -> None:
        place = self.pairs.find(source, target)
        if place is not None:  # what a run of other pairs has lost stays decided
            self.marks[place] = NUMBERS[holding.status] if holding else UNDECIDED


def _is_said(made: Decision, status: Status, corrected: Entry | None, tab: str) -> bool:
    """Whether a decision is the one that these words make."""
    shown = made.source, made.target
    put = (normalise(corrected[0]), normalise(corrected[1])) if corrected else None
    same = made.status == status or (made.status == "accepted" and put == shown)
    return made.tab == tab and same and (made.corrected or shown) == (put or shown)
