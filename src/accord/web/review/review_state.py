"""The state of a review: the pairs of a run, and the decisions on them.

Requests are answered in several threads. They share the decisions, which have a lock of their own,
and the statuses of the pairs. This array is never changed in place: a decision makes a new one, so
that older snapshots stay the same.
"""

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np

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
from accord.system.arrays import Mask
from accord.web.review.filters import PairFilter
from accord.web.review.pair_index import PairIndex, ReviewPair
from accord.web.review.precision import (
    STATUS_CODES,
    UNDECIDED,
    PrecisionEstimate,
    StatusCodes,
    estimate_precision,
)

# The number of filters whose matching pairs are cached.
CACHED_FILTERS = 8


class ReviewSnapshot(NamedTuple):
    """The pairs and their statuses at one moment."""

    pairs: PairIndex
    codes: StatusCodes  # the status of each pair; never changed
    match: Callable[[PairFilter], Mask]  # which pairs match a filter, of any status

    def page(self, wanted: PairFilter, begin: int, size: int) -> list[ReviewPair]:
        """Return up to `size` of the matching pairs from the place `begin`; with a negative size,
        the last ones before it."""
        chosen = self._choose(wanted)
        begin = min(max(begin, 0), len(chosen))
        if size < 0:
            places = np.flatnonzero(chosen[:begin])[size:].tolist()
        else:
            places = (np.flatnonzero(chosen[begin:])[:size] + begin).tolist()
        return [self.pairs[place] for place in places]

    def count_chosen(self, wanted: PairFilter) -> int:
        """Return how many pairs match the filter."""
        return int(np.count_nonzero(self._choose(wanted)))

    def status(self, place: int) -> DecisionStatus | None:
        code = int(self.codes[place])
        return STATUSES[code - 1] if code else None

    def count_statuses(self) -> dict[str, int]:
        """Return how many pairs are undecided, accepted and so on."""
        counts = np.bincount(self.codes, minlength=len(STATUS_CODES) + 1).tolist()
        return dict(zip(("undecided", *STATUSES), counts, strict=True))

    def estimate(self, wanted: PairFilter) -> PrecisionEstimate | None:
        """Estimate the precision of the pairs that match the filter, of any status."""
        chosen = self.match(wanted.of_any_status)
        return estimate_precision(
            self.codes, self.pairs.by_information, self.pairs.at_random, chosen
        )

    def _choose(self, wanted: PairFilter) -> Mask:
        chosen = self.match(wanted.of_any_status)
        if wanted.status != "all":
            chosen = chosen & (self.codes == STATUS_CODES.get(wanted.status, UNDECIDED))
        return np.asarray(chosen)


class ReviewState:
    """The pairs and the decisions on them. Threads may share it."""

    def __init__(self, pairs: PairIndex, decisions: DecisionLog) -> None:
        self.pairs, self.decisions = pairs, decisions
        self._lock = Lock()  # for the next two; acquired before the lock of the decisions
        self._codes = np.full(len(pairs), UNDECIDED, np.uint8)
        self._read = 0  # lines of the log
        # Two threads may compute the same filter simultaneously; both get the same result.
        self._match = lru_cache(maxsize=CACHED_FILTERS)(lambda wanted: wanted.match(pairs))

    def snapshot(self) -> ReviewSnapshot:
        """Return the state after all decisions made so far, also those of another server."""
        with self._lock:
            changes = self.decisions.read_since(self._read)
            if changes:
                codes = self._codes.copy()
                for number, source, target, status in changes:
                    place = self.pairs.find(source, target)
                    if place is not None:  # a later run may lack the pair
                        codes[place] = STATUS_CODES[status] if status else UNDECIDED
                    self._read = number
                self._codes = codes
            return ReviewSnapshot(self.pairs, self._codes, self._match)

    def confidence(self, source: str, target: str) -> float | None:
        """Return the confidence of a pair, if the run has found it and has confidences."""
        place = self.pairs.find(source, target)
        return None if place is None else self.pairs[place].confidence

    def decision_on(self, pair: ReviewPair) -> Decision | None:
        return self.decisions.find_current(pair.kind, pair.source, pair.target)

    def decide(
        self, pair: Entry, status: DecisionStatus, corrected: Entry | None, *, seen: int, tab: str
    ) -> Decision:
        """Store a decision; it is on the disk when this returns."""
        place = self.pairs.find(*pair)
        if place is None:
            raise InputError(f"{' = '.join(pair)}: expected a pair of the run; reload the page")
        kind = self.pairs[place].kind
        try:
            return self.decisions.decide(kind, *pair, status, corrected, seen=seen, tab=tab)
        except DecisionConflictError as error:
            # A request whose answer was lost is sent once more.
            if not error.current or not _is_same_decision(error.current, status, corrected, tab):
                raise
            return error.current

    def undo(self, tab: str) -> Decision | None:
        """Undo the last decision of a tab, and return it if there was one."""
        return self.decisions.undo(tab)


def _is_same_decision(
    made: Decision, status: DecisionStatus, corrected: Entry | None, tab: str
) -> bool:
    """Return whether a stored decision is the one that this request asks for."""
    shown = made.source, made.target
    wanted = (normalise(corrected[0]), normalise(corrected[1])) if corrected else None
    is_same = made.status == status or (made.status == "accepted" and wanted == shown)
    return made.tab == tab and is_same and (made.corrected or shown) == (wanted or shown)
