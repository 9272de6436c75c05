"""The review page, for tests that open it in a browser."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from accord.evidence.decisions import Decision, DecisionLog
from accord.runs.folder import RunFolder
from accord.web.review.app import PairEvidence, Review, make_application
from accord.web.review.guard import Guard
from accord.web.review.pair_index import open_pair_index
from accord.web.review.review_state import ReviewState
from accord.web.review.server import make_server, make_url, open_listener

TOKEN = "a-token-that-nobody-guesses"
PHONE = {"width": 390, "height": 844}
# Milliseconds that a condition may take on a busy machine; a condition that is true takes none.
PATIENCE = 120_000


@contextmanager
def served(folder: Path, languages: tuple[str, str] = ("", "")) -> Iterator[str]:
    """Serve the review page of a run from a thread of this process; return its address."""
    run = RunFolder(folder)
    pairs = open_pair_index(run)
    with (
        DecisionLog(folder / "review.sqlite") as decisions,
        open_listener("127.0.0.1", 0, str) as listener,
    ):
        port = listener.getsockname()[1]
        state, evidence = ReviewState(pairs, decisions), PairEvidence(run, pairs, languages)
        application = make_application(Review(folder.name, state, evidence))
        guarded = Guard(application, token=TOKEN, host="127.0.0.1", port=port)
        server = make_server(guarded)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield make_url("127.0.0.1", port, TOKEN)
        finally:
            server.should_exit = True
            thread.join()


class Process:
    """The review page of a run, served by the command itself until the end of `with`."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.running = subprocess.Popen(
            [sys.executable, "-m", "accord", "review", str(folder), "--no-open", *arguments],
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
        """End it with a signal; return its exit code and what it wrote to standard error."""
        self.running.send_signal(how)
        _, said = self.running.communicate(timeout=PATIENCE / 1e3)
        return self.running.returncode, said


def decided(folder: Path) -> list[Decision]:
    with DecisionLog(folder / "review.sqlite", read_only=True) as decisions:
        return [*decisions.read_current().values()]
