"""SIGTERM and SIGHUP end a command as Ctrl-C does: programs are stopped, files are tidied up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["Stopped", "stoppable"]

_NAMES = ("SIGTERM", "SIGHUP")


class Stopped(KeyboardInterrupt):
    """A signal asked the command to end; whatever tidies up after Ctrl-C does so now."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def stoppable() -> Iterator[None]:
    """Turn the signals into `Stopped` while the block runs.

    A signal that is ignored (`nohup`) stays ignored. Only the first one counts: `timeout` sends
    two, and the second must not interrupt the tidying up.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    taken = [number for number, handler in before.items() if handler == signal.SIG_DFL]

    def stop(number: int, frame: FrameType | None) -> None:
        for each in taken:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    for number in taken:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])
