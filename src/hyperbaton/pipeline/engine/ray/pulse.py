"""Whether Ray's own processes live: without them a driver would wait, or end without a word."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from hyperbaton.base.errors import HyperbatonError

__all__ = ["Pulse", "reach", "told_in_a_sentence"]

AGAIN = (
    "nothing is lost: start Ray again if it was you who started it, and run the same command "
    "again, which resumes the run"
)
PATIENCE = 20.0
"""Seconds that the head may be away; after 60 of them Ray ends the process of the driver."""
_BETWEEN_LOOKS = 1.0


class Pulse:
    """The two processes that a driver cannot do without, felt by whether they take a connection."""

    def __init__(self, ray: ModuleType) -> None:
        context = ray.get_runtime_context()
        self._head = str(context.gcs_address)
        here = context.get_node_id()
        at = [node for node in ray.nodes() if node["NodeID"] == here]
        self._raylet = "".join(f"{n['NodeManagerAddress']}:{n['NodeManagerPort']}" for n in at)
        self._looked = time.monotonic()
        self.lost = False
        """Whether one of them is gone: Ray need not be asked anything any more."""

    def look(self) -> None:
        """Check now and then, which takes a fraction of a millisecond."""
        if time.monotonic() - self._looked > _BETWEEN_LOOKS:
            self.check()

    def check(self) -> None:
        """Raise a sentence if one of the two is gone; a head that comes back is waited for."""
        if self._raylet and not _answers(self._raylet):
            self._lose(f"Ray's process raylet on this machine ({self._raylet}) has ended")
        end = time.monotonic() + PATIENCE
        while not _answers(self._head):
            if time.monotonic() > end:
                self._lose(
                    f"Ray's head process gcs_server ({self._head}) has ended, or cannot be "
                    "reached any more"
                )
            time.sleep(_BETWEEN_LOOKS / 2)
        self._looked = time.monotonic()

    def _lose(self, what: str) -> None:
        self.lost = True
        raise HyperbatonError(f"{what}, and {AGAIN}")


def reach(address: str, seconds: float = 10) -> None:
    """Find out at once whether anybody listens there; Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), timeout=seconds).close()


def _answers(address: str) -> bool:
    try:
        reach(address)
    except OSError:
        return False
    return True


@contextmanager
def told_in_a_sentence(ray: ModuleType) -> Iterator[None]:
    """Turn whatever else Ray complains of, such as a full object store, into a sentence."""
    try:
        yield
    except ray.exceptions.RayError as error:
        reason = " ".join(str(error).split())[:200]
        raise HyperbatonError(
            f"Ray stopped the run ({type(error).__name__}: {reason}), and {AGAIN}"
        ) from error
