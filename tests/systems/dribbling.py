"""A server that keeps a client waiting in every place of an HTTP reply, for ever."""

from __future__ import annotations

import itertools
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

__all__ = ["SLOW", "Slow", "SlowServer", "slow_server"]

Pieces = Iterable[bytes]


@dataclass(frozen=True)
class Slow:
    """What a server sends piece by piece, and what is said of it once time is up."""

    pieces: Callable[[], Pieces]
    fault: str = "no complete answer within"
    pause: float = 0.02
    """Seconds between two pieces."""
    reads: bool = True
    """Whether the request is read first."""


def _then(start: bytes, again: bytes) -> Callable[[], Pieces]:
    return lambda: itertools.chain([start], itertools.repeat(again))


_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
_BROKEN = _CHUNKED.replace(b"200 OK", b"500 Oh")
_LONG = b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
_NONE = "no answer within"


def _error(status: int) -> Slow:
    head = f"HTTP/1.1 {status} No\r\nContent-Length: 9999\r\n\r\n".encode()
    return Slow(_then(head, b"x"), f"HTTP {status}")


SLOW: dict[str, Slow] = {
    "silence": Slow(lambda: itertools.repeat(b""), _NONE),
    "unread request": Slow(lambda: itertools.repeat(b""), _NONE, reads=False),
    "status line": Slow(_then(b"HTTP/1.1 200 ", b"O"), _NONE),
    "no status line": Slow(_then(b"", b"x"), _NONE),
    "header": Slow(_then(b"HTTP/1.1 200 OK\r\nX: ", b"x"), _NONE),
    "headers": Slow(_then(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), _NONE),
    "continue": Slow(_then(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), _NONE),
    "continue at once": Slow(_then(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 99), "", pause=0),
    "header of continue": Slow(_then(b"HTTP/1.1 100 Continue\r\nX: ", b"x"), _NONE),
    "body": Slow(_then(_LONG, b" ")),
    "body without a length": Slow(_then(b"HTTP/1.1 200 OK\r\n\r\n", b" ")),
    "body at once": Slow(
        _then(b"HTTP/1.1 200 OK\r\n\r\n", b" " * 65536), "the reply does not end", pause=0
    ),
    "chunks": Slow(_then(_CHUNKED, b"1\r\n \r\n")),
    "size of a chunk": Slow(_then(_CHUNKED, b"0")),
    "extension of a chunk": Slow(_then(_CHUNKED + b"1;", b"x")),
    "data of a chunk": Slow(_then(_CHUNKED + b"ffff\r\n", b" ")),
    "end of a chunk": Slow(_then(_CHUNKED + b"1\r\n ", b"")),
    "trailer": Slow(_then(_CHUNKED + b"0\r\nX: ", b"x")),
    "trailers": Slow(_then(_CHUNKED + b"0\r\n", b"X: y\r\n")),
    "error 400": _error(400),
    "error 429": _error(429),
    "error 500": _error(500),
    "chunks of 500": Slow(_then(_BROKEN, b"1;x\r\n \r\n"), "HTTP 500"),
    "trailers of 500": Slow(_then(_BROKEN + b"0\r\n", b"X: y\r\n"), "HTTP 500"),
}  # fmt: skip


@dataclass
class SlowServer:
    """Where it listens, and how many connections have come."""

    port: int
    connections: int = 0
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def slow_server(slow: Slow) -> Iterator[SlowServer]:
    """A server that treats all who ask in the same way."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        state = SlowServer(listener.getsockname()[1])
        threading.Thread(target=_accept, args=(listener, state, slow), daemon=True).start()
        try:
            yield state
        finally:
            state.closing.set()
            listener.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, state: SlowServer, slow: Slow) -> None:
    with suppress(OSError):
        while True:
            connection, _ = listener.accept()
            state.connections += 1
            threading.Thread(target=_serve, args=(connection, state, slow), daemon=True).start()


def _serve(connection: socket.socket, state: SlowServer, slow: Slow) -> None:
    with connection, suppress(OSError):
        if slow.reads:
            _read_request(connection)
        for piece in slow.pieces():
            connection.sendall(piece)
            if state.closing.wait(slow.pause):
                return


def _read_request(connection: socket.socket) -> None:
    data = b""
    while b"\r\n\r\n" not in data:
        some = connection.recv(65536)
        if not some:
            return
        data += some
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    left = int(length[1]) - len(body) if length else 0
    while left > 0 and (some := connection.recv(65536)):
        left -= len(some)
