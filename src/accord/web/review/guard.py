"""Who may use the server: only the browser of the user who started it.

- The address contains a token, as with Jupyter. Whoever opens it gets a cookie that scripts cannot
  read and that pages of other sites cannot make the browser send (HttpOnly, SameSite=Strict).
- The Host header must name this server: a foreign name that resolves to this machine (DNS
  rebinding) is refused. A numeric address is no such name.
- Requests that change something must come from our own page (Origin, Sec-Fetch-Site) and be JSON,
  which another site cannot send without a preflight request.
- The page runs scripts and loads files from this server only.
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

NO_TOKEN = "Expected the address that `accord review` printed: it contains a token."
NO_HOST = "Expected the address of this server, found another host name."
NO_ORIGIN = "Expected a request from this server's own page, found one from another site."
NO_JSON = "Expected JSON."
# Not a redirect: browsers omit the cookie from one that began with a link on another site.
WELCOME = """<!DOCTYPE html>
<html lang="en"><title>Accord</title><link rel="icon" href="/page/icon.svg">
<meta http-equiv="refresh" content="0; url=/"></html>
"""


def check_host(host: str, token: str | None) -> None:
    """Check that a server that others can reach has a token that its owner chose."""
    if is_loopback(host):
        return
    if token is None:
        raise SettingError(
            f"host: {host} lets everybody in the network try to open the page; give a --token of "
            "your own, which is all that keeps them out: whoever has it can read and decide, and "
            "whoever can read the network traffic can read it, since nothing is encrypted"
        )
    if len(token) < SHORTEST_TOKEN:
        raise SettingError(
            f"token: expected at least {SHORTEST_TOKEN} characters with --host {host}, "
            f"found {len(token)}"
        )


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class Guard:
    """Passes permitted requests on to the application."""

    def __init__(self, app: "ASGIApp", *, token: str, host: str, port: int) -> None:
        self.app, self.token, self.host = app, token, host.lower()
        # Cookies are shared by all ports of a host, so every server needs a name of its own.
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
        if refused := self.find_refusal(request.method, request.headers):
            answer: ASGIApp = PlainTextResponse(refused, 403)
        elif is_equal_secret(request.query_params.get("token", ""), self.token):
            answer = self._set_cookie()
        elif is_equal_secret(request.cookies.get(self.cookie, ""), self.mark):
            answer = self.app
        else:
            answer = PlainTextResponse(NO_TOKEN, 403)
        await answer(scope, receive, send_guarded)

    def find_refusal(self, method: str, headers: Mapping[str, str]) -> str:
        """Return why a request is refused regardless of its token, or an empty text."""
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
        """Return whether a Host header names this server; a tunnel may have another port."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if is_loopback(self.host):
            return is_loopback(name)
        return name in (self.host, gethostname().lower()) or _is_numeric(name)

    def _set_cookie(self) -> "ASGIApp":
        from starlette.responses import HTMLResponse

        answer = HTMLResponse(WELCOME)
        answer.set_cookie(self.cookie, self.mark, httponly=True, samesite="strict")
        return answer


def is_equal_secret(given: str, secret: str) -> bool:
    """Compare in constant time, so that the time reveals nothing."""
    return compare_digest(given.encode(), secret.encode())


def _is_numeric(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
