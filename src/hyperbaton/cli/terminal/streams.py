"""Standard streams, signals and the last net: UTF-8 everywhere, errors in one sentence."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from hyperbaton.base.errors import HyperbatonError, printable

LONGEST = 1000
"""Characters of a message; what an argument adds beyond that helps nobody."""
_MODES = (("stdin", os.O_WRONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w"))


def prepare() -> None:
    """Make the streams usable before anything is read or written.

    A stream that the caller closed (`>&-`) leaves its number free, and the next file that is opened
    would take it: output would go into that file. The number is given to the null device, opened
    so that reading from input and writing to output fail; messages are dropped.
    """
    for number, (name, flags, mode) in enumerate(_MODES):
        stream = getattr(sys, name)
        if stream is None:
            _occupy(number, flags)
            opened = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, opened)
        elif isinstance(stream, io.TextIOWrapper):
            # Every file is read and written as UTF-8, so are the streams.
            stream.reconfigure(
                encoding="utf-8", errors="backslashreplace" if name == "stderr" else "strict"
            )


def _occupy(number: int, flags: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        opened = os.open(os.devnull, flags)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)


def say(sentence: object) -> None:
    """A message for the user on standard error, in one line; without a reader it is dropped."""
    text = printable(sentence)
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    with suppress(OSError, ValueError):
        print(f"hyperbaton: {short}", file=sys.stderr, flush=True)


def say_lines(text: str) -> None:
    """Several lines on standard error, as they are but for control characters."""
    with suppress(OSError, ValueError):
        for line in text.splitlines():
            print(printable(line), file=sys.stderr)


def flush() -> None:
    """Write out what standard output still holds; a device that is full or closed is an error."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if is_broken_pipe(error):
            raise
        reason = "it is closed" if error.errno == errno.EBADF else error.strerror
        raise HyperbatonError(f"standard output cannot be written: {reason}") from None


def is_broken_pipe(error: OSError) -> bool:
    """Whether the reader of a pipe went away; Windows reports it as an invalid argument."""
    return isinstance(error, BrokenPipeError) or (
        os.name == "nt" and error.errno == errno.EINVAL and error.filename is None
    )


def settle() -> None:
    """Leave standard output empty: what cannot be written is dropped, or leaving would fail."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, sys.stdout.fileno())
            os.close(null)
            sys.stdout.flush()


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


DETAILS = "run the command again with --debug to see the details"
_LONG = 300
_NAME = 120


def explained(error: Exception) -> str:
    """What went wrong, as far as the exception knows it, and how to see more."""
    if isinstance(error, OSError) and error.filename is not None:
        return _about_file(error)
    return f"{_short(_reason(error))} ({DETAILS})"


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return _system(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    if isinstance(error, RecursionError):
        return "the input is nested too deeply"
    if isinstance(error, UnicodeEncodeError):
        bad = f"U+{ord(error.object[error.start]):04X}"
        return f"a text holds {bad}, which cannot be written as {error.encoding}: remove it"
    if isinstance(error, UnicodeDecodeError):
        return f"the input is not {error.encoding}: convert it, e.g. with iconv"
    if isinstance(error, ImportError):
        return f"a package is missing or broken: {error}"
    kind = type(error).__name__
    what = f"{kind}: {error}" if str(error) else kind
    return f"unexpected error, probably a bug in hyperbaton: {what}"


def _about_file(error: OSError) -> str:
    """The operating system's reason with the file, or the two files, that it is about."""
    files = [error.filename, *([error.filename2] if error.filename2 is not None else [])]
    names = [name if len(name) <= _NAME else f"…{name[-_NAME:]}" for name in map(str, files)]
    what = f"{' → '.join(names)}: {_cause(error)}"
    return f"{what}; make room there, and run the same command again" if _full(error) else what


def _system(error: OSError) -> str:
    if error.errno == errno.EBADF:
        return "standard input or output is closed"
    if _full(error):
        from tempfile import gettempdir

        return (
            f"{_cause(error)}: make room where the command writes or in {gettempdir()}, "
            "and run it again"
        )
    return f"the operating system refused: {_cause(error)}"


def _full(error: OSError) -> bool:
    from hyperbaton.base.files import FULL

    return error.errno in FULL


def _cause(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__


def _short(text: str) -> str:
    """The first lines of long messages, such as those of database and table libraries."""
    line = " ".join(text.split())
    return line if len(line) <= _LONG else line[:_LONG] + "…"
