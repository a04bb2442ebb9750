"""Who may talk to the page's server: this computer's browser, with the link that was printed."""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from urllib.parse import unquote

from hyperbaton.base.errors import HyperbatonError

Scope = MutableMapping[str, object]
Message = MutableMapping[str, object]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST_QUESTION = 128 * 1024
LARGEST_FILES = 64 * 1024 * 1024
"""Bytes of a request, and of one that brings files for a study."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-modals; default-src 'none'; "
    "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""A report may come from anywhere: it runs its own scripts, and reaches neither server nor web."""
REPORTS = "/report/"
"""Where reports are: a page can send its own address away, so there is no token in it."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""The names of this computer that no name server can point elsewhere."""
_HOST = re.compile(r"([a-z0-9][a-z0-9.-]{0,252}|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?")
_HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}


def host_name(text: str) -> str:
    """A host as the browser's address bar has it, with its port where there is one.

    >>> host_name("Hub.example.org"), host_name("localhost:9000")
    ('hub.example.org', 'localhost:9000')
    """
    name = text.strip().lower()
    if not _HOST.fullmatch(name):
        raise HyperbatonError(
            f"'{text}' is no host: name it as the browser does, such as hub.example.org or "
            "localhost:9000"
        )
    return name


class Rate:
    """So many requests a second in the long run, and so many at once."""

    def __init__(self, each_second: float = 60, burst: float = 120) -> None:
        self._each_second = each_second
        self._burst = self._left = burst
        self._seen = time.monotonic()

    def allows(self) -> bool:
        """Whether one more may pass now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._seen) * self._each_second)
        self._seen = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Refuses what the printed link does not ask for, and takes the token off the path."""

    def __init__(self, app: App, token: str, port: int, named: Iterable[str] = ()) -> None:
        self._app = app
        self._token = token.encode()
        self._port = port
        named = tuple(named)
        hosts = [*(f"{name}:{port}" for name in LOOPBACK), *named]
        self._hosts = {host.encode() for host in hosts}
        # A proxy may bring its own name as the origin and ours as the host.
        origins = [f"http://{host}" for host in hosts] + [f"https://{host}" for host in named]
        self._origins = {origin.encode() for origin in origins}
        self._rate = Rate()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in one sentence."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is not None:
            await _refuse(send, *refused)
            return
        path = str(scope["path"])
        inner = path if _is_report(scope) else path[1 + len(self._token) :] or "/"
        most = LARGEST_FILES if inner == "/api/runs/start" else LARGEST_QUESTION
        passed = {**scope, "path": inner, "raw_path": inner.encode(), "root_path": ""}
        await self._app(passed, _limited(receive, most), _dressed(send))

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        headers = _headers(scope)
        host = headers.get(b"host", b"").lower()
        if host not in self._hosts:
            return 403, self._unknown(host.decode(errors="replace"))
        origin = headers.get(b"origin")
        if origin is not None and origin not in self._origins:
            return 403, "requests from other sites are refused; behind a proxy: --host-name"
        if _is_report(scope):
            return None
        path = unquote(str(scope["path"])).replace("\\", "/")
        first, *rest = path.removeprefix("/").split("/")
        if not hmac.compare_digest(first.encode(errors="replace"), self._token):
            return 403, "open the link that hyperbaton play printed: it contains the token"
        if ".." in rest or "\0" in path or f"/{'/'.join(rest)}".startswith(REPORTS):
            return 404, "there is no such page"
        if scope["method"] not in ("GET", "POST"):
            return 405, "only GET and POST are allowed"
        if scope["method"] == "POST":
            if headers.get(b"content-type", b"").split(b";")[0].strip() != b"application/json":
                return 415, "a request must be JSON"
            if not self._rate.allows():
                return 429, "too many questions at once: wait a second"
        return None

    def _unknown(self, host: str) -> str:
        """What to do where the browser calls this computer by another name or port."""
        port, known = self._port, _HOST.fullmatch(host)
        if known is None:
            return f"this page answers on 127.0.0.1:{port} only"
        if known[1] in LOOPBACK:
            return (
                f"this page answers on port {port} only: forward the same port "
                f"(ssh -L {port}:127.0.0.1:{port}), or start it with --host-name {host}"
            )
        return (
            f"this page does not answer to {host}: behind a proxy that you trust, start it with "
            f"--host-name {host}"
        )


def _is_report(scope: Scope) -> bool:
    """Whether a report is asked for, whose name is as hard to guess as the token."""
    path = str(scope["path"])
    name = path.removeprefix(REPORTS)
    return scope["method"] == "GET" and name != path and "/" not in name


def _headers(scope: Scope) -> dict[bytes, bytes]:
    """The headers by name; one that comes twice is taken for foreign."""
    found: dict[bytes, bytes] = {}
    headers = scope["headers"]
    assert isinstance(headers, list)
    for name, value in headers:
        found[name] = b"" if name in found and name in (b"host", b"origin") else value
    return found


def _limited(receive: Receive, most: int) -> Receive:
    """The body of a request up to a size; what is larger ends the connection."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        body = message.get("body", b"")
        seen += len(body) if isinstance(body, bytes) else 0
        return {"type": "http.disconnect"} if seen > most else message

    return limited


def _dressed(send: Send) -> Send:
    """Every answer with the headers that keep it to itself."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _with(message.get("headers", []))}
        await send(message)

    return dressed


def _with(headers: object) -> list[tuple[bytes, bytes]]:
    own = [(bytes(name), bytes(value)) for name, value in headers]  # type: ignore[attr-defined]
    names = {name for name, _ in own}
    more = {b"content-security-policy": POLICY.encode(), **_HEADERS}
    return [*own, *((name, value) for name, value in more.items() if name not in names)]


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = f"{sentence}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_with([])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
