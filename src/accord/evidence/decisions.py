"""Decisions of reviewers on pairs, kept in SQLite as an append-only log.

A decision accepts, rejects, corrects or skips a phrase pair or a word pair. Undoing a decision
appends another row to the log. The current decision on a pair is the last one that was not undone.

Once a decision is confirmed, it is on the disk, even if the machine loses power in the next moment:
with `synchronous = FULL`, the write-ahead log (WAL) is flushed at every commit. In WAL mode, a
reader, such as a run that learns, never blocks a writer. Each decision is a transaction of its own,
and names the decision that it replaces: if two browser tabs show the same pair, the second one gets
an error.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Literal, NamedTuple, get_args

from accord.corpus.vocabulary import normalise
from accord.errors import AccordError, InputError, OutputError
from accord.evidence.seed import ACCEPTED, REJECTED, Entry, ReviewedEntry, SeedLexicon

PairKind = Literal["phrase", "word"]
DecisionStatus = Literal["accepted", "rejected", "corrected", "skipped"]
KINDS: tuple[PairKind, ...] = get_args(PairKind)
STATUSES: tuple[DecisionStatus, ...] = get_args(DecisionStatus)
CORRECTED, SKIPPED = "corrected", "skipped"

# The bytes "Acrd", which identify our files.
APPLICATION = 0x41637264
# Increased when the schema changes, so that older versions of Accord refuse the file.
VERSION = 1
# Seconds to wait while another process writes.
TIMEOUT = 10.0

SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS log (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    status TEXT NOT NULL,
    corrected_source TEXT,
    corrected_target TEXT,
    time TEXT NOT NULL,
    tab TEXT NOT NULL,
    takes_back INTEGER UNIQUE REFERENCES log (number)
);
CREATE INDEX IF NOT EXISTS by_pair ON log (kind, source, target);
CREATE INDEX IF NOT EXISTS by_tab ON log (tab);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
# The decisions that were not undone. The plus sign keeps SQLite from scanning all of them to find
# the few of a pair or of a tab.
STANDING = """(SELECT * FROM log AS decision WHERE +takes_back IS NULL
    AND NOT EXISTS (SELECT 1 FROM log AS undo WHERE undo.takes_back = decision.number))"""
COLUMNS = "number, kind, source, target, status, corrected_source, corrected_target, time, tab"


class Decision(NamedTuple):
    """A row of the log that makes a decision."""

    number: int  # counted over all pairs and tabs
    kind: PairKind
    source: str
    target: str
    status: DecisionStatus
    corrected: Entry | None  # the pair that replaces it
    time: str  # in UTC
    tab: str  # identifies the browser tab, or another program

    @property
    def pair(self) -> tuple[PairKind, str, str]:
        return self.kind, self.source, self.target


class DecisionConflictError(AccordError):
    """The decision on a pair has changed since the pair was shown."""

    def __init__(self, source: str, target: str, current: Decision | None) -> None:
        status = current.status if current else "undecided"
        super().__init__(
            f"{source} = {target}: expected no decision since the pair was shown, found it "
            f"{status}; look at it again"
        )
        self.current = current


class DecisionLog:
    """The decisions in a file. The file is created if it does not exist, unless `read_only`.

    Threads may share one object. Several processes may write to the same file.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock = RLock()
        if read_only and not self.path.exists():
            raise InputError(f"{path}: no such file")
        if self.path.is_dir():
            raise InputError(f"{path}: expected a file, found a folder")
        with self._convert_errors():
            self._connection = sqlite3.connect(
                f"{self.path.resolve().as_uri()}?mode={self._choose_mode(read_only)}",
                uri=True,
                timeout=TIMEOUT,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._check_or_create(read_only)
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> "DecisionLog":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def decide(
        self,
        kind: PairKind,
        source: str,
        target: str,
        status: DecisionStatus,
        corrected: Entry | None = None,
        *,
        seen: int = 0,
        tab: str = "",
    ) -> Decision:
        """Decide on a pair. `seen` is the number of the decision that was shown with it, or 0.

        If the current decision is another one by now, raise DecisionConflictError.
        """
        decision = check_decision(kind, source, target, status, corrected, tab)
        with self._transaction():
            current = self.find_current(*decision.pair)
            if (current.number if current else 0) != seen:
                raise DecisionConflictError(decision.source, decision.target, current)
            return decision._replace(number=self._append(decision))

    def undo(self, tab: str = "") -> Decision | None:
        """Undo the last decision of a tab that was not undone yet, and return it, if any.

        If another tab has decided on the same pair since, that decision stays the current one.
        """
        with self._transaction():
            last = self._find_last("tab = ?", tab)
            if last:
                self._append(last._replace(time=format_current_time()), takes_back=last.number)
            return last

    def find_current(self, kind: PairKind, source: str, target: str) -> Decision | None:
        """Return the current decision on a pair."""
        return self._find_last("(kind, source, target) = (?, ?, ?)", kind, source, target)

    def read_current(self) -> dict[tuple[PairKind, str, str], Decision]:
        """Return the current decision on each pair, in the order in which they were made."""
        # In a group with max(), SQLite takes the other columns from the row of the maximum.
        rows = self._query(
            f"SELECT {COLUMNS}, max(number) FROM {STANDING} GROUP BY kind, source, target "
            "ORDER BY number"
        )
        decisions = map(_make_decision, rows)
        return {decision.pair: decision for decision in decisions}

    def read_since(self, number: int) -> list[tuple[int, str, str, DecisionStatus | None]]:
        """Return (number, source, target, current status of the pair) of all later log rows."""
        return self._query(
            f"SELECT number, source, target, (SELECT status FROM {STANDING} WHERE "
            "(kind, source, target) = (log.kind, log.source, log.target) "
            "ORDER BY number DESC LIMIT 1) FROM log WHERE number > ? ORDER BY number",
            number,
        )

    def count_statuses(self, kind: PairKind | None = None) -> dict[DecisionStatus, int]:
        """Return the number of pairs with each status, of one kind or of both."""
        rows = self._query(
            f"SELECT status, count(*) FROM (SELECT kind, status, max(number) FROM {STANDING} "
            "GROUP BY kind, source, target) WHERE kind = ?1 OR ?1 IS NULL GROUP BY status",
            kind,
        )
        found: dict[str, int] = dict(rows)
        return {status: found.get(status, 0) for status in STATUSES}

    def collect_entries(self) -> list[ReviewedEntry]:
        """Return the decisions as entries of a seed.

        A corrected pair is rejected, and its correction accepted. If two decisions concern the same
        pair, the later one wins. Skipped pairs are left out.
        """
        statuses: dict[Entry, str] = {}
        for decision in self.read_current().values():
            shown = decision.source, decision.target
            if decision.corrected:
                statuses |= {shown: REJECTED, decision.corrected: ACCEPTED}
            elif decision.status != SKIPPED:
                statuses[shown] = decision.status
        return [(*pair, status) for pair, status in sorted(statuses.items())]

    def _choose_mode(self, read_only: bool) -> str:
        """Return how SQLite should open the file.

        Even a reader needs to write next to the file, in order to share and remove the WAL. If it
        may not, and nobody else writes, it reads the file as it is.
        """
        alone = not self.path.with_name(f"{self.path.name}-wal").exists()
        if read_only and alone and not os.access(self.path.resolve().parent, os.W_OK):
            return "ro&immutable=1"
        return "rw" if read_only else "rwc"

    def _check_or_create(self, read_only: bool) -> None:
        # In one transaction, as another process may be creating the file.
        self._query("BEGIN")
        mark, version = self._read_pragma("application_id"), self._read_pragma("user_version")
        is_new = not mark and not version and not self._query("SELECT 1 FROM sqlite_schema LIMIT 1")
        self._query("COMMIT")
        if is_new and not read_only:
            # The journal mode is stored in the file; the other pragmas belong to the connection.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(SCHEMA)
        elif mark != APPLICATION:
            raise InputError(f"{self.path}: expected decisions on pairs, found another database")
        elif version > VERSION:
            raise InputError(
                f"{self.path}: decisions of version {version}, this accord reads version "
                f"{VERSION}; install a newer accord"
            )
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(f"PRAGMA query_only = {read_only:d}")

    def _read_pragma(self, name: str) -> int:
        return int(self._query(f"PRAGMA {name}")[0][0])

    def _append(self, decision: Decision, takes_back: int | None = None) -> int:
        corrected = decision.corrected or (None, None)
        values = (*decision.pair, decision.status, *corrected, decision.time, decision.tab)
        added = self._connection.execute(
            f"INSERT INTO log ({COLUMNS}, takes_back) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, takes_back),
        )
        assert added.lastrowid
        return added.lastrowid

    def _find_last(self, condition: str, *values: str) -> Decision | None:
        """Return the last decision that was not undone and for which the condition is true."""
        rows = self._query(
            f"SELECT {COLUMNS} FROM {STANDING} WHERE {condition} ORDER BY number DESC LIMIT 1",
            *values,
        )
        return _make_decision(rows[0]) if rows else None

    def _query(self, query: str, *values: object) -> list[Any]:
        with self._lock, self._convert_errors():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit or roll back as a whole; other writers wait."""
        with self._lock, self._convert_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _convert_errors(self) -> Iterator[None]:
        """Turn the errors of SQLite into errors that name the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OutputError(f"{self.path}: cannot be read or written: {error}") from None
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self.path}: expected decisions on pairs, found a file that cannot be read: "
                f"{error}"
            ) from None


def read_decisions(given: str | Path | Iterable[ReviewedEntry]) -> SeedLexicon:
    """Return the decisions in a file of `accord review`, or these entries, as a seed lexicon."""
    if not isinstance(given, str | Path):
        return SeedLexicon.of(given, "decisions")
    with DecisionLog(given, read_only=True) as log:
        return SeedLexicon.of(log.collect_entries(), str(given))


def check_decision(
    kind: PairKind,
    source: str,
    target: str,
    status: DecisionStatus,
    corrected: Entry | None,
    tab: str,
) -> Decision:
    """Check and normalise a decision; its number is 0."""
    if kind not in KINDS:
        raise InputError(f"kind: expected {' or '.join(KINDS)}, found {kind!r}")
    if status not in STATUSES:
        raise InputError(f"status: expected one of {', '.join(STATUSES)}, found {status!r}")
    if (status == CORRECTED) != (corrected is not None):
        found = "none" if corrected is None else f"one with the status {status}"
        raise InputError(f"corrected: expected a pair if the status is corrected, found {found}")
    shown = _check_text("source", source), _check_text("target", target)
    if corrected is not None:
        corrected = (
            _check_text("corrected source", corrected[0]),
            _check_text("corrected target", corrected[1]),
        )
        if corrected == shown:  # the reviewer edited the pair, but changed nothing
            status, corrected = "accepted", None
    return Decision(0, kind, *shown, status, corrected, format_current_time(), tab)


def _check_text(name: str, text: str) -> str:
    kept = normalise(text)
    try:
        kept.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name}: expected valid Unicode text, found {text!r}") from None
    if not kept:
        raise InputError(f"{name}: expected words, found none")
    return kept


def format_current_time() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _make_decision(row: Any) -> Decision:
    number, kind, source, target, status, corrected_source, corrected_target, time, tab, *_ = row
    corrected = None if corrected_source is None else (corrected_source, corrected_target)
    return Decision(number, kind, source, target, status, corrected, time, tab)
