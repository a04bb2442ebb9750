"""Repair of a damaged SQLite file: a new one is made of the rows that can still be read.

Each page is read by itself, whatever the tree says of it: a damaged page costs no other. Whether a
row is what was written its reader must know, as by a digest. sqlite.org/fileformat2.html describes
the format.
"""

from __future__ import annotations

import os
import shutil
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hyperbaton.base.database import is_open_here
from hyperbaton.base.errors import HyperbatonError

try:
    import fcntl
except ImportError:  # Windows, which lets nobody replace a file that is open
    fcntl = None  # type: ignore[assignment]

Cells = tuple[str | bytes | int | float | None, ...]
_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE = 2, 10, 13
_HOLD_ROWS = (_INTERIOR_INDEX, _LEAF_INDEX, _LEAF_TABLE)
_USUAL = 4096
_WHOLE = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of whole numbers by their type."""

_SHARED, _SHARED_SIZE = 0x40000002, 510
"""The bytes of a file that every connection of SQLite with a log keeps locked."""


@dataclass(frozen=True)
class Record:
    """A row: its number, which rows of tables have, and its cells."""

    number: int | None
    cells: Cells


class Pages:
    """The pages of a file and of its log, each in its newest state.

    The files stay open: to close one would drop the locks that this process has on it.
    """

    def __init__(self, file: IO[bytes], log: IO[bytes] | None = None) -> None:
        self._file = file
        self._log = log
        header = _read(file, 0, 100)
        self._newest: dict[int, int] = {}
        self._size = _page_size(header[16:18])
        if log is not None:
            self._size = self._size or _page_size(_read(log, 8, 4))
        self._size = self._size or _USUAL
        if log is not None:
            self._index(log)
        self._count = -(-file.seek(0, 2) // self._size)
        self._free = set(self._freed(int.from_bytes(header[32:36], "big")))

    def records(self) -> Iterator[Record]:
        """Every row that can be made out, on pages that are in use."""
        for number in sorted({*range(1, self._count + 1), *self._newest} - self._free):
            page = self._page(number)
            start = 100 if number == 1 else 0
            if len(page) != self._size or page[start] not in _HOLD_ROWS:
                continue
            first = start + (12 if page[start] == _INTERIOR_INDEX else 8)
            last = min(first + 2 * int.from_bytes(page[start + 3 : start + 5], "big"), self._size)
            for at in range(first, last - 1, 2):
                try:
                    yield self._record(page, page[start], int.from_bytes(page[at : at + 2], "big"))
                except (ValueError, IndexError, struct.error):
                    continue

    def _index(self, log: IO[bytes]) -> None:
        """Where the newest state of each page is; what an earlier log left behind is not."""
        length = 24 + self._size
        salt = _read(log, 40, 8)
        at = 32
        while len(frame := _read(log, at, 24)) == 24 and frame[8:16] == salt:
            self._newest[int.from_bytes(frame[:4], "big")] = at + 24
            at += length

    def _page(self, number: int) -> bytes:
        if self._log is not None and number in self._newest:
            return _read(self._log, self._newest[number], self._size)
        return _read(self._file, (number - 1) * self._size, self._size)

    def _freed(self, trunk: int) -> Iterator[int]:
        """The pages that hold nothing any more, but may look as they did."""
        seen: set[int] = set()
        while 1 < trunk <= self._count and trunk not in seen:
            seen.add(trunk)
            page = self._page(trunk)
            yield trunk
            count = min(int.from_bytes(page[4:8], "big"), self._size // 4 - 2)
            yield from struct.unpack(f">{count}I", page[8 : 8 + 4 * count].ljust(4 * count, b"\0"))
            trunk = int.from_bytes(page[:4], "big")

    def _record(self, page: bytes, kind: int, at: int) -> Record:
        if kind == _INTERIOR_INDEX:
            at += 4
        size, at = _varint(page, at)
        number = None
        if kind == _LEAF_TABLE:
            number, at = _varint(page, at)
        return Record(number, _cells(self._payload(page, kind, size, at)))

    def _payload(self, page: bytes, kind: int, size: int, at: int) -> bytes:
        """All bytes of a row, those that did not fit on its page too."""
        least = (self._size - 12) * 32 // 255 - 23
        most = self._size - 35 if kind == _LEAF_TABLE else (self._size - 12) * 64 // 255 - 23
        here = size
        if size > most:
            here = least + (size - least) % (self._size - 4)
            here = here if here <= most else least
        parts = [page[at : at + here]]
        missing = size - here
        if missing > self._size * (self._count + len(self._newest)):
            raise ValueError("longer than the file")
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        while missing > 0:
            more = self._page(following) if following else b""
            if len(more) != self._size:
                raise ValueError("a page is missing")
            parts.append(more[4 : 4 + missing])
            missing -= self._size - 4
            following = int.from_bytes(more[:4], "big")
        return b"".join(parts)


def _read(file: IO[bytes], at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)


def _page_size(told: bytes) -> int:
    """The size of pages as a header gives it; 0 where that is none."""
    size = int.from_bytes(told, "big")
    size = 65536 if size == 1 else size
    return size if 512 <= size <= 65536 and size & (size - 1) == 0 else 0


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for length in range(8):
        byte = data[at + length]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + length + 1
    return value << 8 | data[at + 8], at + 9


def _cells(payload: bytes) -> Cells:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    cells: list[str | bytes | int | float | None] = []
    at = end
    for kind in kinds:
        size = _WHOLE.get(kind, 8 if kind == 7 else max(0, kind - 12) // 2)
        data = payload[at : at + size]
        if len(data) != size:
            raise ValueError("a cell is cut off")
        cells.append(_cell(kind, data))
        at += size
    return tuple(cells)


def _cell(kind: int, data: bytes) -> str | bytes | int | float | None:
    if kind == 0:
        return None
    if kind in _WHOLE:
        return int.from_bytes(data, "big", signed=True)
    if kind == 7:
        (number,) = struct.unpack(">d", data)
        return float(number)
    if kind in (8, 9):
        return kind - 8
    if kind in (10, 11):
        raise ValueError("no such type")
    return data.decode() if kind % 2 else data


Fill = Callable[[Sequence[Pages], Path], Path]
"""Writes what can be read of some pages into a new file in a folder, and says where."""


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
