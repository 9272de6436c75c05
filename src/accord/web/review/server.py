"""The server of the review page, which runs on this machine until the user presses Ctrl-C."""

import errno
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from accord.errors import AccordError, OutputError
from accord.evidence.decisions import DecisionLog
from accord.formats.records import RequestedLanguages
from accord.runs.folder import RunFolder
from accord.web.review import PORT
from accord.web.review.app import PairEvidence, Review, make_application
from accord.web.review.guard import Guard, check_host
from accord.web.review.pair_index import open_pair_index
from accord.web.review.review_state import ReviewState

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn import Server

# Like Jupyter: if a port is taken, the next ones are tried.
MORE_PORTS = 50
HIGHEST_PORT = 65_535


class ServerAddress(NamedTuple):
    """Where the server listens, and the token that opens the page."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = None  # None: a random one


def serve_review(
    path: Path,
    address: ServerAddress,
    languages: RequestedLanguages,
    tell: Callable[[str], object],
    on_ready: Callable[[str], object],
) -> None:
    """Serve the page of a run until Ctrl-C; `on_ready` is called with its address.

    At the end, `tell` is called with the number of decisions.

    Languages that are not given are those of the run.
    """
    check_installed()
    check_host(address.host, address.token)
    folder = RunFolder(path)
    codes = folder.name_languages(languages)
    pairs = open_pair_index(folder, tell)
    token = address.token or token_urlsafe(24)
    with (
        suppress(KeyboardInterrupt),
        DecisionLog(folder.review) as decisions,
        open_listener(address.host, address.port, tell) as listener,
    ):
        port = listener.getsockname()[1]
        name = folder.path.resolve().name
        evidence = PairEvidence(folder, pairs, codes)
        application = make_application(Review(name, ReviewState(pairs, decisions), evidence))
        guarded = Guard(application, token=token, host=address.host, port=port)
        url = make_url(address.host, port, token)
        make_server(guarded, lambda: on_ready(url)).run(sockets=[listener])
    tell(describe_decisions(folder.review))


def describe_decisions(path: Path) -> str:
    """Return how many decisions are saved in a file."""
    if not path.exists():
        return "No decisions are saved."
    with DecisionLog(path, read_only=True) as decisions:
        counts = decisions.count_statuses()
    count = sum(counts.values())
    parts = ", ".join(f"{n:,} {status}" for status, n in counts.items() if n)
    if not count:
        return f"No decisions are saved in {path}."
    return f"{count:,} {'decision is' if count == 1 else 'decisions are'} saved in {path}: {parts}."


def check_installed() -> None:
    try:
        import starlette
        import uvicorn  # noqa: F401
    except ImportError:
        raise AccordError(
            "the review page needs starlette and uvicorn: pip install 'accord[review]'"
        ) from None
    assert starlette


def make_server(app: "ASGIApp", on_start: Callable[[], object] = lambda: None) -> "Server":
    """Return a server that logs only errors, and ends with Ctrl-C.

    `on_start` is called when Ctrl-C no longer raises an exception: while uvicorn sets up its log
    and imports its modules, an exception can be lost, or end it with a traceback.
    """
    from uvicorn import Config, Server

    class ReviewServer(Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_start()

    config = Config(
        app,
        log_level="warning",
        access_log=False,  # it would contain the token
        lifespan="off",
        ws="none",
        server_header=False,
    )
    return ReviewServer(config)


def open_browser(url: str) -> None:
    """Open the page in a browser if there is one; the address was printed anyway."""
    with suppress(webbrowser.Error):
        webbrowser.open(url)


def make_url(host: str, port: int, token: str) -> str:
    """Return the address for a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/?token={quote(token, safe='')}"


def open_listener(host: str, port: int, tell: Callable[[str], object]) -> socket.socket:
    """Return a socket that listens at this port or, if it is taken, at one of the next; at any free
    port for 0."""
    last = min(port + MORE_PORTS, HIGHEST_PORT) if port else 0
    for tried in range(port, last + 1):
        try:
            listener = _listen(host, tried)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise OutputError(
                f"{host}, port {tried}: cannot listen there: {error.strerror}; "
                "expected an address of this machine"
            ) from None
        if tried != port:
            tell(f"Port {port} is taken; using {tried}.")
        return listener
    raise OutputError(f"port: expected a free one from {port} to {last}, found none")


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # So that the port of a server that has just ended is free.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen()
    except BaseException:
        listener.close()
        raise
    return listener
