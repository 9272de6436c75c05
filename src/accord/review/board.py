"""What a review works on: the pairs of a run, and what is decided of each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.decisions import STATUSES, DecidedSinceError, Decision, Decisions, Status
from accord.errors import InputError
from accord.review.choosing import NUMBERS, UNDECIDED, Choice, Wanted
from accord.review.estimate import Estimate, Strata, estimate
from accord.review.pairs import Pair, Pairs
from accord.seed import Entry


class Page(NamedTuple):
    """Some of the pairs that are chosen, and how many these are."""

    pairs: list[Pair]
    chosen: int


class Board:
    """The pairs, and what is decided of them; one thread at a time."""

    def __init__(self, pairs: Pairs, decisions: Decisions) -> None:
        self.pairs, self.decisions = pairs, decisions
        self.decided = np.full(len(pairs), UNDECIDED, np.uint8)
        for decision in decisions.latest().values():
            self._note(decision.source, decision.target, decision)
        self.strata = Strata.by(pairs.probability, pairs.frequency, pairs.is_word)

    def page(self, choice: Choice, begin: int, size: int) -> Page:
        """So many of the chosen pairs, from the place `begin` on; the last ones before it, if the
        size is less than none."""
        chosen = choice.among(self.pairs, self.decided)
        begin = max(begin, 0)
        if size < 0:
            places = np.flatnonzero(chosen[:begin])[size:].tolist()
        else:
            places = (np.flatnonzero(chosen[begin:])[:size] + begin).tolist()
        return Page([self.pairs[place] for place in places], int(chosen.sum()))

    def status(self, place: int) -> Status | None:
        number = int(self.decided[place])
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
            if not error.holding or _said(error.holding) != (status, corrected, tab):
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
        counts = np.bincount(self.decided, minlength=len(NUMBERS) + 1).tolist()
        return dict(zip(("undecided", *STATUSES), counts, strict=True))

    def estimate(self, kind: Wanted) -> Estimate | None:
        """How many of the pairs are right. One that was corrected was not."""
        right = self._by_stratum("accepted")
        wrong = self._by_stratum("rejected") + self._by_stratum("corrected")
        parts = (self.strata.sizes, self.strata.prior, right, wrong)
        if kind != "all":
            wanted = Strata.of_words() == (kind == "words")
            return estimate(*(part[wanted] for part in parts))
        return estimate(*parts)

    def _by_stratum(self, status: Status) -> NDArray[np.int64]:
        chosen = self.strata.of[self.decided == NUMBERS[status]]
        return np.bincount(chosen, minlength=len(self.strata.sizes))

    def _note(self, source: str, target: str, holding: Decision | None) -> None:
        place = self.pairs.find(source, target)
        if place is not None:  # what a run of other pairs has lost stays decided
            self.decided[place] = NUMBERS[holding.status] if holding else UNDECIDED


def _said(decision: Decision) -> tuple[Status, Entry | None, str]:
    return decision.status, decision.corrected, decision.tab
