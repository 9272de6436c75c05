"""Who may talk to the server: the browser of whoever has started it, and nobody else.

- The token that the address has, as with Jupyter: whoever opens it gets a cookie, which scripts do
  not see and which no other site's page makes the browser send (HttpOnly, SameSite=Strict).
- The host that the browser says it talks to is one of ours: a stranger's name that leads to this
  machine (DNS rebinding) is refused. An address in digits is no such name.
- What changes something comes from our own page (Origin, Sec-Fetch-Site), as JSON, which another
  site cannot send without being asked about first.
- The page runs no script and loads nothing but what the server itself gives it.
"""

from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from socket import gethostname
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from accord.errors import SettingError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
ADDED = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
READING = ("GET", "HEAD")
SHORTEST_TOKEN = 16

NO_TOKEN = "Expected the address that `accord review` has printed: it has a token in it."
NO_HOST = "Expected the address of this server, found another host name."
NO_ORIGIN = "Expected a request of this server's own page, found one of another site."
NO_JSON = "Expected JSON."
# Not a redirection: of one that another site's link has begun, browsers leave the cookie out.
WELCOME = """<!DOCTYPE html>
<html lang="en"><title>Accord</title><link rel="icon" href="/page/icon.svg">
<meta http-equiv="refresh" content="0; url=/"></html>
"""


def check_host(host: str, token: str | None) -> None:
    """A server that others can reach has a token that they have been told."""
    if is_loopback(host):
        return
    if token is None:
        raise SettingError(
            f"host: {host} lets everybody in the network try to open the page; give a --token of "
            "your own, which is all that keeps them out: whoever has it can read and decide, and "
            "whoever listens to the network can read it, as nothing is encrypted"
        )
    if len(token) < SHORTEST_TOKEN:
        raise SettingError(
            f"token: expected {SHORTEST_TOKEN} characters or more with --host {host}, "
            f"found {len(token)}"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """Lets through what is allowed; the application is behind it."""

    def __init__(self, app: "ASGIApp", *, token: str, host: str, port: int) -> None:
        self.app, self.token, self.host = app, token, host.lower()
        # Cookies are for all ports of a host: that of another server has another name.
        self.cookie = f"accord-review-{port}"
        self.mark = sha256(f"{self.cookie}:{token}".encode()).hexdigest()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        from starlette.requests import Request
        from starlette.responses import PlainTextResponse

        if scope["type"] != "http":
            return

        async def send_guarded(message: "Message") -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *ADDED]
            await send(message)

        request = Request(scope)
        if refused := self.refusal(request.method, request.headers):
            answer: ASGIApp = PlainTextResponse(refused, 403)
        elif is_same(request.query_params.get("token", ""), self.token):
            answer = self._welcome()
        elif is_same(request.cookies.get(self.cookie, ""), self.mark):
            answer = self.app
        else:
            answer = PlainTextResponse(NO_TOKEN, 403)
        await answer(scope, receive, send_guarded)

    def refusal(self, method: str, headers: Mapping[str, str]) -> str:
        """Why a request is refused, whatever token it has; nothing if it is not."""
        host = headers.get("host", "")
        if not self._is_own(host):
            return NO_HOST
        if method in READING:
            return ""
        own = f"http://{host}"
        if headers.get("origin", own) != own:
            return NO_ORIGIN
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return NO_ORIGIN
        return "" if headers.get("content-type", "") == "application/json" else NO_JSON

    def _is_own(self, host: str) -> bool:
        """By any port: a tunnel to this machine may have another."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if is_loopback(self.host):
            return is_loopback(name)
        return name in (self.host, gethostname().lower()) or _is_address(name)

    def _welcome(self) -> "ASGIApp":
        from starlette.responses import HTMLResponse

        answer = HTMLResponse(WELCOME)
        answer.set_cookie(self.cookie, self.mark, httponly=True, samesite="strict")
        return answer


def is_same(given: str, secret: str) -> bool:
    """Without a hint in its time at how much of it is right."""
    return compare_digest(given.encode(), secret.encode())


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
