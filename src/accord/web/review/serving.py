"""The review page, served on this machine until somebody presses Ctrl-C."""

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
from accord.runs.folder import RunFolder
from accord.web.review import PORT
from accord.web.review.app import Review, application
from accord.web.review.board import Board
from accord.web.review.closeup import CloseUp
from accord.web.review.guard import Guard, check_host
from accord.web.review.pairs import open_pairs

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn import Server

# As Jupyter does: where a port is taken, the next ones are tried.
MORE_PORTS = 50
HIGHEST = 65_535

Tell = Callable[[str], object]


class Address(NamedTuple):
    """Where the server listens."""

    host: str = "127.0.0.1"
    port: int = PORT
    token: str | None = None  # one is made up if none is given


def review(
    path: Path,
    address: Address,
    languages: tuple[str, str],
    tell: Tell,
    opened: Callable[[str], object],
) -> None:
    """Serve the page of a run; `opened` is told its address."""
    check_installed()
    check_host(address.host, address.token)
    folder = RunFolder(path)
    pairs = open_pairs(folder, tell)
    token = address.token or token_urlsafe(24)
    with (
        suppress(KeyboardInterrupt),
        DecisionLog(folder.review) as decisions,
        listening(address.host, address.port, tell) as listener,
    ):
        port = listener.getsockname()[1]
        name = folder.path.resolve().name
        run = Review(name, Board(pairs, decisions), CloseUp(folder, pairs, languages))
        app = Guard(application(run), token=token, host=address.host, port=port)
        # A browser that is opened now waits: the socket listens already.
        opened(url_of(address.host, port, token))
        server_of(app).run(sockets=[listener])


def check_installed() -> None:
    try:
        import starlette
        import uvicorn  # noqa: F401
    except ImportError:
        raise AccordError(
            "the review page needs starlette and uvicorn: pip install 'accord[review]'"
        ) from None
    assert starlette


def server_of(app: "ASGIApp") -> "Server":
    """It says nothing but what goes wrong, and ends with Ctrl-C."""
    from uvicorn import Config, Server

    config = Config(
        app,
        log_level="warning",
        access_log=False,  # it would have the token in it
        lifespan="off",
        ws="none",
        server_header=False,
    )
    return Server(config)


def open_browser(url: str) -> None:
    """Where there is one; on a machine without, the address was printed."""
    with suppress(webbrowser.Error):
        webbrowser.open(url)


def url_of(host: str, port: int, token: str) -> str:
    """The address for a browser on this machine."""
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name else name}:{port}/?token={quote(token, safe='')}"


def listening(host: str, port: int, tell: Tell) -> socket.socket:
    """A socket at this port or, where it is taken, at one of the next; 0 is any that is free."""
    last = min(port + MORE_PORTS, HIGHEST) if port else 0
    for tried in range(port, last + 1):
        try:
            listener = _listener(host, tried)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise OutputError(
                f"{host}, port {tried}: cannot be listened at: {error.strerror}; "
                "expected an address of this machine"
            ) from None
        if tried != port:
            tell(f"Port {port} is taken; this is {tried}.")
        return listener
    raise OutputError(f"port: expected a free one from {port} to {last}, found none")


def _listener(host: str, port: int) -> socket.socket:
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
