"""Any exception as one sentence, for the last net of the command line."""

from __future__ import annotations

import errno
from tempfile import gettempdir

from hyperbaton.base.files import FULL

__all__ = ["explained"]

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
    return f"an unexpected error, probably a bug in hyperbaton: {what}"


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
        return (
            f"{_cause(error)}: make room where the command writes or in {gettempdir()}, "
            "and run it again"
        )
    return f"the system refused: {_cause(error)}"


def _full(error: OSError) -> bool:
    return error.errno in FULL


def _cause(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__


def _short(text: str) -> str:
    """The first lines of long messages, such as those of database and table libraries."""
    line = " ".join(text.split())
    return line if len(line) <= _LONG else line[:_LONG] + "…"
