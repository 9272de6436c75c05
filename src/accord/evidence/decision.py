"""What a person has decided about a pair: it is right, wrong, to be put otherwise, or left for
later."""

from datetime import UTC, datetime
from typing import Literal, NamedTuple, get_args

from accord.corpus.vocabulary import normalise
from accord.errors import InputError
from accord.evidence.seed import Entry

Kind = Literal["phrase", "word"]
Status = Literal["accepted", "rejected", "corrected", "skipped"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
CORRECTED, SKIPPED = "corrected", "skipped"


class Decision(NamedTuple):
    """A line of the log that decides."""

    number: int  # counted up over all pairs and tabs
    kind: Kind
    source: str
    target: str
    status: Status
    corrected: Entry | None  # what was put in its place
    time: str  # in UTC
    tab: str  # of the browser, or whatever else decides

    @property
    def pair(self) -> tuple[Kind, str, str]:
        return self.kind, self.source, self.target


def checked(
    kind: Kind, source: str, target: str, status: Status, corrected: Entry | None, tab: str
) -> Decision:
    """A decision as it is kept, number 0."""
    if kind not in KINDS:
        raise InputError(f"kind: expected {' or '.join(KINDS)}, found {kind!r}")
    if status not in STATUSES:
        raise InputError(f"status: expected one of {', '.join(STATUSES)}, found {status!r}")
    if (status == CORRECTED) != (corrected is not None):
        found = "none" if corrected is None else f"one that is {status}"
        raise InputError(f"corrected: expected a pair for what is corrected, found {found}")
    shown = _text("source", source), _text("target", target)
    if corrected is not None:
        corrected = _text("corrected source", corrected[0]), _text("corrected target", corrected[1])
        if corrected == shown:  # somebody looked closer, and left it as it was
            status, corrected = "accepted", None
    return Decision(0, kind, *shown, status, corrected, now(), tab)


def _text(name: str, text: str) -> str:
    kept = normalise(text)
    try:
        kept.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}: expected text of Unicode, found {text!r}") from None
    if not kept:
        raise InputError(f"{name}: expected words, found none")
    return kept


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
