"""The review page for the tests that open it in a browser."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from accord.evidence.decisions import Decision, DecisionLog
from accord.runs.folder import RunFolder
from accord.web.review.app import Review, application
from accord.web.review.board import Board
from accord.web.review.closeup import CloseUp
from accord.web.review.guard import Guard
from accord.web.review.pairs import open_pairs
from accord.web.review.serving import listening, server_of, url_of

TOKEN = "a-token-that-nobody-guesses"
PHONE = {"width": 390, "height": 844}
# Milliseconds that a condition may take on a busy machine; one that holds is not waited for.
PATIENCE = 120_000


@contextmanager
def served(folder: Path, languages: tuple[str, str] = ("", "")) -> Iterator[str]:
    """The review page of a run, from a thread of this process; its address."""
    run = RunFolder(folder)
    pairs = open_pairs(run)
    with (
        DecisionLog(folder / "review.sqlite") as decisions,
        listening("127.0.0.1", 0, str) as listener,
    ):
        port = listener.getsockname()[1]
        review = Review(folder.name, Board(pairs, decisions), CloseUp(run, pairs, languages))
        guarded = Guard(application(review), token=TOKEN, host="127.0.0.1", port=port)
        server = server_of(guarded)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield url_of("127.0.0.1", port, TOKEN)
        finally:
            server.should_exit = True
            thread.join()


class Process:
    """The review page of a run, from the command itself; it is gone after `with`."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.running = subprocess.Popen(
            [sys.executable, "-m", "accord", "review", str(folder), "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.running.stdout is not None
        self.url = self.running.stdout.readline().strip()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        with self.running:  # closes its pipes and waits for it
            self.running.kill()

    @property
    def port(self) -> str:
        return self.url.split(":")[2].split("/")[0]

    def end(self, how: signal.Signals) -> tuple[int, str]:
        """With what it ended, and what it had said."""
        self.running.send_signal(how)
        _, said = self.running.communicate(timeout=PATIENCE / 1e3)
        return self.running.returncode, said


def decided(folder: Path) -> list[Decision]:
    with DecisionLog(folder / "review.sqlite", read_only=True) as decisions:
        return [*decisions.read_current().values()]
