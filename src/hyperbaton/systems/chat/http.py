"""HTTP requests that end by a deadline, from the name of the host to the last byte.

The standard library limits each wait for some bytes; a server that sends a byte now and then, in
a header or between two chunks, keeps it waiting for ever.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message as Headers
from functools import cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = [
    "Deadline",
    "Endless",
    "Exchange",
    "Line",
    "Response",
    "connect",
    "is_loopback",
    "link",
    "port",
]


_LARGEST = 16 << 20


class Endless(Exception):
    """A reply that goes on and on."""


class Deadline:
    """A moment by which everything is over."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._moment = time.monotonic() + seconds
        self.began = False
        """Whether the server has begun to answer."""

    @property
    def left(self) -> float:
        """Seconds that are left; TimeoutError when there are none."""
        left = self._moment - time.monotonic()
        if left <= 0:
            raise self.passed
        return left

    @property
    def passed(self) -> TimeoutError:
        """The sentence that it has passed."""
        what = "no complete answer" if self.began else "no answer"
        return TimeoutError(f"{what} within {self._seconds:g} s")


class Line:
    """A connected socket, with as much of its interface as `http.client` uses."""

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self.socket = connected
        self.deadline = deadline

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        unsent = memoryview(data)
        while unsent:
            self.socket.settimeout(self.deadline.left)
            try:
                unsent = unsent[self.socket.send(unsent) :]
            except TimeoutError:
                raise self.deadline.passed from None

    def makefile(self, mode: str) -> io.BufferedReader:
        """What comes in."""
        return io.BufferedReader(_Incoming(self))

    def close(self) -> None:
        """Nothing: `http.client` closes a socket before the reply is read."""


class _Incoming(io.RawIOBase):
    """The bytes that come in, of which there are not too many."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        if self._count > _LARGEST:
            raise Endless
        self._line.socket.settimeout(self._line.deadline.left)
        try:
            size = self._line.socket.recv_into(buffer)
        except TimeoutError:
            raise self._line.deadline.passed from None
        self._count += size
        return size


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


Found = list[tuple[Any, ...]]
"""Addresses as `socket.getaddrinfo` gives them."""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.53"), is_loopback("localhost.example")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def connect(url: str, timeout: float) -> Exchange:
    """Reach the server of an address; all that follows is over after `timeout` seconds."""
    deadline = Deadline(timeout)
    address = urlsplit(url)
    proxy = _proxy(address)
    line = Line(_reach(proxy or address, deadline), deadline)
    if address.scheme != "https":
        through = proxy is not None
        return Exchange(line, address, url if through else address.path, _proxy_headers(proxy))
    try:
        if proxy is not None:
            _ask_for_tunnel(line, address, proxy)
        return Exchange(_encrypted(line, address), address, address.path, {})
    except BaseException:
        line.socket.close()
        raise


def _encrypted(line: Line, address: SplitResult) -> Line:
    line.socket.settimeout(line.deadline.left)
    try:
        made = _certificates().wrap_socket(line.socket, server_hostname=address.hostname)
    except TimeoutError:
        raise line.deadline.passed from None
    return Line(made, line.deadline)


def _reach(address: SplitResult, deadline: Deadline) -> socket.socket:
    """A connection to the first place of a host that takes one."""
    fault: OSError = OSError(f"{address.hostname} has no address")
    places = _places(address.hostname or "", port(address), deadline)
    for number, (family, kind, protocol, _, place) in enumerate(places):
        made = socket.socket(family, kind, protocol)
        try:
            # A place that does not answer leaves time for the others.
            made.settimeout(deadline.left / (len(places) - number))
            made.connect(place)
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException as error:
            made.close()
            if not isinstance(error, OSError):
                raise
            fault = deadline.passed if isinstance(error, TimeoutError) else error
        else:
            return made
    raise fault


def _places(host: str, number: int, deadline: Deadline) -> Found:
    """Where a host is. A name server may keep us waiting too, and that wait knows no limit."""
    places: SimpleQueue[Found | OSError] = SimpleQueue()

    def look_up() -> None:
        try:
            places.put(socket.getaddrinfo(host, number, type=socket.SOCK_STREAM))
        except OSError as error:
            places.put(error)
        except UnicodeError:
            places.put(OSError(f"{host} is not the name of a host"))

    threading.Thread(target=look_up, daemon=True).start()
    try:
        result = places.get(timeout=deadline.left)
    except Empty:
        raise deadline.passed from None
    if isinstance(result, OSError):
        raise result
    return result


def _proxy(address: SplitResult) -> SplitResult | None:
    """The proxy that the environment names for an address; none for this machine."""
    host = address.hostname or ""
    named = getproxies().get(address.scheme)
    if not named or is_loopback(host) or proxy_bypass(host):
        return None
    return urlsplit(named if "://" in named else f"http://{named}")


def _proxy_headers(proxy: SplitResult | None) -> dict[str, str]:
    if proxy is None or proxy.username is None:
        return {}
    secret = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(secret.encode()).decode()}"}


def _ask_for_tunnel(line: Line, address: SplitResult, proxy: SplitResult) -> None:
    host = f"[{address.hostname}]" if ":" in (address.hostname or "") else address.hostname
    connection = link(line, proxy)
    connection.request("CONNECT", f"{host}:{port(address)}", headers=_proxy_headers(proxy))
    status = connection.getresponse().status
    if status != 200:
        raise OSError(f"the proxy {proxy.hostname} answered HTTP {status}")


@cache
def _certificates() -> ssl.SSLContext:
    # Reading the certificates takes longer than many a request.
    return ssl.create_default_context()
