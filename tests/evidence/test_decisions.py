"""The log of decisions: the current ones, conflicts, undo, killed processes."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import AccordError, InputError, OutputError
from accord.evidence.decisions import (
    APPLICATION,
    STATUSES,
    VERSION,
    Decision,
    DecisionConflictError,
    DecisionLog,
    PairKind,
)
from accord.evidence.seed import SeedLexicon


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[DecisionLog]:
    with DecisionLog(tmp_path / "review.sqlite") as decisions:
        yield decisions


def test_the_current_decision(kept: DecisionLog) -> None:
    first = kept.decide("phrase", "a b", "x y", "accepted", tab="one")
    assert first == kept.find_current("phrase", "a b", "x y")
    assert kept.find_current("word", "a b", "x y") is None
    later = kept.decide("phrase", "a b", "x y", "rejected", seen=first.number, tab="two")
    assert later.number == first.number + 1
    assert kept.read_current() == {("phrase", "a b", "x y"): later}
    kept.decide("word", "a", "x", "corrected", ("a", "z"))
    kept.decide("word", "b", "y", "skipped")
    assert kept.count_statuses() == {"accepted": 0, "rejected": 1, "corrected": 1, "skipped": 1}
    assert kept.count_statuses("phrase") == {
        "accepted": 0,
        "rejected": 1,
        "corrected": 0,
        "skipped": 0,
    }
    assert kept.collect_entries() == [
        ("a", "x", "rejected"),
        ("a", "z", "accepted"),
        ("a b", "x y", "rejected"),
    ]


@pytest.mark.parametrize("writable", [True, False])
def test_decisions_persist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writable: bool) -> None:
    path = tmp_path / "review.sqlite"
    with DecisionLog(path) as decisions:
        made = [
            decisions.decide("word", "word", f"word{status}", status)
            for status in STATUSES
            if status != "corrected"
        ]
    assert [file.name for file in tmp_path.iterdir()] == ["review.sqlite"]
    monkeypatch.setattr(os, "access", lambda *_: writable)
    with DecisionLog(path, read_only=True) as decisions:
        assert list(decisions.read_current().values()) == made
    assert [file.name for file in tmp_path.iterdir()] == ["review.sqlite"]
    with DecisionLog(path) as decisions:
        assert list(decisions.read_current().values()) == made
        assert decisions.decide("word", "b", "y", "accepted").number == 4


def test_a_conflicting_decision(tmp_path: Path) -> None:
    path = tmp_path / "review.sqlite"
    with DecisionLog(path) as one, DecisionLog(path) as other:
        theirs = other.decide("phrase", "a", "x", "accepted", tab="other")
        with pytest.raises(
            DecisionConflictError, match="a = x: expected no decision since"
        ) as caught:
            one.decide("phrase", "a", "x", "rejected", tab="one")
        assert caught.value.current == theirs
        one.decide("phrase", "a", "x", "rejected", seen=theirs.number, tab="one")
        assert [d.status for d in other.read_current().values()] == ["rejected"]
        assert one.undo("one")
        assert other.undo("other")
        with pytest.raises(DecisionConflictError, match="found it undecided; look at it again"):
            one.decide("phrase", "a", "x", "rejected", seen=theirs.number)


def test_each_tab_undoes_its_own_decisions(kept: DecisionLog) -> None:
    kept.decide("phrase", "a", "x", "accepted", tab="one")
    second = kept.decide("phrase", "b", "y", "accepted", tab="one")
    other = kept.decide("phrase", "c", "z", "rejected", tab="two")
    again = kept.decide("phrase", "b", "y", "rejected", seen=second.number, tab="two")
    assert kept.undo("one") == second
    assert kept.find_current("phrase", "b", "y") == again  # made in the other tab
    assert kept.undo("two") == again
    assert kept.find_current("phrase", "b", "y") is None
    assert kept.undo("two") == other
    assert kept.undo("two") is None
    assert kept.undo("three") is None
    assert list(kept.read_current()) == [("phrase", "a", "x")]


def test_the_log_keeps_undone_decisions(kept: DecisionLog) -> None:
    kept.decide("word", "a", "x", "accepted")
    kept.undo()
    kept.decide("word", "a", "x", "rejected")
    with sqlite3.connect(kept.path) as connection:
        rows = connection.execute("SELECT number, status, takes_back FROM log").fetchall()
    connection.close()
    assert rows == [(1, "accepted", None), (2, "accepted", 1), (3, "rejected", None)]


def test_reading_the_latest_rows(kept: DecisionLog) -> None:
    kept.decide("word", "a", "x", "accepted")
    kept.decide("word", "b", "y", "rejected")
    kept.undo()
    rows = [(1, "a", "x", "accepted"), (2, "b", "y", None), (3, "b", "y", None)]
    assert kept.read_since(0) == rows
    assert kept.read_since(2) == rows[2:]
    assert kept.read_since(3) == []


def test_the_time_of_a_decision_does_not_grow_with_the_log(kept: DecisionLog) -> None:
    """Measured by the steps of SQLite, which must not scan the whole log."""
    for n in range(200):
        kept.decide("word", f"a{n}", "x", "accepted")
    tens: list[int] = []
    kept._connection.set_progress_handler(lambda: tens.append(0), 10)
    kept.find_current("word", "a0", "x")
    kept.find_current("word", "b", "x")
    kept.undo("nobody")
    kept.undo()
    kept.read_since(200)
    assert len(tens) < 40


def test_the_later_of_two_decisions_on_a_pair_wins(kept: DecisionLog) -> None:
    kept.decide("word", "a", "x", "accepted")
    kept.decide("phrase", "a", "y", "corrected", ("a", "x"))
    kept.decide("phrase", "a", "x", "rejected")
    assert kept.collect_entries() == [("a", "x", "rejected"), ("a", "y", "rejected")]
    kept.undo()
    assert kept.collect_entries() == [("a", "x", "accepted"), ("a", "y", "rejected")]
    assert SeedLexicon.of(kept.collect_entries()).rejected == (("a", "y"),)


def test_texts_are_normalised_like_phrases(kept: DecisionLog) -> None:
    made = kept.decide("phrase", " a\tb\n", "e\u0301", "corrected", ("a  c", "\u00e9"))
    assert made[2:4] == ("a b", "\u00e9")
    assert made.corrected == ("a c", "\u00e9")
    assert kept.decide("word", "a", "x", "corrected", (" a", "x ")).status == "accepted"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pair", "a", "x", "accepted"), "kind: expected phrase or word, found 'pair'"),
        (("word", "a", "x", "right"), "status: expected one of accepted, rejected, corrected"),
        (("word", " ", "x", "accepted"), "source: expected words, found none"),
        (("word", "a", "\ud800", "accepted"), "target: expected valid Unicode text"),
        (("word", "a", "x", "corrected"), "expected a pair if the status is corrected, found none"),
        (("word", "a", "x", "skipped", ("a", "y")), "found one with the status skipped"),
        (("word", "a", "x", "corrected", ("a", "")), "corrected target: expected words"),
    ],
)
def test_invalid_decisions(kept: DecisionLog, arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        kept.decide(*arguments)
    assert not kept.read_current()


def test_reading_creates_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: no such file"):
        DecisionLog(tmp_path / "none", read_only=True)
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="expected a file, found a folder"):
        DecisionLog(tmp_path, read_only=True)
    with pytest.raises(OutputError, match="cannot be read or written: unable to open"):
        DecisionLog(tmp_path / "no folder" / "review.sqlite")


def test_reading_while_another_writes(kept: DecisionLog) -> None:
    kept.decide("word", "a", "x", "accepted")
    with DecisionLog(kept.path, read_only=True) as reader:
        kept.decide("word", "b", "y", "accepted")
        assert len(reader.read_current()) == 2
        with pytest.raises(OutputError, match="attempt to write a readonly database"):
            reader.decide("word", "c", "z", "accepted")


def test_files_of_other_programs_and_newer_versions(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a\tx\n" * 1000)
    with pytest.raises(InputError, match="text: expected decisions on pairs, found a file that"):
        DecisionLog(tmp_path / "text", read_only=True)
    for name, script, message in [
        ("foreign", "CREATE TABLE log (number)", "expected decisions on pairs, found another data"),
        (
            "newer",
            f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION + 1}",
            f"decisions of version {VERSION + 1}, this accord reads version {VERSION}; install",
        ),
    ]:
        connection = sqlite3.connect(tmp_path / name)
        connection.executescript(script)
        connection.close()
        before = (tmp_path / name).read_bytes()
        for read_only in (False, True):
            with pytest.raises(InputError, match=message):
                DecisionLog(tmp_path / name, read_only=read_only)
        assert (tmp_path / name).read_bytes() == before


def test_several_threads_may_create_the_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(30):
            for opened in pool.map(DecisionLog, [tmp_path / f"{number}.sqlite"] * 8):
                opened.close()


def test_threads_may_share_a_log(tmp_path: Path) -> None:
    """Sixteen threads decide the same pairs, over two connections: each pair is decided once."""
    path = tmp_path / "review.sqlite"
    with ThreadPoolExecutor(16) as pool:
        opened = list(pool.map(DecisionLog, [path, path]))

        def decided(number: int) -> bool:
            try:
                opened[number % 2].decide("word", "a", f"x{number // 4}", "accepted")
            except DecisionConflictError:
                return False
            return True

        assert sum(pool.map(decided, range(400))) == 100
    numbers = [decision.number for decision in opened[0].read_current().values()]
    assert numbers == list(range(1, 101))
    for decisions in opened:
        decisions.close()


DECIDING = """
import sys
from accord.evidence.decisions import DecisionLog
with DecisionLog(sys.argv[1]) as decisions:
    for number in range(100_000):
        decisions.decide("phrase", f"a {number}", "x", "accepted")
        print(number, flush=True)
"""


@pytest.mark.parametrize("after", [1, 40])
def test_a_kill_loses_no_confirmed_decision(tmp_path: Path, after: int) -> None:
    path = tmp_path / "review.sqlite"
    process = subprocess.Popen(
        [sys.executable, "-c", DECIDING, path], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    for line in process.stdout:
        if int(line) == after:
            os.kill(process.pid, signal.SIGKILL)
            break
    confirmed = after + 1 + len(process.stdout.readlines())
    process.wait()
    process.stdout.close()
    with DecisionLog(path, read_only=True) as decisions:
        kept = [source for _, source, _ in decisions.read_current()]
    # One more may have been written, but not confirmed.
    assert kept in [[f"a {n}" for n in range(size)] for size in (confirmed, confirmed + 1)]


PAIRS = st.tuples(st.sampled_from(["phrase", "word"]), st.sampled_from("ab"), st.just("x"))
STEPS = st.one_of(
    st.tuples(st.just("decide"), PAIRS, st.sampled_from(STATUSES), st.sampled_from("12")),
    st.tuples(st.just("undo"), st.sampled_from("12")),
)


@given(steps=st.lists(STEPS, max_size=30))
def test_the_log_against_a_plain_list(steps: list[Any]) -> None:
    """Undo removes the last decision of the tab from the list."""
    standing: list[Decision] = []
    with TemporaryDirectory() as folder, DecisionLog(Path(folder) / "review.sqlite") as kept:
        for step in steps:
            if step[0] == "undo":
                own = [decision for decision in standing if decision.tab == step[1]]
                assert kept.undo(step[1]) == (own[-1] if own else None)
                standing = [one for one in standing if one not in own[-1:]]
            else:
                pair, status, tab = step[1:]
                current = kept.find_current(*pair)
                assert current == _find_last(standing, pair)
                corrected = ("a", "z") if status == "corrected" else None
                seen = current.number if current else 0
                decision = *pair, status, corrected
                standing.append(kept.decide(*decision, seen=seen, tab=tab))
        latest = {decision.pair: decision for decision in standing}
        assert kept.read_current() == latest
        held = [decision.status for decision in latest.values()]
        assert kept.count_statuses() == {status: held.count(status) for status in STATUSES}


def _find_last(standing: list[Decision], pair: tuple[PairKind, str, str]) -> Decision | None:
    return next((one for one in reversed(standing) if one.pair == pair), None)


def test_a_conflict_is_reported_to_the_user() -> None:
    assert issubclass(DecisionConflictError, AccordError)
