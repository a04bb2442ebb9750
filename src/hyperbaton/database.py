"""One SQLite file that several processes share: under the translations, and under the parses.

It keeps a write-ahead log: a process that is killed leaves whole transactions only.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote
from weakref import WeakSet

from hyperbaton.errors import HyperbatonError

__all__ = ["Cell", "Database", "Mode", "Unusable", "is_open_here"]

Cell = str | bytes | int | float | None

PATIENCE = 120.0
"""Seconds to wait while another process writes."""
Mode = Literal["write", "read", "memory"]
"""`read` opens a file on a disk that cannot be written, `memory` none at all."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_lock = threading.Lock()
"""Held while a file is created, and for the list of those that are open."""
_open: WeakSet[Database] = WeakSet()
_carried: list[sqlite3.Connection] = []
"""Connections of the process that we were forked from: neither to be used nor to be closed."""


def _free_lock() -> None:
    """In a child: the thread that held it did not come along."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_lock)


class Unusable(HyperbatonError):
    """The file cannot be opened or written here; what was to be kept in it can still be used."""


class Database:
    """A file of rows that is readable by its owner only; open it once per process and thread."""

    def __init__(
        self, path: Path, schema: str, version: int, name: str, mode: Mode = "write"
    ) -> None:
        self.path = path
        self._name = name
        self._mode = mode
        with self._faults():
            self._connect()
            try:
                self._check(schema, version)
            except BaseException:
                self.close()
                raise

    @property
    def _db(self) -> sqlite3.Connection:
        if self._process != os.getpid() and self._mode != "memory":
            _carried.append(self._connection)
            self._connect()
        return self._connection

    def _connect(self) -> None:
        self._process = os.getpid()
        self._connection = _connected(self.path, self._mode)
        with _lock:
            _open.add(self)
        if self._mode == "write":
            try:
                self._tune()
            except BaseException:
                self.close()
                raise

    def _tune(self) -> None:
        _write_ahead(self._db)
        # With a write-ahead log this survives kill -9; only a power cut can take the last batches.
        self._db.execute("PRAGMA synchronous = NORMAL")
        # Hashes fall all over the file: pages are kept and written back less often.
        self._db.execute("PRAGMA cache_size = -16384")
        self._db.execute("PRAGMA wal_autocheckpoint = 10000")

    def _check(self, schema: str, version: int) -> None:
        """Make the tables where they are missing; refuse those of a later version."""
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found > version:
            raise HyperbatonError(
                f"{self._name} {self.path} was written by a later version of hyperbaton; "
                "upgrade hyperbaton, or choose another folder with --cache DIR or HYPERBATON_CACHE"
            )
        if found < version:
            self._db.executescript(
                f"BEGIN IMMEDIATE; {schema} PRAGMA user_version = {version}; COMMIT;"
            )

    def query(self, sql: str, values: Sequence[Cell] = ()) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        with self._faults():
            return self._db.execute(sql, values).fetchall()

    def among(
        self, sql: str, keys: Sequence[bytes], values: Sequence[Cell] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """The rows of `sql … IN (keys)`, however many keys; `values` fill the marks before."""
        # SQLite takes 999 marks at least, by the limit that is compiled in.
        for start in range(0, len(keys), 500):
            some = keys[start : start + 500]
            marks = ",".join("?" * len(some))
            yield from self.query(f"{sql} IN ({marks})", (*values, *some))

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is written in the block is kept, or nothing; other writers wait."""
        with self._faults():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                # SQLite may have rolled back by itself, as when the disk is full.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def changes(self) -> int:
        """A number that changes when another process has written."""
        return int(self.query("PRAGMA data_version")[0][0])

    def close(self) -> None:
        """Close the file."""
        with _lock:
            _open.discard(self)
        if self._process == os.getpid():
            self._connection.close()
        else:
            _carried.append(self._connection)

    def damaged(self, what: object) -> HyperbatonError:
        """The sentence for a file whose content is not what was written into it."""
        return HyperbatonError(
            f"{self._name} {self.path} is damaged ({what}); delete this file, or choose another "
            "folder with --cache DIR or HYPERBATON_CACHE"
        )

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn what SQLite complains of into a sentence that names the file."""
        try:
            yield
        except UnicodeDecodeError:  # SQLite quotes what it finds in the file
            raise self.damaged("it holds what is not text") from None
        except (sqlite3.Error, OSError) as error:
            # The code is absent from errors that Python's module raises by itself.
            code = getattr(error, "sqlite_errorcode", None) or 0
            missing = "no such table" in str(error) or "no such column" in str(error)
            if code & 0xFF in _DAMAGED or missing:
                raise self.damaged(error) from None
            reason = getattr(error, "strerror", None) or error
            raise Unusable(
                f"cannot use {self._name} {self.path} ({reason}); "
                "choose another folder with --cache DIR or HYPERBATON_CACHE"
            ) from None


def is_open_here(path: Path) -> bool:
    """Whether a file belongs to a database that this process has open.

    Nobody may open it but SQLite: closing it again would drop all locks of the process on it.
    """
    main = path.with_name(path.name.removesuffix("-wal").removesuffix("-shm"))
    with _lock:
        paths = {database.path for database in _open}
    return any(_is_same(main, open_path) for open_path in paths)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _connected(path: Path, mode: Mode) -> sqlite3.Connection:
    if mode == "memory":
        return sqlite3.connect(":memory:", isolation_level=None)
    if mode == "read":
        # Without `immutable` SQLite wants to write files beside this one.
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True, isolation_level=None)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_private(path)
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)


def _make_private(path: Path) -> None:
    """Create the file for its owner alone; SQLite gives the files beside it the same rights.

    One that is there is never opened here: to close it again would drop the locks of every
    connection that this process has on it (sqlite.org/howtocorrupt.html, 2.2).
    """
    # No other thread connects between the two calls, for the same reason.
    with _lock, contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        # One that belongs to somebody else stays as its owner wants it.
        with contextlib.suppress(OSError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _write_ahead(db: sqlite3.Connection) -> None:
    """Switch the write-ahead log on; SQLite does not wait for other processes here, so we do."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.05)
