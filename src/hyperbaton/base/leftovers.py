"""Temporary files whose owner can be told dead or alive, and what killed processes left of theirs.

A name says on which machine a file was made; its maker holds a lock on it as long as it lives. So a
file of this machine that nobody holds is nobody's, and is removed.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ["sweep", "temporary_file", "temporary_folder"]

_NAME_BYTES = 100
"""Names may be as long as the system allows, and the temporary one is longer."""
_TRIES = 100
_LOCKS = sys.platform != "win32"
"""Windows neither has such locks nor replaces files that are open."""
_swept: set[str] = set()
_own: set[str] = set()


@contextmanager
def temporary_file(folder: Path | None, name: str) -> Iterator[Path]:
    """A file of its own in a folder, or in that of the system, which goes with the block."""
    with _held(_new_file, Path(tempfile.gettempdir()) if folder is None else folder, name) as made:
        try:
            yield made
        finally:
            made.unlink(missing_ok=True)


@contextmanager
def temporary_folder(folder: Path, name: str) -> Iterator[Path]:
    """A folder of its own in a folder, which goes with the block."""
    with _held(_new_folder, folder, name) as made:
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what processes of this machine that are no more left in a folder; once a process."""
    place = os.path.realpath(folder)
    if not _LOCKS or place in _swept:
        return
    _swept.add(place)
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if _pattern().fullmatch(entry.name) and entry.path not in _own:
                with suppress(OSError):
                    _remove_if_free(entry.path)


_New = Callable[[str, str], tuple[int, str]]


def _new_file(folder: str, prefix: str) -> tuple[int, str]:
    return tempfile.mkstemp(dir=folder, prefix=prefix, suffix=_suffix())


def _new_folder(folder: str, prefix: str) -> tuple[int, str]:
    made = tempfile.mkdtemp(dir=folder, prefix=prefix, suffix=_suffix())
    return (os.open(made, os.O_RDONLY) if _LOCKS else -1), made


@contextmanager
def _held(new: _New, folder: Path, name: str) -> Iterator[Path]:
    sweep(folder)
    prefix = f".{os.fsencode(name)[:_NAME_BYTES].decode(errors='ignore')}."
    handle, made = _made(new, os.path.realpath(folder), prefix)
    _own.add(made)
    try:
        if not _LOCKS and handle >= 0:
            os.close(handle)
        yield Path(made)
    finally:
        if _LOCKS:
            os.close(handle)
        _own.discard(made)


def _made(new: _New, folder: str, prefix: str) -> tuple[int, str]:
    """A new file or folder that is held; another where a process took it for a leftover at once."""
    for _ in range(_TRIES):
        handle, made = new(folder, prefix)
        if not _LOCKS:
            return handle, made
        with suppress(OSError):  # where there are no locks, nobody who sweeps gets one either
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _same(handle, made):
            return handle, made
        os.close(handle)
    raise OSError(f"each temporary file in {folder} is removed as soon as it is made")


def _remove_if_free(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _same(handle, path) and os.fstat(handle).st_uid == os.geteuid():
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    finally:
        os.close(handle)


def _same(handle: int, path: str) -> bool:
    """Whether an open file is still the one under its name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    return False


@cache
def _suffix() -> str:
    """The end of the names that are made on this machine."""
    machine = platform.node()
    with suppress(OSError):
        machine += Path("/etc/machine-id").read_text()
    return f".{blake2b(machine.encode(), digest_size=4).hexdigest()}.hyperbaton.part"


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"\..*\.[a-z0-9_]{{8}}{re.escape(_suffix())}", re.DOTALL)
