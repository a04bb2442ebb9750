"""Claims: which process is about to translate a text, so that no other pays for it too.

A claim lasts as long as its owner lives: the owner holds a lock on a file of its own, and the
operating system frees it however the process ends.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from hyperbaton.database import Database

__all__ = ["TABLE", "Claims"]

TABLE = """
CREATE TABLE IF NOT EXISTS claims (
    system INTEGER NOT NULL, text BLOB NOT NULL, owner TEXT NOT NULL,
    PRIMARY KEY (system, text)
) WITHOUT ROWID
"""
_FOLDER = "claims"


class Claims:
    """The claims of one open store; those of others count while their owner lives."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._folder = database.path.parent / _FOLDER
        self._owner = secrets.token_hex(8)
        self._lock: FileLock | None = None

    def take(self, db: sqlite3.Connection, system: int, keys: Sequence[bytes]) -> set[bytes]:
        """Within a transaction, claim what nobody else has claimed; these are the keys taken."""
        if not self._is_held():
            return set(keys)
        ours = set(keys) - self.held(system, keys)
        db.executemany(
            "INSERT OR REPLACE INTO claims VALUES (?, ?, ?)",
            ((system, key, self._owner) for key in ours),
        )
        return ours

    def held(self, system: int, keys: Sequence[bytes]) -> set[bytes]:
        """Those of these keys that another living process has claimed."""
        rows = list(
            self._database.among(
                "SELECT text, owner FROM claims WHERE system = ? AND text", keys, (system,)
            )
        )
        others = {owner for _, owner in rows} - {self._owner}
        living = {owner for owner in others if self._is_alive(owner)}
        return {key for key, owner in rows if owner in living}

    def drop(self, db: sqlite3.Connection, system: int, keys: Iterable[bytes]) -> None:
        """Within a transaction, give up our claims on these keys."""
        db.executemany(
            "DELETE FROM claims WHERE system = ? AND text = ? AND owner = ?",
            ((system, key, self._owner) for key in keys),
        )

    def drop_all(self) -> None:
        """Give up all claims of ours, and those of processes that are gone."""
        if self._lock is None:
            return
        owners = [owner for (owner,) in self._database.query("SELECT DISTINCT owner FROM claims")]
        gone = [owner for owner in owners if owner == self._owner or not self._is_alive(owner)]
        with self._database.transaction() as db:
            db.executemany("DELETE FROM claims WHERE owner = ?", ((owner,) for owner in gone))

    def close(self) -> None:
        """Let go of the lock that makes our claims count."""
        if self._lock is not None:
            self._lock.release()
            self._file(self._owner).unlink(missing_ok=True)
            self._lock = None

    def _is_held(self) -> bool:
        """Lock our own file, once; false where files cannot be locked and claims are no use."""
        if self._lock is None:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            lock = FileLock(self._file(self._owner), mode=0o600, is_singleton=False)
            try:
                lock.acquire(timeout=0)
            except NotImplementedError:
                return False
            self._lock = lock
        return True

    def _is_alive(self, owner: str) -> bool:
        file = self._file(owner)
        if not file.exists():
            return False
        lock = FileLock(file, mode=0o600, is_singleton=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
        return False

    def _file(self, owner: str) -> Path:
        return self._folder / f"{owner}.lock"
