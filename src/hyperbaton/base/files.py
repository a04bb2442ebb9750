"""Files that are written whole or not at all, and the folder for what is kept between runs.

Only regular files are replaced. A device, a pipe or whatever else a path leads to is written to
and stays what it is; a symbolic link stays one, and the file that it points to is replaced.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.leftovers import temporary_file
from hyperbaton.base.remote_paths import RemotePath

__all__ = [
    "DATA",
    "FULL",
    "atomic_path",
    "atomic_write",
    "cache_folder",
    "write_bytes",
    "write_text",
]

DATA = Path(__file__).parents[1] / "data"
"""What is shipped: corpora, models, tables."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system answers where nothing more can be written."""
_OPEN_ELSEWHERE = ("/dev/fd/", "/dev/std", "/proc/")


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
        with temporary_file(None, path.name) as temporary:
            yield temporary
            path.write_bytes(temporary.read_bytes())
        return
    there = _status(path)
    if there is not None and stat.S_ISDIR(there.st_mode):
        raise HyperbatonError(f"{path} is a folder: name a file to write")
    if _is_stream(path, there):
        with temporary_file(None, path.name) as temporary:
            yield temporary
            _pour(temporary, path)
        return
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    with _naming(path), temporary_file(path.parent, path.name) as temporary:
        yield temporary
        _sync(temporary)
        os.chmod(temporary, stat.S_IMODE(there.st_mode) if there else 0o666 & ~_umask())
        os.replace(temporary, path)
        _sync(path.parent)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name the file where there is no room for it: writing to an open file names none."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under `path` only when the block ends well."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        yield file


def write_bytes(path: Path, data: bytes) -> None:
    """Write a whole file at once."""
    with atomic_write(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Write a whole UTF-8 file at once."""
    write_bytes(path, text.encode())


def _status(path: Path) -> os.stat_result | None:
    """What a path leads to, if anything."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _is_stream(path: Path, there: os.stat_result | None) -> bool:
    """Whether to write to what is there; `/dev/stdout` may be a regular file that others write."""
    if there is None:
        return False
    return not stat.S_ISREG(there.st_mode) or os.path.abspath(path).startswith(_OPEN_ELSEWHERE)


def _pour(temporary: Path, path: Path) -> None:
    with temporary.open("rb") as content:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            with open(handle, "wb", buffering=0) as stream:
                shutil.copyfileobj(content, stream)
        except OSError as error:  # a number of an open file is all that it names
            raise OSError(error.errno, error.strerror, str(path)) from None


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _sync(path: Path) -> None:
    """Have it on the disk; Windows opens no folders and syncs nothing that is open for reading."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
