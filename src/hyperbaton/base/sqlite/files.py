"""How a SQLite file is created, opened and checked, and what a complaint of SQLite's means."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Literal
from urllib.parse import quote

__all__ = ["Mode", "complaint", "connected", "damage", "switch_log_on"]

PATIENCE = 120.0
"""Seconds to wait while another process writes."""
Mode = Literal["write", "read", "memory"]
"""`read` opens a file on a disk that cannot be written, `memory` none at all."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_creating = threading.Lock()


def _free() -> None:
    """In a child that was forked: the thread that held the lock did not come along."""
    global _creating
    _creating = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free)


def connected(path: Path, mode: Mode) -> sqlite3.Connection:
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


def switch_log_on(db: sqlite3.Connection) -> None:
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


def damage(path: Path, error: Exception) -> str:
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
            ((found,), *_) = db.execute("PRAGMA integrity_check(1)").fetchall()
    except UnicodeDecodeError:
        return "it holds what is not text"
    except sqlite3.Error as error:
        return str(error) if _may_be_damage(error) else ""
    return "" if found == "ok" else " ".join(str(found).split())


def _may_be_damage(error: Exception) -> bool:
    # The code is absent from errors that Python's module raises by itself.
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _DAMAGED
