"""Reaching a server by its address: names, proxies and encryption, by a deadline."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import threading
from base64 import b64encode
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from hyperbaton.systems.http.exchange import Exchange, link, port
from hyperbaton.systems.http.line import Deadline, Line

__all__ = ["connect", "is_loopback"]

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
    found: SimpleQueue[Found | OSError] = SimpleQueue()

    def look_up() -> None:
        try:
            found.put(socket.getaddrinfo(host, number, type=socket.SOCK_STREAM))
        except OSError as error:
            found.put(error)
        except UnicodeError:
            found.put(OSError(f"{host} is not the name of a host"))

    threading.Thread(target=look_up, daemon=True).start()
    try:
        result = found.get(timeout=deadline.left)
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
