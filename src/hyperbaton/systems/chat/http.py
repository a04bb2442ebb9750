"""HTTP requests that end by a deadline, from the name of the host to the last byte.

The standard library limits each wait for some bytes; a server that sends a byte now and then, in
a header or between two chunks, keeps it waiting for ever. Here a timer shuts the connection down.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import Message as Headers
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

_LARGEST, _ENOUGH = 16 << 20, 1 << 16

Places = list[tuple[Any, ...]]
"""Addresses as `socket.getaddrinfo` gives them."""


class Endless(Exception):
    """A reply that goes on and on."""


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


class Exchange:
    """A server that is there, of which nothing was asked yet; all is over after `timeout` seconds.

    TimeoutError, Endless, or what the network raises.
    """

    def __init__(self, url: str, timeout: float) -> None:
        self._timeout = timeout
        self._until = time.monotonic() + timeout
        self._is_late = self._has_status = False
        self._guarded: socket.socket | None = None
        self._timer = threading.Timer(timeout, self._shut_down)
        self._timer.daemon = True
        self._timer.start()
        try:
            with self._in_time():
                self._connect(url)
        except BaseException:
            self.close()
            raise

    def _connect(self, url: str) -> None:
        address = urlsplit(url)
        proxy = _proxy(address)
        near = proxy or address
        query = f"?{address.query}" if address.query else ""
        self._target, self._headers = f"{address.path or '/'}{query}", {}
        self._connection: Any = http.client.HTTPConnection(near.hostname or "", _port(near))
        if address.scheme == "https":
            self._connection = http.client.HTTPSConnection(
                near.hostname or "", _port(near), context=_certificates()
            )
            if proxy is not None:
                self._connection.set_tunnel(address.hostname, _port(address), _proxy_headers(proxy))
        elif proxy is not None:
            self._target, self._headers = url, _proxy_headers(proxy)
        # Where http.client gets its sockets from: one that is found in time, and guarded.
        self._connection._create_connection = self._reach
        self._connection.connect()

    def post(self, body: bytes, headers: Mapping[str, str]) -> Response:
        """Send a request and read the reply."""
        always = {"Connection": "close", **self._headers}
        with self._in_time():
            self._connection.request("POST", self._target, body, {**always, **headers})
            reply = self._connection.getresponse()
        self._has_status = True
        if not 200 <= reply.status < 300:
            # The status alone says enough.
            complaint = b""
            with suppress(OSError, ValueError, http.client.HTTPException):
                while len(complaint) < _ENOUGH and (more := reply.read1(_ENOUGH)):
                    complaint += more
            return Response(reply.status, reply.headers, complaint)
        data = bytearray()
        with self._in_time():
            while more := reply.read1(1 << 16):
                data += more
                if len(data) > _LARGEST:
                    raise Endless
        if reply.length:  # what was announced and has not come
            raise http.client.IncompleteRead(b"", reply.length)
        return Response(reply.status, reply.headers, bytes(data))

    def close(self) -> None:
        """Leave the server."""
        self._timer.cancel()
        self._timer.join()
        if self._guarded is not None:
            self._guarded.close()
            self._connection.close()

    def _shut_down(self) -> None:
        self._is_late = True
        if self._guarded is not None:
            with suppress(OSError):
                self._guarded.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        """Whatever fails or seems to end when the time is up has not come in time."""
        try:
            yield
        except (OSError, ValueError, http.client.HTTPException) as error:
            if self._is_late or isinstance(error, TimeoutError):
                raise self._lateness from None
            raise
        if self._is_late:
            raise self._lateness

    @property
    def _lateness(self) -> TimeoutError:
        what = "no complete answer" if self._has_status else "no answer"
        return TimeoutError(f"{what} within {self._timeout:g} s")

    @property
    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise self._lateness
        return left

    def _reach(self, place: tuple[str, int], *_: object) -> socket.socket:
        """A connection to the first address of a host that takes one."""
        fault: OSError = OSError(f"{place[0]} has no address")
        places = self._look_up(*place)
        for number, (family, kind, protocol, _name, address) in enumerate(places):
            made = socket.socket(family, kind, protocol)
            try:
                # An address that does not answer leaves time for the others.
                made.settimeout(self._left / (len(places) - number))
                made.connect(address)
                made.settimeout(self._timeout)
                self._guarded = made.dup()  # which stays what it is when the other is encrypted
                if self._is_late:  # the timer may not have seen it
                    raise self._lateness
            except BaseException as error:
                made.close()
                if not isinstance(error, OSError):
                    raise
                fault = error
            else:
                return made
        raise fault

    def _look_up(self, host: str, port: int) -> Places:
        """Where a host is. A name server may keep us waiting too, and that wait knows no limit."""
        places: SimpleQueue[Places | OSError] = SimpleQueue()

        def ask() -> None:
            try:
                places.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
            except OSError as error:
                places.put(error)
            except UnicodeError:
                places.put(OSError(f"{host} is not the name of a host"))

        threading.Thread(target=ask, daemon=True).start()
        try:
            result = places.get(timeout=self._left)
        except Empty:
            raise self._lateness from None
        if isinstance(result, OSError):
            raise result
        return result


def is_loopback(host: str) -> bool:
    """Whether a host is this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.53"), is_loopback("localhost.example")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _proxy(address: SplitResult) -> SplitResult | None:
    """The proxy that the environment names for an address; none for this machine."""
    host = address.hostname or ""
    named = getproxies().get(address.scheme)
    if not named or is_loopback(host) or proxy_bypass(host):
        return None
    return urlsplit(named if "://" in named else f"http://{named}")


def _proxy_headers(proxy: SplitResult) -> dict[str, str]:
    if proxy.username is None:
        return {}
    secret = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(secret.encode()).decode()}"}


def _port(address: SplitResult) -> int:
    return address.port or (443 if address.scheme == "https" else 80)


@cache
def _certificates() -> ssl.SSLContext:
    # Reading the certificates takes longer than many a request.
    return ssl.create_default_context()
