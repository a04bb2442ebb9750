"""Files that are written whole or not at all, and the folder for what is kept between runs."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["atomic_path", "atomic_write", "cache_folder", "write_bytes", "write_text"]


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
    """A temporary path beside `path` that takes its place when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        _sync(temporary)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


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


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
