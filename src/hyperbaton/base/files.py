"""Files that are written whole or not at all, temporary files, and the cache folder.

Only regular files are replaced. A device, a pipe or whatever else a path leads to is written to
and stays what it is; a symbolic link stays one, and the file that it points to is replaced.

The name of a temporary file says on which machine it was made, and its process holds a lock on it.
So a temporary file of this machine that nobody has locked was left by a killed process: remove it.
A lock that is `owned` ends with the process that took it, also when that forks.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import IO, TYPE_CHECKING
from weakref import WeakSet

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.remote_paths import RemotePath

if TYPE_CHECKING:
    from filelock import FileLock

if sys.platform != "win32":
    import fcntl

DATA = Path(__file__).parents[1] / "data"
"""What is shipped: corpora, models, tables."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system answers where nothing more can be written."""
_OPEN_ELSEWHERE = ("/dev/fd/", "/dev/std", "/proc/")
_NAME_BYTES = 100
"""Names may be as long as the system allows, and the temporary one is longer."""
_TRIES = 100
_LOCKS = sys.platform != "win32"
"""Windows neither has such locks nor replaces files that are open."""
_swept: set[str] = set()
_own: set[str] = set()
_locked: WeakSet[FileLock] = WeakSet()


def cache_folder() -> Path:
    """`$HYPERBATON_CACHE`, or the folder `hyperbaton` in the user's cache folder."""
    chosen = os.environ.get("HYPERBATON_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    # A relative XDG_CACHE_HOME is to be ignored, says the XDG specification.
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "hyperbaton"


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A temporary path whose content is at `path` when the block ends well."""
    if isinstance(path, RemotePath):
        with temporary_file(Path(tempfile.gettempdir()), path.name) as temporary:
            yield temporary
            path.write_bytes(temporary.read_bytes())
        return
    status = None
    with suppress(FileNotFoundError):
        status = path.stat()
    if status is not None and stat.S_ISDIR(status.st_mode):
        raise HyperbatonError(f"{path} is a folder: name a file to write")
    # `/dev/stdout` may be a regular file that others write to.
    is_elsewhere = os.path.abspath(path).startswith(_OPEN_ELSEWHERE)
    if status is not None and (is_elsewhere or not stat.S_ISREG(status.st_mode)):
        with temporary_file(Path(tempfile.gettempdir()), path.name) as temporary:
            yield temporary
            _pour(temporary, path)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with temporary_file(path.parent, path.name) as temporary:
            yield temporary
            _sync(temporary)
            os.umask(mask := os.umask(0))
            os.chmod(temporary, stat.S_IMODE(status.st_mode) if status else 0o666 & ~mask)
            os.replace(temporary, path)
            _sync(path.parent)
    except OSError as error:
        if error.errno in FULL:  # writing to an open file names none
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under `path` only when the block ends well."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        yield file


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file at once."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 file at once."""
    write_bytes(path, text.encode())


def _pour(temporary: Path, path: Path) -> None:
    with temporary.open("rb") as content:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            with open(handle, "wb", buffering=0) as stream:
                shutil.copyfileobj(content, stream)
        except OSError as error:  # a number of an open file is all that it names
            raise OSError(error.errno, error.strerror, str(path)) from None


def _sync(path: Path) -> None:
    """Have it on the disk; Windows opens no folders and syncs nothing that is open for reading."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def temporary_file(folder: Path, name: str) -> Iterator[Path]:
    """A file of its own in a folder, which goes with the block."""
    with _temporary(folder, name, tempfile.mkstemp) as made:
        try:
            yield made
        finally:
            made.unlink(missing_ok=True)


@contextmanager
def temporary_folder(folder: Path, name: str) -> Iterator[Path]:
    """A folder of its own in a folder, which goes with the block."""
    with _temporary(folder, name, _new_folder) as made:
        try:
            yield made
        finally:
            shutil.rmtree(made, ignore_errors=True)


def _new_folder(suffix: str, prefix: str, folder: str) -> tuple[int, str]:
    made = tempfile.mkdtemp(suffix, prefix, folder)
    return (os.open(made, os.O_RDONLY) if _LOCKS else -1), made


@contextmanager
def _temporary(
    folder: Path, name: str, new: Callable[[str, str, str], tuple[int, str]]
) -> Iterator[Path]:
    """A new file or folder that is locked; another where a process took it for a leftover."""
    sweep(folder)
    prefix = f".{os.fsencode(name)[:_NAME_BYTES].decode(errors='ignore')}."
    for _ in range(_TRIES):
        handle, made = new(_suffix(), prefix, os.path.realpath(folder))
        if not _LOCKS:
            if handle >= 0:
                os.close(handle)
            break
        with suppress(OSError):  # where there are no locks, nobody who sweeps gets one either
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_same(handle, made):
            break
        os.close(handle)
    else:
        raise OSError(f"each temporary file in {folder} is removed as soon as it is made")
    _own.add(made)
    try:
        yield Path(made)
    finally:
        if _LOCKS:
            os.close(handle)
        _own.discard(made)


def sweep(folder: Path) -> None:
    """Remove what processes of this machine that are no more left in a folder; once a process."""
    place = os.path.realpath(folder)
    if not _LOCKS or place in _swept:
        return
    _swept.add(place)
    pattern = re.compile(rf"\..*\.[a-z0-9_]{{8}}{re.escape(_suffix())}", re.DOTALL)
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and entry.path not in _own:
                with suppress(OSError):
                    _remove_if_free(entry.path)


def _remove_if_free(path: str) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_same(handle, path) and os.fstat(handle).st_uid == os.geteuid():
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
    finally:
        os.close(handle)


def _is_same(handle: int, path: str) -> bool:
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


def owned(lock: FileLock) -> FileLock:
    """The same lock; a forked child that ends does not free it.

    >>> from filelock import FileLock
    >>> owned(FileLock("file.lock", timeout=0)).is_locked
    False
    """
    import ctypes  # noqa: F401 - a forked child needs it, and should not be the one to load it

    _locked.add(lock)
    return lock


def _keep_inherited() -> None:
    """Never delete the locks that a fork has brought: filelock 3 would end the parent's as well."""
    import ctypes

    for lock in _locked:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(lock))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_keep_inherited)
