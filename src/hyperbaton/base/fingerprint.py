"""A hash of what a system, metric or parser is made of: a changed file makes another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b, file_digest
from pathlib import Path

from hyperbaton.base.sqlite.database import is_open_here

__all__ = ["fingerprint"]


def fingerprint(paths: Iterable[Path]) -> str:
    """Sixteen hexadecimal digits that change with the name or content of any of these files.

    A folder counts with all files in it; where it lies does not count, nor do the files that we
    have open ourselves, such as the store of translations.
    """
    whole = blake2b(digest_size=8)
    for path in paths:
        for name, file in _files(path):
            status = file.stat()
            whole.update(f"{name}\0".encode(errors="surrogateescape"))
            whole.update(_digest(file, status.st_size, status.st_mtime_ns))
    return whole.hexdigest()


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    if not path.is_dir():
        if not is_open_here(path):
            yield path.name, path
        return
    for file in sorted(path.rglob("*")):
        if file.is_file() and not is_open_here(file):
            yield file.relative_to(path).as_posix(), file


@lru_cache(maxsize=4096)
def _digest(path: Path, size: int, modified: int) -> bytes:
    with path.open("rb") as file:
        return file_digest(file, blake2b).digest()
