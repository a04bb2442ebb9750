"""A request and its reply, over a line that is there."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message as Headers
from urllib.parse import SplitResult

from hyperbaton.systems.http.line import Endless, Line

__all__ = ["Endless", "Exchange", "Response", "link", "port"]

_LARGEST_COMPLAINT = 1 << 16


@dataclass(frozen=True)
class Response:
    """What a server sent."""

    status: int
    headers: Headers
    body: bytes
    """As far as it came in time, where the status says that something is wrong."""

    @property
    def good(self) -> bool:
        """Whether the status says that all is well."""
        return 200 <= self.status < 300


@dataclass(frozen=True)
class Exchange:
    """A server that is there, of which nothing was asked yet."""

    line: Line
    address: SplitResult
    target: str
    """What is asked for: a path, or the whole address where a proxy passes it on."""
    headers: Mapping[str, str]

    def post(self, body: bytes, headers: Mapping[str, str]) -> Response:
        """Send a request and read the reply; TimeoutError, Endless, or what the network raises."""
        connection = link(self.line, self.address)
        always = {"Connection": "close", **self.headers}
        connection.request("POST", self.target, body, {**always, **headers})
        reply = connection.getresponse()
        self.line.deadline.began = True
        good = 200 <= reply.status < 300
        return Response(reply.status, reply.headers, _whole(reply) if good else _some(reply))

    def close(self) -> None:
        """Leave the server."""
        self.line.socket.close()


class _Secure(http.client.HTTPConnection):
    """Encrypted by the line itself; what it is for is the port that goes without saying."""

    default_port = 443


def link(line: Line, address: SplitResult) -> http.client.HTTPConnection:
    """A connection to an address over a line."""
    kind = _Secure if address.scheme == "https" else http.client.HTTPConnection
    made = kind(address.hostname or "", port(address))
    made.sock = line
    return made


def port(address: SplitResult) -> int:
    """The port of an address, said or not."""
    return address.port or (443 if address.scheme == "https" else 80)


def _whole(reply: http.client.HTTPResponse) -> bytes:
    data = bytearray()
    while some := reply.read1(1 << 16):
        data += some
    if reply.length:  # what was announced and has not come
        raise http.client.IncompleteRead(b"", reply.length)
    return bytes(data)


def _some(reply: http.client.HTTPResponse) -> bytes:
    """What is wrong, in the server's own words; the status alone says enough."""
    data = bytearray()
    try:
        while len(data) < _LARGEST_COMPLAINT and (some := reply.read1(_LARGEST_COMPLAINT)):
            data += some
    except (OSError, http.client.HTTPException, Endless):
        pass
    return bytes(data)
