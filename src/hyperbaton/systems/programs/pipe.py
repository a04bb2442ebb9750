"""Run a program as a filter: bytes in, bytes out, with limits on silence and on output."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hyperbaton.base.processes import end_process
from hyperbaton.systems.system import BatchFault

_TAIL = 2000
_LEAST_LIMIT = 64 << 20
_LONGEST_RATIO = 16
"""Times the length of its input: more than that is no translation."""
_WATCHED_FIRST = 'read -r _ && exec "$@"'
"""The program begins with the first line it is sent; if we are killed before, it never does."""
_GRACE = 5.0
"""Seconds a program may take to end once it has closed its output."""


@dataclass(frozen=True)
class Finished:
    """What a program left behind."""

    output: bytes
    code: int
    """The exit code, negative for the signal that killed it."""
    complaint: str
    """The last line it wrote to standard error."""

    @property
    def end(self) -> str:
        """How it ended, for a message."""
        how = f"exit code {self.code}" if self.code >= 0 else f"signal {-self.code}"
        return f"{how}: {self.complaint}" if self.complaint else how


@dataclass
class _Exchange:
    """The bytes under way between us and a running program."""

    unsent: memoryview
    limit: int
    """Bytes of output beyond which a program is taken for one that never ends."""
    output: bytearray = field(default_factory=bytearray)
    errors: bytearray = field(default_factory=bytearray)
    lines: int = 0
    moved: float = field(default_factory=time.monotonic)


def filter_through(
    command: str | Sequence[str], data: bytes, *, max_lines: int, timeout: float
) -> Finished:
    """Send bytes through a program; BatchFault when it stalls or writes more lines than it may."""
    with contextlib.ExitStack() as stack:
        with _signals_wait():
            words = ("/bin/sh", "-c", command) if isinstance(command, str) else command
            process = subprocess.Popen(
                ("/bin/sh", "-c", _WATCHED_FIRST, "sh", *words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A group of its own: it can be ended with all it has started, and Ctrl-C is ours.
                start_new_session=True,
            )
            stack.callback(_end, process)
            stack.enter_context(_watched(process.pid))
        exchange = _converse(process, b"\n" + data, max_lines, timeout)
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            raise BatchFault(f"closed its output but did not end within {_GRACE:g} s") from None
    complaint = exchange.errors.decode(errors="replace").strip().splitlines()
    return Finished(bytes(exchange.output), process.returncode, complaint[-1] if complaint else "")


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Let signals wait for the end of the block: a program is started and known, or neither."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    taken = {number: handler for number, handler in before.items() if callable(handler)}
    for number in taken:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in taken.items():
            signal.signal(number, handler)
        for waiting in came:
            signal.raise_signal(waiting)


@contextlib.contextmanager
def _watched(group: int) -> Iterator[None]:
    """While the block runs, a group of processes ends with us, even when we are killed.

    A shell waits at the other end of a pipe that the operating system closes when we are gone.
    """
    watch = subprocess.Popen(
        ["/bin/sh", "-c", 'read _ || kill -s KILL -- "-$1"', "sh", str(group)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        watch.kill()
        watch.communicate()


def _converse(
    process: subprocess.Popen[bytes], data: bytes, max_lines: int, timeout: float
) -> _Exchange:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    exchange = _Exchange(memoryview(data), max(_LEAST_LIMIT, _LONGEST_RATIO * len(data)))
    with selectors.DefaultSelector() as selector:
        for pipe, events in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, events)
        while process.stdout in {key.fileobj for key in selector.get_map().values()}:
            left = exchange.moved + timeout - time.monotonic()
            if left <= 0:
                raise BatchFault(f"did not answer within {timeout:g} s")
            for key, _ in selector.select(left):
                if key.fileobj is process.stdin:
                    done = _write(process.stdin.fileno(), exchange)
                elif key.fileobj is process.stdout:
                    done = _read_output(process.stdout.fileno(), exchange, max_lines)
                else:
                    done = _read_errors(process.stderr.fileno(), exchange)
                if done:
                    selector.unregister(key.fileobj)
                    key.fileobj.close()  # type: ignore[union-attr]
        return exchange


def _write(pipe: int, exchange: _Exchange) -> bool:
    try:
        sent = os.write(pipe, exchange.unsent[:65536])
    except BlockingIOError:
        return False
    except BrokenPipeError:
        return True
    exchange.unsent = exchange.unsent[sent:]
    exchange.moved = time.monotonic()
    return not exchange.unsent


def _read_output(pipe: int, exchange: _Exchange, max_lines: int) -> bool:
    some = os.read(pipe, 1 << 16)
    exchange.output += some
    exchange.lines += some.count(b"\n")
    exchange.moved = time.monotonic()
    if exchange.lines > max_lines:
        raise BatchFault(f"returned more lines than it was given ({max_lines})")
    if len(exchange.output) > exchange.limit:
        raise BatchFault(f"returned more than {exchange.limit >> 20} MiB")
    return not some


def _read_errors(pipe: int, exchange: _Exchange) -> bool:
    # A program that only chatters on standard error still counts as stalled.
    some = os.read(pipe, 1 << 16)
    exchange.errors += some
    del exchange.errors[:-_TAIL]
    return not some


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and whatever it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    end_process(process)
