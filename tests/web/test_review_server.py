"""The server of the review page: whom it lets in, and what it answers."""

import json
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from accord.errors import AccordError, OutputError, SettingError
from accord.evidence.decisions import DecisionLog
from accord.runs.folder import RunFolder
from accord.web.review import guard
from accord.web.review.app import Review, application
from accord.web.review.board import Board
from accord.web.review.closeup import CloseUp
from accord.web.review.guard import Guard, check_host
from accord.web.review.pairs import open_pairs
from accord.web.review.serving import check_installed, listening, url_of
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
def board(run: Path) -> Iterator[Board]:
    with DecisionLog(run / "review.sqlite") as decisions:
        yield Board(open_pairs(RunFolder(run)), decisions)


def client_of(board: Board, run: Path, host: str = "127.0.0.1", base: str = OWN) -> "TestClient":
    from starlette.testclient import TestClient

    review = Review("run", board, CloseUp(RunFolder(run), board.pairs, ("", "")))
    guarded = Guard(application(review), token=TOKEN, host=host, port=8411)
    return TestClient(guarded, base_url=base)


@pytest.fixture
def stranger(board: Board, run: Path) -> "TestClient":
    """Has no token yet."""
    return client_of(board, run)


@pytest.fixture
def client(stranger: "TestClient") -> "TestClient":
    stranger.get("/", params={"token": TOKEN})
    return stranger


def decision(board: Board, place: int = 0, **other: object) -> dict[str, Any]:
    pair = board.pairs[place]
    return {"source": pair.source, "target": pair.target} | DECISION | other


PATHS = ["/", "/run", "/pairs?begin=0&size=5", "/pair?place=0", "/picture?place=0", "/export/csv"]


@pytest.mark.parametrize("path", [*PATHS, "/page/main.js", "/nowhere", "/?token=", "/?token=abc"])
def test_nothing_without_the_token(stranger: "TestClient", path: str) -> None:
    answer = stranger.get(path)
    assert (answer.status_code, answer.text) == (403, guard.NO_TOKEN)


def test_no_decision_without_the_token(stranger: "TestClient", board: Board) -> None:
    assert stranger.post("/decide", json=decision(board)).status_code == 403
    assert board.decisions.read_current() == {}


def test_the_token_gives_a_cookie(stranger: "TestClient") -> None:
    answer = stranger.get("/", params={"token": TOKEN})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert 'content="0; url=/"' in answer.text
    assert stranger.get("/").status_code == 200


@pytest.mark.parametrize("path", PATHS)
def test_with_the_token_all_is_there(client: "TestClient", path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8411", "127.0.0.1.evil.example", "", "[", "192.168.1.7:8411"],
)
def test_another_host_is_refused(client: "TestClient", host: str) -> None:
    """A name of somebody else's that leads to this machine: DNS rebinding."""
    answer = client.get("/run", headers={"Host": host})
    assert (answer.status_code, answer.text) == (403, guard.NO_HOST)


@pytest.mark.parametrize("host", ["localhost:8411", "127.0.0.1:9999", "[::1]:8411"])
def test_names_of_this_machine_are_not(client: "TestClient", host: str) -> None:
    """A tunnel may have another port."""
    assert client.get("/run", headers={"Host": host}).text != guard.NO_HOST


def test_everywhere_takes_addresses_but_no_names(board: Board, run: Path) -> None:
    client = client_of(board, run, host="0.0.0.0", base="http://192.168.1.7:8411")
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
    client: "TestClient", board: Board, headers: dict[str, str], refusal: str
) -> None:
    answer = client.post("/decide", json=decision(board), headers=headers)
    assert (answer.status_code, answer.text) == (403, refusal)
    assert board.decisions.read_current() == {}


def test_posts_of_our_own_page_are_not(client: "TestClient", board: Board) -> None:
    headers = {"Origin": OWN, "Sec-Fetch-Site": "same-origin"}
    assert client.post("/decide", json=decision(board), headers=headers).status_code == 200
    assert len(board.decisions.read_current()) == 1


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


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/shared/../html.py"])
def test_only_the_pages_own_files_are_served(client: "TestClient", path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_run_and_its_pairs(client: "TestClient", board: Board) -> None:
    run = client.get("/run").json()
    assert run["pairs"] == len(board.pairs)
    assert run["hasProbability"] is True
    page = client.get("/pairs?begin=2&size=3").json()
    assert [pair["place"] for pair in page["pairs"]] == [2, 3, 4]
    assert page["chosen"] == page["counts"]["undecided"] == len(board.pairs)
    assert page["estimate"] is None
    before = client.get("/pairs?begin=2&size=-9").json()
    assert [pair["place"] for pair in before["pairs"]] == [0, 1]
    assert len(client.get("/pairs?begin=0&size=999").json()["pairs"]) == 50
    assert client.get(f"/pairs?begin={10**26}&size=9").json()["pairs"] == []


def test_what_is_not_certain_is_not_shown_as_if_it_were(client: "TestClient", board: Board) -> None:
    p = board.pairs.probability
    place = int(np.flatnonzero((p >= 0.995) & (p < 1))[0])
    assert client.get(f"/pair?place={place}").json()["sure"] == ">0.99"
    page = client.get(f"/pairs?begin={place}&size=1").json()
    assert page["pairs"][0]["sure"] == ">0.99"


def test_deciding_undoing_and_conflicts(client: "TestClient", board: Board) -> None:
    first = client.post("/decide", json=decision(board)).json()
    assert (first["status"], first["counts"]["accepted"]) == ("accepted", 1)
    # An answer that was lost: the same once more is no conflict.
    assert client.post("/decide", json=decision(board)).json()["seen"] == first["seen"]
    other = client.post("/decide", json=decision(board, status="rejected", tab="b"))
    assert other.status_code == 409
    assert other.json()["status"] == "accepted"
    seen = other.json()["seen"]
    again = decision(board, status="rejected", tab="b", seen=seen)
    assert client.post("/decide", json=again).json()["status"] == "rejected"
    assert client.get("/pair?place=0").json()["status"] == "rejected"
    assert client.get("/pairs?shown=rejected&begin=0&size=5").json()["chosen"] == 1
    assert client.post("/undo", json={"tab": "b"}).json()["place"] == 0
    assert client.get("/pair?place=0").json()["status"] == "accepted"
    nothing = client.post("/undo", json={"tab": "c"}).json()
    assert (nothing["undone"], nothing["place"]) == (None, None)


def test_undo_tells_what_the_run_no_longer_has(client: "TestClient", board: Board) -> None:
    """As after a run with these decisions, into the same folder."""
    board.decisions.decide("word", "gone", "away", "rejected", tab="a")
    undone = client.post("/undo", json={"tab": "a"}).json()
    assert undone["undone"] == {"source": "gone", "target": "away"}
    assert undone["place"] is None
    assert board.decisions.read_current() == {}


def test_the_number_of_pairs_to_show_is_told(client: "TestClient", board: Board) -> None:
    every = len(board.pairs)
    for path, body, chosen in (
        ("/decide", decision(board), every - 1),
        ("/undo", {"tab": "a"}, every),
        ("/undo", {"tab": "a"}, every),
        ("/decide", decision(board), every - 1),
        ("/decide", decision(board), every - 1),  # once more
        ("/decide?shown=accepted", decision(board, 1), 2),
        ("/undo?shown=all", {"tab": "a"}, every),
    ):
        assert client.post(path, json=body).json()["chosen"] == chosen


def test_corrections(client: "TestClient", board: Board) -> None:
    pair = board.pairs[0]
    same = decision(board, status="corrected", corrected=[f" {pair.source} ", pair.target])
    assert client.post("/decide", json=same).json()["status"] == "accepted"
    other = decision(board, 1, status="corrected", corrected=["a  b", "c"])
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
        ("/export/tbx", None, "tbx: needs to know the languages"),
        ("/export/doc", None, "expected one of csv, tbx, seed"),
    ],
)
def test_what_is_wrong_is_told(client: "TestClient", path: str, body: object, words: str) -> None:
    answer = client.get(path) if body is None else client.post(path, json=body)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize("half", ["source", "tab"])
def test_no_json_is_told(client: "TestClient", board: Board, half: str) -> None:
    """Half a character makes it none."""
    for content in ("{", json.dumps(decision(board) | {half: "a\ud800"})):
        headers = {"Content-Type": "application/json"}
        answer = client.post("/decide", content=content.encode(), headers=headers)
        assert (answer.status_code, answer.json()) == (400, {"error": "expected JSON"})


def test_exports(client: "TestClient", board: Board) -> None:
    first, second = board.pairs[0], board.pairs[1]
    client.post("/decide", json=decision(board))
    client.post("/decide", json=decision(board, 1, status="corrected", corrected=["=x", "y"]))
    client.post("/decide", json=decision(board, 2, status="skipped"))
    seed = {tuple(line.split("\t")) for line in client.get("/export/seed").text.splitlines()}
    assert seed == {
        (first.source, first.target, "accepted"),
        (second.source, second.target, "rejected"),
        ("=x", "y", "accepted"),
    }
    table = client.get("/export/csv")
    assert "'=x,y," in table.text  # no formula
    assert f"{first.source},{first.target},{first.probability:.6g}," in table.text
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
        SettingError, match="expected 16 characters or more with --host ::, found 5"
    ):
        check_host("::", "short")


def test_the_command_says_so(accord: Run, small_run: Path) -> None:
    done = accord("review", small_run, "--host", "0.0.0.0", "--no-browser")
    assert done.returncode == 2
    assert "give a --token of your own" in done.stderr
    done = accord("review", small_run.parent, "--no-browser")
    assert done.returncode == 2
    assert "expected the folder of a finished run" in done.stderr


def test_where_a_port_is_taken_the_next_is_used() -> None:
    said: list[str] = []
    with listening("127.0.0.1", 0, said.append) as first:
        port = first.getsockname()[1]
        with listening("127.0.0.1", port, said.append) as second:
            other = second.getsockname()[1]
    assert port < other <= port + 50
    assert said == [f"Port {port} is taken; this is {other}."]


def test_ports_that_are_all_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.web.review.serving.MORE_PORTS", 0)
    with listening("127.0.0.1", 0, str) as first:
        port = first.getsockname()[1]
        with pytest.raises(OutputError, match=f"expected a free one from {port} to {port}"):
            listening("127.0.0.1", port, str)


def test_a_host_that_is_not_here() -> None:
    with pytest.raises(OutputError, match="expected an address of this machine"):
        listening("192.0.2.1", 0, str)


def test_addresses() -> None:
    assert url_of("127.0.0.1", 1, "a b&") == "http://127.0.0.1:1/?token=a%20b%26"
    assert url_of("::", 1, "t") == "http://[::1]:1/?token=t"
    assert url_of("0.0.0.0", 1, "t") == "http://127.0.0.1:1/?token=t"


def test_what_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(AccordError, match=r"pip install 'accord\[review\]'"):
        check_installed()


def test_control_c_ends_it_cleanly(run: Path) -> None:
    """And the port that it had is free again."""
    with Process(run, "--port", "0") as process:
        code, said = process.end(signal.SIGINT)
    assert code == 0
    assert "Traceback" not in said
    with socket.socket() as free:
        free.bind(("127.0.0.1", int(process.port)))


def test_a_test_that_fails_leaves_no_server(run: Path) -> None:
    """It would keep the tests from ending."""
    before = threading.enumerate()
    with pytest.raises(ZeroDivisionError), served(run):
        raise ZeroDivisionError
    assert threading.enumerate() == before
    with pytest.raises(ZeroDivisionError), Process(run, "--port", "0") as process:
        raise ZeroDivisionError
    assert process.running.returncode == -signal.SIGKILL
