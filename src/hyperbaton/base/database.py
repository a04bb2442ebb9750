"""One SQLite file that several processes share: under the translations, and under the parses.

It keeps a write-ahead log: a process that is killed leaves whole transactions only. Each row
carries a digest, so a damaged row is recognised.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from hyperbaton.base.errors import HyperbatonError, printable

PATIENCE = 120.0
"""Seconds to wait while another process writes."""
Mode = Literal["write", "read", "memory"]
"""`read` opens a file on a disk that cannot be written, `memory` none at all."""
Cell = str | bytes | int | float | None
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_open: dict[int, Path] = {}
_carried: list[sqlite3.Connection] = []
"""Connections of the process that we were forked from: neither to be used nor to be closed."""
_creating = threading.Lock()

_DIGEST_BYTES = 8
"""Bytes: one damage in 10¹⁹ would not be seen."""


def _free() -> None:
    """In a child that was forked: the thread that held the lock did not come along."""
    global _creating
    _creating = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free)


class Unusable(HyperbatonError):
    """The file cannot be opened or written here; what was to be kept in it can still be used."""


class Damaged(HyperbatonError):
    """The content of the file is not what was written into it."""


@dataclass(frozen=True)
class Format:
    """What files of one kind hold."""

    name: str
    """For messages: "the store"."""
    version: int
    tables: tuple[str, ...]
    """A statement each; those that are there already stay."""


class Database:
    """A file of rows that is readable by its owner only; open it once per process and thread.

    Several may be open in a process: SQLite knows its connections. A child that was forked
    connects anew.
    """

    def __init__(self, folder: Path, file: str, form: Format, mode: Mode = "write") -> None:
        self.path = folder / file
        self._folder = folder
        self._form = form
        self._mode = mode
        self._is_checked = False
        with self._faults():
            self._connect()
            try:
                self._prepare()
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
        self._connection = db = _connected(self.path, self._mode)
        _open[id(self)] = self.path
        try:
            db.create_function("row_digest", -1, row_digest, deterministic=True)
            if self._mode == "write":
                _switch_log_on(db)
                # With a write-ahead log this survives kill -9; only a power cut can take the last
                # batches.
                db.execute("PRAGMA synchronous = NORMAL")
                # Hashes fall all over the file: pages are kept and written back less often.
                db.execute("PRAGMA cache_size = -16384")
                db.execute("PRAGMA wal_autocheckpoint = 10000")
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        """Make the tables in a new file, and refuse one of another version."""
        ((version,),) = self._db.execute("PRAGMA user_version")
        if version not in (0, self._form.version):
            raise HyperbatonError(
                f"{self._form.name} {self.path} was written by another version of hyperbaton: use "
                "that one, or choose another folder with --cache DIR or HYPERBATON_CACHE"
            )
        if version:
            return
        with self.transaction() as db:
            # Another process may have been first: what is there stays.
            for statement in self._form.tables:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {self._form.version}")

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

    def check(self) -> None:
        """Once there is a sign of damage: refuse a file whose tree is damaged too.

        What is written into it might not be found again.
        """
        if not self._is_checked and self._mode != "memory":
            if damage := complaint(self.path):
                raise self.damaged(damage)
            self._is_checked = True

    def changes(self) -> int:
        """A number that changes when another process has written."""
        return int(self.query("PRAGMA data_version")[0][0])

    def close(self) -> None:
        """Close the file."""
        _open.pop(id(self), None)
        if self._process == os.getpid():
            self._connection.close()
        else:
            _carried.append(self._connection)

    @property
    def repair(self) -> str:
        """The command that saves what can be read of a damaged file."""
        return f"hyperbaton cache repair --cache {shlex.quote(str(self._folder))}"

    def damaged(self, what: object) -> Damaged:
        """The sentence for a file whose content is not what was written into it."""
        return Damaged(
            f"{self._form.name} {self.path} is damaged ({printable(what)}); save what can be read "
            f"with: {self.repair}"
        )

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn what SQLite complains of into a sentence that names the file."""
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            damage = "" if self._mode == "memory" else _damage(self.path, error)
            if damage:
                raise self.damaged(damage) from None
            reason = getattr(error, "strerror", None) or error
            raise Unusable(
                f"cannot use {self._form.name} {self.path} ({reason}); "
                "choose another folder with --cache DIR or HYPERBATON_CACHE"
            ) from None


def is_open_here(path: Path) -> bool:
    """Whether a file belongs to a database that this process has open.

    Nobody may open it but SQLite: closing it again would drop all locks of the process on it.
    """
    main = path.with_name(path.name.removesuffix("-wal").removesuffix("-shm"))
    for held in set(_open.values()):
        with contextlib.suppress(OSError):
            if main.samefile(held):
                return True
    return False


def _connected(path: Path, mode: Mode) -> sqlite3.Connection:
    """A connection to a file, which is created for its owner alone where there is none."""
    if mode == "memory":
        return sqlite3.connect(":memory:", isolation_level=None)
    if mode == "read":
        return _reading(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_private(path)
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)


def _reading(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?mode=ro"
    db = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
    try:
        db.execute("PRAGMA schema_version")
    except sqlite3.OperationalError:
        db.close()
        # SQLite wants to write files beside this one: it need not if nobody else writes here.
        db = sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
    return db


def _make_private(path: Path) -> None:
    """Create the file for its owner alone; SQLite gives the files beside it the same rights.

    One that is there is never opened here: to close it again would drop the locks of every
    connection that this process has on it (sqlite.org/howtocorrupt.html, 2.2).
    """
    # No other thread connects between the two calls, for the same reason.
    with _creating, contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        # One that belongs to somebody else stays as its owner wants it.
        with contextlib.suppress(OSError):
            if file.stat().st_mode & 0o077:
                file.chmod(0o600)


def _switch_log_on(db: sqlite3.Connection) -> None:
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


def _damage(path: Path, error: Exception) -> str:
    """What is wrong with the content of a file that SQLite complains of; empty if nothing is."""
    reason = str(error)
    # SQLite quotes what it finds in the file, and Python cannot read that then.
    if isinstance(error, UnicodeDecodeError) or reason.startswith("Could not decode"):
        return "it holds what is not text"
    if "no such table" in reason or "no such column" in reason:
        return reason
    return complaint(path) if _may_be_damage(error) else ""


def complaint(path: Path) -> str:
    """What SQLite's check of a whole file finds wrong; empty where it finds nothing."""
    try:
        with closing(_reading(path)) as db:
            ((result,), *_) = db.execute("PRAGMA integrity_check(1)").fetchall()
    except UnicodeDecodeError:
        return "it holds what is not text"
    except sqlite3.Error as error:
        return str(error) if _may_be_damage(error) else ""
    return "" if result == "ok" else " ".join(str(result).split())


def _may_be_damage(error: Exception) -> bool:
    # The code is absent from errors that Python's module raises by itself.
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _DAMAGED


class RowDigest:
    """The digests of the rows that belong to one owner, such as the signature of a system.

    >>> RowDigest("copy|en-de")(b"key", b"a red house").hex()
    'e17066b56c76cdc8'
    """

    def __init__(self, owner: str | bytes) -> None:
        name = owner.encode(errors="surrogatepass") if isinstance(owner, str) else owner
        self._begun = blake2b(name + b"\0", digest_size=_DIGEST_BYTES)

    def __call__(self, key: bytes, text: bytes | None, note: bytes = b"") -> bytes:
        """The digest of a row: what it is about, what it says (nothing is not empty), a note."""
        digest = self._begun.copy()
        # What is damaged may be missing.
        sizes = b"%d %d " % (-1 if text is None else len(text), len(note or b""))
        digest.update(b"".join((sizes, key or b"", text or b"", note or b"")))
        return digest.digest()


def row_digest(owner: str | bytes, key: bytes, text: bytes | None, note: bytes = b"") -> bytes:
    """The digest of a single row; also a function in the SQL of a database."""
    return RowDigest(owner)(key, text, note)
