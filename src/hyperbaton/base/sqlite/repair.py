"""A damaged database file is written anew from what can be read of it; the damaged one is kept."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.sqlite.database import is_open_here
from hyperbaton.base.sqlite.pages import Pages

try:
    import fcntl
except ImportError:  # Windows, which lets nobody replace a file that is open
    fcntl = None  # type: ignore[assignment]

__all__ = ["Fill", "empty", "repair", "unfinished"]

Fill = Callable[[Sequence[Pages], Path], Path]
"""Writes what can be read of some pages into a new file in a folder, and says where."""
_SHARED, _SHARED_SIZE = 0x40000002, 510
"""The bytes of a file that every connection of SQLite with a log keeps locked."""


def repair(path: Path, fill: Fill) -> Path:
    """Write a file anew from what can be read of it; where a copy of the damaged one is kept.

    The file stays the same one, so that a process which waits for it finds what is new. What an
    interrupted repair left ready is read too.
    """
    if is_open_here(path):
        raise HyperbatonError(f"{path} is in use by this process: close it first")
    log, ready = _log_of(path), unfinished(path)
    with _alone(path) as file, ExitStack() as stack:
        old_log = stack.enter_context(log.open("rb")) if log.exists() else None
        kept = _unused(path)
        _copy(file, kept)
        if old_log is not None:
            _copy(old_log, _log_of(kept))
        pages = [Pages(file, old_log)]
        if ready.exists():
            pages.append(Pages(stack.enter_context(ready.open("rb"))))
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".repair-") as folder:
            os.replace(fill(pages, Path(folder)), ready)
        log.unlink(missing_ok=True)
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        file.seek(0)
        with ready.open("rb") as new:
            shutil.copyfileobj(new, file, 1 << 20)
        file.truncate()
        file.flush()
        os.fsync(file.fileno())
    ready.unlink()
    return kept


def empty(path: Path) -> None:
    """Delete all that a file holds; what is left of it is a database without tables."""
    with _alone(path) as file:
        _log_of(path).unlink(missing_ok=True)
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        file.truncate(0)


def unfinished(path: Path) -> Path:
    """What a repair has ready, until it is in the file itself."""
    return path.with_name(f"{path.name}.repaired")


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


@contextmanager
def _alone(path: Path) -> Iterator[IO[bytes]]:
    """The file, open, while no other process has it open."""
    with path.open("r+b") as file:
        if fcntl is not None:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED)
            except BlockingIOError:
                raise HyperbatonError(
                    f"Another process is using {path}: wait for it or end it, then repair the file"
                ) from None
        yield file


def _copy(file: IO[bytes], path: Path) -> None:
    """Copy an open file, which must not be opened once more: closing that would end our lock."""
    file.seek(0)
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as copy:
        shutil.copyfileobj(file, copy, 1 << 20)
        copy.flush()
        os.fsync(copy.fileno())


def _unused(path: Path) -> Path:
    """A name for the damaged file that no other has."""
    number = 1
    while (kept := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return kept
