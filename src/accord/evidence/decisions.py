"""What people have decided about pairs, kept in SQLite: a log that only grows.

A decision says of a phrase or word pair that it is right, wrong, to be put otherwise, or left for
later. Taking one back is a line of the log as well. What holds for a pair is the last decision
that was not taken back.

A decision that was confirmed is on the disk, even if the machine loses power at the next key: with
synchronous FULL the log file (WAL) is flushed at every commit. WAL, as those who read, such as a
run that learns, then never hold up those who write. Every decision is a transaction of its own,
and says which one it takes the place of: of two tabs that show the same pair, the second is told.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any

from accord.errors import AccordError, InputError, OutputError
from accord.evidence.decision import SKIPPED, STATUSES, Decision, Kind, Status, checked, now
from accord.evidence.seed import ACCEPTED, REJECTED, Entry, JudgedEntry, SeedLexicon

# "Acrd", by which a file of ours is told from others.
APPLICATION = 0x41637264
# Goes up whenever a file that was written before would be misread.
VERSION = 1
# Seconds to wait for another process that writes.
PATIENCE = 10.0

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
# The decisions that were not taken back. The plus keeps SQLite from going through all of these, as
# it would to find the few of a pair or of a tab.
STANDING = """(SELECT * FROM log AS decision WHERE +takes_back IS NULL
    AND NOT EXISTS (SELECT 1 FROM log AS undo WHERE undo.takes_back = decision.number))"""
COLUMNS = "number, kind, source, target, status, corrected_source, corrected_target, time, tab"


class DecidedSinceError(AccordError):
    """A pair is no longer decided, or undecided, as it was when it was shown."""

    def __init__(self, source: str, target: str, holding: Decision | None) -> None:
        now = holding.status if holding else "undecided"
        super().__init__(
            f"{source} = {target}: expected no decision since the pair was shown, found it {now}; "
            "look at it again"
        )
        self.holding = holding  # what holds now


class Decisions:
    """The decisions in a file, which is made where there is none, unless it is only to be read.

    Threads may share it. Several processes may write the same file.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self._lock = RLock()
        if read_only and not self.path.exists():
            raise InputError(f"{path}: no such file")
        if self.path.is_dir():
            raise InputError(f"{path}: expected a file, found a folder")
        with self._errors():
            self._connection = sqlite3.connect(
                f"{self.path.resolve().as_uri()}?mode={self._mode(read_only)}",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._check_or_make(read_only)
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> "Decisions":
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
        kind: Kind,
        source: str,
        target: str,
        status: Status,
        corrected: Entry | None = None,
        *,
        seen: int = 0,
        tab: str = "",
    ) -> Decision:
        """Decide on a pair. `seen` is the number of the decision that was shown with it, 0 where
        there was none: if another holds by now, nothing is decided (DecidedSinceError)."""
        decision = checked(kind, source, target, status, corrected, tab)
        with self._transaction():
            holding = self.holding(*decision.pair)
            if (holding.number if holding else 0) != seen:
                raise DecidedSinceError(decision.source, decision.target, holding)
            return decision._replace(number=self._append(decision))

    def undo(self, tab: str = "") -> Decision | None:
        """Take back the last decision of a tab that was not taken back; which one, if any.

        Where another tab has decided the same pair since, its decision goes on to hold.
        """
        with self._transaction():
            last = self._one("tab = ?", tab)
            if last:
                self._append(last._replace(time=now()), takes_back=last.number)
            return last

    def holding(self, kind: Kind, source: str, target: str) -> Decision | None:
        """What holds for a pair."""
        return self._one("(kind, source, target) = (?, ?, ?)", kind, source, target)

    def latest(self) -> dict[tuple[Kind, str, str], Decision]:
        """What holds for each pair that was decided, in the order of the decisions."""
        # Of a group with max(), SQLite takes the other columns from the greatest row.
        rows = self._rows(
            f"SELECT {COLUMNS}, max(number) FROM {STANDING} GROUP BY kind, source, target "
            "ORDER BY number"
        )
        decisions = map(_decision, rows)
        return {decision.pair: decision for decision in decisions}

    def since(self, number: int) -> list[tuple[int, str, str, Status | None]]:
        """The lines of the log after that of this number: of which pair each is, and the status
        that now holds for it."""
        return self._rows(
            f"SELECT number, source, target, (SELECT status FROM {STANDING} WHERE "
            "(kind, source, target) = (log.kind, log.source, log.target) "
            "ORDER BY number DESC LIMIT 1) FROM log WHERE number > ? ORDER BY number",
            number,
        )

    def counts(self, kind: Kind | None = None) -> dict[Status, int]:
        """How many pairs are accepted, rejected, corrected and skipped; of one kind, or of all."""
        rows = self._rows(
            f"SELECT status, count(*) FROM (SELECT kind, status, max(number) FROM {STANDING} "
            "GROUP BY kind, source, target) WHERE kind = ?1 OR ?1 IS NULL GROUP BY status",
            kind,
        )
        found: dict[str, int] = dict(rows)
        return {status: found.get(status, 0) for status in STATUSES}

    def entries(self) -> list[JudgedEntry]:
        """What the decisions say of pairs, as the entries of a seed: one that is corrected is
        rejected, and what was put in its place accepted. Of two that speak of the same pair, the
        later counts; skipped ones say nothing."""
        statuses: dict[Entry, str] = {}
        for decision in self.latest().values():
            shown = decision.source, decision.target
            if decision.corrected:
                said = [(shown, REJECTED), (decision.corrected, ACCEPTED)]
            else:
                said = [] if decision.status == SKIPPED else [(shown, decision.status)]
            statuses.update(said)
        return [(*pair, status) for pair, status in sorted(statuses.items())]

    def _mode(self, read_only: bool) -> str:
        """How SQLite is to open the file. Whoever reads must be able to write beside it, to take
        part in its WAL and to clear it away; where nobody writes, it is read as it is."""
        alone = not self.path.with_name(f"{self.path.name}-wal").exists()
        if read_only and alone and not os.access(self.path.resolve().parent, os.W_OK):
            return "ro&immutable=1"
        return "rw" if read_only else "rwc"

    def _check_or_make(self, read_only: bool) -> None:
        # In one transaction, as another may make the file at this moment.
        self._rows("BEGIN")
        mark, version = self._pragma("application_id"), self._pragma("user_version")
        is_new = not mark and not version and not self._rows("SELECT 1 FROM sqlite_schema LIMIT 1")
        self._rows("COMMIT")
        if is_new and not read_only:
            # The mode is kept in the file; all else is of the connection.
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(SCHEMA)
        elif mark != APPLICATION:
            raise InputError(f"{self.path}: expected decisions on pairs, found another database")
        elif version > VERSION:
            raise InputError(
                f"{self.path}: decisions of version {version}, this accord reads version "
                f"{VERSION}; use a newer accord"
            )
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(f"PRAGMA query_only = {read_only:d}")

    def _pragma(self, name: str) -> int:
        return int(self._rows(f"PRAGMA {name}")[0][0])

    def _append(self, decision: Decision, takes_back: int | None = None) -> int:
        corrected = decision.corrected or (None, None)
        values = (*decision.pair, decision.status, *corrected, decision.time, decision.tab)
        added = self._connection.execute(
            f"INSERT INTO log ({COLUMNS}, takes_back) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, takes_back),
        )
        assert added.lastrowid
        return added.lastrowid

    def _one(self, condition: str, *values: str) -> Decision | None:
        """The last that was not taken back and for which the condition is true."""
        rows = self._rows(
            f"SELECT {COLUMNS} FROM {STANDING} WHERE {condition} ORDER BY number DESC LIMIT 1",
            *values,
        )
        return _decision(rows[0]) if rows else None

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock, self._errors():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; others that would write wait."""
        with self._lock, self._errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What SQLite raises as an error that names the file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OutputError(f"{self.path}: cannot be read or written: {error}") from None
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"{self.path}: expected decisions on pairs, found a file that cannot be read: "
                f"{error}"
            ) from None


def decisions_of(given: str | Path | Iterable[JudgedEntry]) -> SeedLexicon:
    """What the decisions in a file, or these, say of pairs."""
    if not isinstance(given, str | Path):
        return SeedLexicon.of(given, "decisions")
    with Decisions(given, read_only=True) as decisions:
        return SeedLexicon.of(decisions.entries(), str(given))


def _decision(row: Any) -> Decision:
    number, kind, source, target, status, corrected_source, corrected_target, time, tab, *_ = row
    corrected = None if corrected_source is None else (corrected_source, corrected_target)
    return Decision(number, kind, source, target, status, corrected, time, tab)
