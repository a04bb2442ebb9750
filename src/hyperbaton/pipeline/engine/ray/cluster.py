"""Joining a Ray cluster or starting one on this machine, and whether its processes live."""

from __future__ import annotations

import logging
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.pipeline.options import Ray

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


@contextmanager
def joined(engine: Ray) -> Iterator[ModuleType]:
    """Ray, ready; a cluster that was started here ends with the block."""
    ray = _imported()
    if ray.is_initialized():
        yield ray
        return
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        with _signals_kept():
            if engine.address:
                reach(engine.address)
                ray.init(address=engine.address, **quiet)
            else:
                _here(ray, quiet)
    except Exception as error:  # of any kind: Ray raises `Exception` where it cannot start
        raise HyperbatonError(_refused(engine, error)) from None
    with _quiet(ray):
        try:
            yield ray
        finally:
            ray.shutdown()


def _imported() -> ModuleType:
    """Ray, with what it reads from the environment once and for all."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Where its raylet is gone, a driver ends with status 1 and no word if its parent is process 1,
    # as in a container: Ray takes every process for a child of the raylet, if it is not told.
    told = "RAY_RAYLET_PID" in os.environ
    os.environ.setdefault("RAY_RAYLET_PID", str(os.getpid()))
    try:
        return need("ray", "ray", "Ray")
    finally:
        if not told:
            del os.environ["RAY_RAYLET_PID"]


@contextmanager
def _quiet(ray: ModuleType) -> Iterator[None]:
    """Keep Ray's messages off standard output, where the results of a command go."""
    worker = ray._private.worker
    before = getattr(worker, "_worker_logs_enabled", True)
    worker._worker_logs_enabled = False
    try:
        yield
    finally:
        worker._worker_logs_enabled = before


def _here(ray: ModuleType, quiet: Mapping[str, object]) -> None:
    """Join the cluster that this machine belongs to, or start one of this machine alone."""
    known = Path(tempfile.gettempdir()) / "ray" / "ray_current_cluster"
    try:
        if known.is_file() and "RAY_ADDRESS" not in os.environ:
            # Left by a cluster that was killed: Ray would try to join it for minutes.
            reach(known.read_text().strip())
        ray.init(address="auto", **quiet)
    except ConnectionError:
        ray.init(address="local", include_dashboard=False, **quiet)


@contextmanager
def _signals_kept() -> Iterator[None]:
    """SIGTERM goes on to mean what it meant; Ray would have it end Python on the spot."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    except SystemExit as end:
        if end.code == signal.SIGTERM:  # Ray heard it while it started
            signal.signal(signal.SIGTERM, before)
            signal.raise_signal(signal.SIGTERM)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _refused(engine: Ray, error: Exception) -> str:
    where = f"the Ray cluster at {engine.address}" if engine.address else "Ray on this machine"
    reason = " ".join(str(error).split())[:200]
    return (
        f"cannot join {where} ({reason}): give the command on a node of the cluster, with the "
        "address that `ray start --head` prints, the same versions of Python and Ray, and "
        "RAY_AUTH_MODE=token where the cluster asks for a token"
    )
