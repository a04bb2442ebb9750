"""Joining a Ray cluster, or starting one on this machine; nothing is reported to anybody."""

from __future__ import annotations

import logging
import os
import signal
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.pipeline.engine.engines import Ray
from hyperbaton.pipeline.engine.ray.pulse import reach

__all__ = ["joined"]


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
