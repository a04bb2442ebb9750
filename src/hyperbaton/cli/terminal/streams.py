"""The standard streams: UTF-8 whatever the locale, and safe where one of them is closed."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress

from hyperbaton.base.errors import HyperbatonError, printable

__all__ = ["flush", "is_broken_pipe", "prepare", "say", "say_lines", "settle"]

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
