"""The server of the review page: whom it admits, and what it answers."""

import asyncio
import json
import shutil
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from accord.errors import AccordError, OutputError, SettingError
from accord.evidence.decisions import TIMEOUT, DecisionLog
from accord.runs.folder import RunFolder
from accord.system.arrays import Mask
from accord.web.review import guard
from accord.web.review.app import PairEvidence, Review, make_application
from accord.web.review.guard import Guard, check_host
from accord.web.review.pair_index import open_pair_index
from accord.web.review.review_state import ReviewState
from accord.web.review.server import (
    ServerAddress,
    check_installed,
    describe_decisions,
    make_url,
    open_listener,
    serve_review,
)
from accord.web.review.text_column import TextColumn
from benchmarks.review import Client
from tests.conftest import Run
from tests.web.browser import TOKEN, Process, served

pytest.importorskip("starlette", reason="needs accord[review]")

if TYPE_CHECKING:
    from starlette.testclient import TestClient

OWN = "http://127.0.0.1:8411"
DECISION = {"status": "accepted", "corrected": None, "seen": 0, "tab": "a"}


@pytest.fixture
def run(small_run: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_run, tmp_path / "run")


@pytest.fixture
def state(run: Path) -> Iterator[ReviewState]:
    with DecisionLog(run / "review.sqlite") as decisions:
        yield ReviewState(open_pair_index(RunFolder(run)), decisions)


def client_of(
    state: ReviewState, run: Path, host: str = "127.0.0.1", base: str = OWN
) -> "TestClient":
    from starlette.testclient import TestClient

    evidence = PairEvidence(RunFolder(run), state.pairs, ("", ""))
    application = make_application(Review("run", state, evidence))
    guarded = Guard(application, token=TOKEN, host=host, port=8411)
    return TestClient(guarded, base_url=base)


@pytest.fixture
def stranger(state: ReviewState, run: Path) -> "TestClient":
    """A client without a token."""
    return client_of(state, run)


@pytest.fixture
def client(stranger: "TestClient") -> "TestClient":
    stranger.get("/", params={"token": TOKEN})
    return stranger


def decision(state: ReviewState, place: int = 0, **other: object) -> dict[str, Any]:
    pair = state.pairs[place]
    return {"source": pair.source, "target": pair.target} | DECISION | other


PATHS = ["/", "/run", "/pairs?begin=0&size=5", "/pair?place=0", "/matrix?place=0", "/export/csv"]


@pytest.mark.parametrize("path", [*PATHS, "/page/main.js", "/nowhere", "/?token=", "/?token=abc"])
def test_nothing_without_the_token(stranger: "TestClient", path: str) -> None:
    answer = stranger.get(path)
    assert (answer.status_code, answer.text) == (403, guard.NO_TOKEN)


def test_no_decision_without_the_token(stranger: "TestClient", state: ReviewState) -> None:
    assert stranger.post("/decide", json=decision(state)).status_code == 403
    assert state.decisions.read_current() == {}


def test_the_token_gives_a_cookie(stranger: "TestClient") -> None:
    answer = stranger.get("/", params={"token": TOKEN})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert 'content="0; url=/"' in answer.text
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize("path", PATHS)
def test_everything_is_there_with_the_token(client: "TestClient", path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8411", "127.0.0.1.evil.example", "", "[", "192.168.1.7:8411"],
)
def test_another_host_is_refused(client: "TestClient", host: str) -> None:
    """DNS rebinding: a foreign name that resolves to this machine."""
    answer = client.get("/run", headers={"Host": host})
    assert (answer.status_code, answer.text) == (403, guard.NO_HOST)


@pytest.mark.parametrize("host", ["localhost:8411", "127.0.0.1:9999", "[::1]:8411"])
def test_names_of_this_machine_are_not(client: "TestClient", host: str) -> None:
    """A tunnel may have another port."""
    assert client.get("/run", headers={"Host": host}).text != guard.NO_HOST


def test_everywhere_takes_addresses_but_no_names(state: ReviewState, run: Path) -> None:
    client = client_of(state, run, host="0.0.0.0", base="http://192.168.1.7:8411")
    client.get("/", params={"token": TOKEN})
    assert client.get("/run").status_code == 200
    assert client.get("/run", headers={"Host": "evil.example"}).text == guard.NO_HOST


@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({"Origin": "https://evil.example"}, guard.NO_ORIGIN),
        ({"Origin": "null"}, guard.NO_ORIGIN),
        ({"Origin": "http://127.0.0.1:8412"}, guard.NO_ORIGIN),
        ({"Sec-Fetch-Site": "cross-site"}, guard.NO_ORIGIN),
        ({"Sec-Fetch-Site": "same-site"}, guard.NO_ORIGIN),
        ({"Content-Type": "text/plain"}, guard.NO_JSON),
    ],
)
def test_posts_of_other_sites_are_refused(
    client: "TestClient", state: ReviewState, headers: dict[str, str], refusal: str
) -> None:
    answer = client.post("/decide", json=decision(state), headers=headers)
    assert (answer.status_code, answer.text) == (403, refusal)
    assert state.decisions.read_current() == {}


def test_posts_of_our_own_page_are_not(client: "TestClient", state: ReviewState) -> None:
    headers = {"Origin": OWN, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/decide", json=decision(state), headers=headers).status_code == 200
    assert len(state.decisions.read_current()) == 1


@pytest.mark.parametrize("path", [*PATHS, "/page/main.js", "/nowhere", "/pair?place=x"])
def test_headers_are_on_every_answer(client: "TestClient", path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


def test_the_page_has_nothing_inline(client: "TestClient") -> None:
    page = client.get("/").text
    assert '<script type="module" src=' in page
    assert page.count("<script") == 1
    assert "style=" not in page
    assert "<style" not in page
    assert " on" not in "".join(part.split(">")[0] for part in page.split("<")).replace(" only", "")


@pytest.mark.parametrize(
    "path", ["/page/../app.py", "/page/%2e%2e/app.py", "/shared/../templates.py"]
)
def test_only_the_pages_own_files_are_served(client: "TestClient", path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_run_and_its_pairs(client: "TestClient", state: ReviewState) -> None:
    run = client.get("/run").json()
    assert run["pairs"] == len(state.pairs)
    assert run["hasConfidence"] is True
    page = client.get("/pairs?begin=2&size=3").json()
    assert [pair["place"] for pair in page["pairs"]] == [2, 3, 4]
    assert page["chosen"] == page["counts"]["undecided"] == len(state.pairs)
    assert page["estimate"] is None
    before = client.get("/pairs?begin=2&size=-9").json()
    assert [pair["place"] for pair in before["pairs"]] == [0, 1]
    assert len(client.get("/pairs?begin=0&size=999").json()["pairs"]) == 50
    assert client.get(f"/pairs?begin={10**26}&size=9").json()["pairs"] == []


def test_uncertain_pairs_are_not_shown_as_certain(client: "TestClient", state: ReviewState) -> None:
    p = state.pairs.confidence
    place = int(np.flatnonzero((p >= 0.995) & (p < 1))[0])
    assert client.get(f"/pair?place={place}").json()["confidenceText"] == ">0.99"
    page = client.get(f"/pairs?begin={place}&size=1").json()
    assert page["pairs"][0]["confidenceText"] == ">0.99"


def test_deciding_undoing_and_conflicts(client: "TestClient", state: ReviewState) -> None:
    first = client.post("/decide", json=decision(state)).json()
    assert (first["status"], first["counts"]["accepted"]) == ("accepted", 1)
    # The same request again is no conflict: its answer may have been lost.
    assert client.post("/decide", json=decision(state)).json()["seen"] == first["seen"]
    other = client.post("/decide", json=decision(state, status="rejected", tab="b"))
    assert other.status_code == 409
    assert other.json()["status"] == "accepted"
    seen = other.json()["seen"]
    again = decision(state, status="rejected", tab="b", seen=seen)
    assert client.post("/decide", json=again).json()["status"] == "rejected"
    assert client.get("/pair?place=0").json()["status"] == "rejected"
    assert client.get("/pairs?shown=rejected&begin=0&size=5").json()["chosen"] == 1
    assert client.post("/undo", json={"tab": "b"}).json()["place"] == 0
    assert client.get("/pair?place=0").json()["status"] == "accepted"
    nothing = client.post("/undo", json={"tab": "c"}).json()
    assert (nothing["undone"], nothing["place"]) == (None, None)


def test_undo_names_a_pair_that_the_run_no_longer_has(
    client: "TestClient", state: ReviewState
) -> None:
    """As after a run with these decisions, into the same folder."""
    state.decisions.decide("word", "gone", "away", "rejected", tab="a")
    undone = client.post("/undo", json={"tab": "a"}).json()
    assert undone["undone"] == {"source": "gone", "target": "away"}
    assert undone["place"] is None
    assert state.decisions.read_current() == {}


def test_answers_have_the_number_of_pairs_to_show(client: "TestClient", state: ReviewState) -> None:
    every = len(state.pairs)
    for path, body, chosen in (
        ("/decide", decision(state), every - 1),
        ("/undo", {"tab": "a"}, every),
        ("/undo", {"tab": "a"}, every),
        ("/decide", decision(state), every - 1),
        ("/decide", decision(state), every - 1),  # once more
        ("/decide?shown=accepted", decision(state, 1), 2),
        ("/undo?shown=all", {"tab": "a"}, every),
    ):
        assert client.post(path, json=body).json()["chosen"] == chosen


def test_corrections(client: "TestClient", state: ReviewState) -> None:
    pair = state.pairs[0]
    same = decision(state, status="corrected", corrected=[f" {pair.source} ", pair.target])
    assert client.post("/decide", json=same).json()["status"] == "accepted"
    other = decision(state, 1, status="corrected", corrected=["a  b", "c"])
    assert client.post("/decide", json=other).json()["corrected"] == ["a b", "c"]
    assert client.post("/decide", json=other).status_code == 200  # once more


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/decide", {"source": "a"}, "expected a pair and a decision on it"),
        ("/decide", {"source": "a", "target": "b"} | DECISION, "a = b: expected a pair of the run"),
        ("/undo", [], "expected the tab whose last decision"),
        ("/pairs?begin=x&size=1", None, "begin: expected a whole number, found 'x'"),
        (
            "/pairs?begin=0&size=1&least=much",
            None,
            "least: expected a number from 0 to 1, found 'much'",
        ),
        (
            "/pairs?begin=0&size=1&longest=300",
            None,
            "longest: expected a number from 0 to 255, found '300'",
        ),
        ("/pairs?begin=0&size=1&kind=odd", None, "kind: expected one of all, phrases, words"),
        ("/pair?place=999999", None, "place: expected less than"),
        ("/pair?place=-1", None, "place: expected less than"),
        ("/export/tbx", None, "tbx: needs the languages"),
        ("/export/doc", None, "expected one of csv, tbx, seed"),
    ],
)
def test_bad_requests_are_answered_with_an_error(
    client: "TestClient", path: str, body: object, words: str
) -> None:
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize("half", ["source", "tab"])
def test_bodies_that_are_not_json_are_refused(
    client: "TestClient", state: ReviewState, half: str
) -> None:
    """A lone surrogate is not JSON, either."""
    for content in ("{", json.dumps(decision(state) | {half: "a\ud800"})):
        headers = {"Content-Type": "application/json"}
        answer = client.post("/decide", content=content.encode(), headers=headers)
        assert (answer.status_code, answer.json()) == (400, {"error": "expected JSON"})


def connected(url: str) -> Client:
    """Return a client that does not wait long: less than SQLite waits for a lock."""
    made = Client(url)
    made.connection.sock.settimeout(TIMEOUT / 2)
    return made


def test_while_a_commit_waits_others_are_answered(run: Path) -> None:
    with served(run) as url, ThreadPoolExecutor() as pool:
        one, other = connected(url), connected(url)
        with closing(one.connection), closing(other.connection):
            pair = json.loads(one.get("/pair?place=0"))
            body = {name: pair[name] for name in ("source", "target")} | DECISION
            with closing(sqlite3.connect(run / "review.sqlite")) as writer:
                writer.execute("BEGIN IMMEDIATE")  # another program that writes
                waiting = pool.submit(one.post, "/decide", body)
                for path in ("/run", "/", "/page/main.js", "/matrix?place=1"):
                    assert other.get(path)
                assert not waiting.done()
            assert waiting.result()["status"] == "accepted"


def test_while_all_pairs_are_searched_others_are_answered(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searching, go_on = threading.Event(), threading.Event()

    def search(column: TextColumn, _: str) -> Mask:
        searching.set()
        assert go_on.wait(TIMEOUT)
        return np.ones(len(column), np.bool_)

    monkeypatch.setattr(TextColumn, "search", search)
    with served(run) as url, ThreadPoolExecutor() as pool:
        one, other = connected(url), connected(url)
        with closing(one.connection), closing(other.connection):
            waiting = pool.submit(one.get, "/pairs?begin=0&size=5&contains=a")
            assert searching.wait(TIMEOUT)
            assert other.get("/run")
            pair = json.loads(other.get("/pair?place=0"))
            body = {name: pair[name] for name in ("source", "target")} | DECISION
            assert other.post("/decide", body)["counts"]["accepted"] == 1
            assert not waiting.done()
            go_on.set()
            assert len(json.loads(waiting.result())["pairs"]) == 5


@pytest.mark.parametrize(
    ("path", "used"),
    [
        ("/pairs?begin=0&size=5&contains=a", {"read_since", "search"}),
        ("/pair?place=0", {"find_current", "draw_contexts"}),
        ("/matrix?place=0", {"draw_matrix"}),
        ("/decide", {"decide", "find_current", "read_since"}),
        ("/undo", {"undo", "read_since"}),
        ("/export/csv", {"collect_entries"}),
    ],
)
def test_files_and_all_pairs_are_read_in_threads(
    client: "TestClient",
    state: ReviewState,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    used: set[str],
) -> None:
    """On the event loop, they would keep all other requests waiting."""
    calls: set[str] = set()

    def watch(owner: type, name: str) -> None:
        watched = getattr(owner, name)

        def call(*arguments: Any, **options: Any) -> Any:
            with pytest.raises(RuntimeError, match="no running event loop"):
                asyncio.get_running_loop()
            calls.add(name)
            return watched(*arguments, **options)

        monkeypatch.setattr(owner, name, call)

    for name in ("read_since", "find_current", "collect_entries", "decide", "undo"):
        watch(DecisionLog, name)
    for name in ("draw_contexts", "draw_matrix"):
        watch(PairEvidence, name)
    watch(TextColumn, "search")
    body = {"/decide": decision(state), "/undo": {"tab": "a"}}.get(path)
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == 200
    assert calls == used


def test_exports(client: "TestClient", state: ReviewState) -> None:
    first, second = state.pairs[0], state.pairs[1]
    client.post("/decide", json=decision(state))
    client.post("/decide", json=decision(state, 1, status="corrected", corrected=["=x", "y"]))
    client.post("/decide", json=decision(state, 2, status="skipped"))
    seed = {tuple(line.split("\t")) for line in client.get("/export/seed").text.splitlines()}
    assert seed == {
        (first.source, first.target, "accepted"),
        (second.source, second.target, "rejected"),
        ("=x", "y", "accepted"),
    }
    table = client.get("/export/csv")
    assert "'=x,y," in table.text  # no formula
    assert f"{first.source},{first.target},{first.confidence:.6g}," in table.text
    assert table.headers["content-disposition"] == 'attachment; filename="decisions.csv"'


def test_a_host_that_others_reach_needs_a_token() -> None:
    check_host("127.0.0.1", None)
    check_host("localhost", "short")
    check_host("0.0.0.0", TOKEN)
    check_host("127.0.0.2", None)
    for host in ("0.0.0.0", "127.example.com"):
        with pytest.raises(SettingError, match=r"everybody in the network .* nothing is encrypted"):
            check_host(host, None)
    with pytest.raises(
        SettingError, match="expected at least 16 characters with --host ::, found 5"
    ):
        check_host("::", "short")


def test_the_command_refuses_such_hosts_and_folders(accord: Run, small_run: Path) -> None:
    done = accord("review", small_run, "--host", "0.0.0.0", "--no-open")
    assert done.returncode == 2
    assert "give a --token of your own" in done.stderr
    done = accord("review", small_run.parent, "--no-open")
    assert done.returncode == 2
    assert "expected the folder of a finished run" in done.stderr


def test_if_a_port_is_taken_the_next_is_used() -> None:
    said: list[str] = []
    with open_listener("127.0.0.1", 0, said.append) as first:
        port = first.getsockname()[1]
        with open_listener("127.0.0.1", port, said.append) as second:
            other = second.getsockname()[1]
    assert port < other <= port + 50
    assert said == [f"Port {port} is taken; using {other}."]


def test_ports_that_are_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.web.review.server.MORE_PORTS", 0)
    with open_listener("127.0.0.1", 0, str) as first:
        port = first.getsockname()[1]
        with pytest.raises(OutputError, match=f"expected a free one from {port} to {port}"):
            open_listener("127.0.0.1", port, str)


def test_a_host_that_is_not_here() -> None:
    with pytest.raises(OutputError, match="expected an address of this machine"):
        open_listener("192.0.2.1", 0, str)


def test_addresses() -> None:
    assert make_url("127.0.0.1", 1, "a b&") == "http://127.0.0.1:1/?token=a%20b%26"
    assert make_url("::", 1, "t") == "http://[::1]:1/?token=t"
    assert make_url("0.0.0.0", 1, "t") == "http://127.0.0.1:1/?token=t"


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(AccordError, match=r"pip install 'accord\[review\]'"):
        check_installed()


def test_control_c_ends_it_cleanly(run: Path) -> None:
    """Its port is free again, too."""
    with Process(run, "--port", "0") as process:
        code, said = process.end(signal.SIGINT)
    assert code == 0, said
    assert "Traceback" not in said
    assert said.endswith(f"\nNo decisions are saved in {run / 'review.sqlite'}.\n")
    with socket.socket() as free:
        free.bind(("127.0.0.1", int(process.port)))


def test_control_c_works_when_the_address_is_printed(run: Path) -> None:
    """An exception could hit the set-up of the server, which ends with a traceback then."""
    handlers: list[object] = []

    def interrupt(_: str) -> None:
        handlers.append(signal.getsignal(signal.SIGINT))
        signal.raise_signal(signal.SIGINT)

    serve_review(run, ServerAddress(port=0), ("", ""), str, interrupt)
    assert len(handlers) == 1
    assert handlers != [signal.default_int_handler]


def test_the_number_of_decisions_in_words(tmp_path: Path) -> None:
    file = tmp_path / "review.sqlite"
    assert describe_decisions(file) == "No decisions are saved."
    with DecisionLog(file) as decisions:
        decisions.decide("phrase", "a", "b", "accepted")
        assert describe_decisions(file) == f"1 decision is saved in {file}: 1 accepted."
        decisions.decide("word", "a", "b", "rejected")
        decisions.decide("word", "a", "c", "rejected")
    assert describe_decisions(file) == f"3 decisions are saved in {file}: 1 accepted, 2 rejected."


def test_a_test_that_fails_leaves_no_server(run: Path) -> None:
    """It would keep the tests from ending."""
    before = threading.enumerate()
    with pytest.raises(ZeroDivisionError), served(run):
        raise ZeroDivisionError
    assert threading.enumerate() == before
    with pytest.raises(ZeroDivisionError), Process(run, "--port", "0") as process:
        raise ZeroDivisionError
    assert process.running.returncode == -signal.SIGKILL
