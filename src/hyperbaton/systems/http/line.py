"""A socket of which every wait ends with one deadline."""

from __future__ import annotations

import io
import socket
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["Deadline", "Endless", "Line"]

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
