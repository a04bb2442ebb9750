"""HTTP exchanges that are over in time, from the name of the host to the last byte.

The standard library limits each wait for some bytes; a server that sends a byte now and then, in
a header or between two chunks, keeps it waiting for ever.
"""

from __future__ import annotations

from hyperbaton.systems.http.connecting import connect, is_loopback
from hyperbaton.systems.http.exchange import Endless, Exchange, Response

__all__ = ["Endless", "Exchange", "Response", "connect", "is_loopback"]
