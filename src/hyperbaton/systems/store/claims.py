"""Claims: which process is about to translate a text, so that no other pays for it too.

A claim ends with its owner: who holds it keeps a lock on a file of its own, which the operating
system frees however the process ends. It also ends, after a lease, if the owner shows no sign of
life: a process that was stopped keeps its lock. The sign is the date of a second file, which a
thread moves on; others look whether it moves, each by a clock that nobody can set. The date of the
first file says nothing: some versions of filelock empty it whenever anybody tries to lock it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from filelock import FileLock, Timeout

from hyperbaton.base.database import Database
from hyperbaton.base.files import owned

LEASE = 30.0
"""Seconds after which the claims of a process that shows no sign of life are free."""
_BEATS = 15
"""Signs of life in the time of a lease: one that comes late on a busy machine does no harm."""
_SECOND = 1_000_000_000
TABLE = """
CREATE TABLE IF NOT EXISTS claims (
    system INTEGER NOT NULL, text BLOB NOT NULL, owner TEXT NOT NULL,
    PRIMARY KEY (system, text)
) WITHOUT ROWID
"""
_FOLDER = "claims"


class Claims:
    """The claims of one open store; those of others count while their owner lives."""

    def __init__(
        self,
        database: Database,
        lease: float = LEASE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._folder = database.path.parent / _FOLDER
        self._lease = lease
        self._clock = clock
        self._seen: dict[str, tuple[int, float]] = {}
        """Of other owners: the last sign of life, and when it was new to us."""
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._owner = secrets.token_hex(8)
        self._lock: FileLock | None = None
        self._ended = threading.Event()

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
        if self._lock is None or self._process != os.getpid():
            return
        owners = [owner for (owner,) in self._database.query("SELECT DISTINCT owner FROM claims")]
        gone = [owner for owner in owners if owner == self._owner or not self._is_alive(owner)]
        with self._database.transaction() as db:
            db.executemany("DELETE FROM claims WHERE owner = ?", ((owner,) for owner in gone))

    def beat(self) -> None:
        """Give a sign of life."""
        _move_on(self._sign(self._owner))

    def close(self) -> None:
        """Let go of the lock that makes our claims count."""
        if self._lock is not None and self._process == os.getpid():
            self._ended.set()
            self._lock.release()
            self._forget(self._owner)
            self._lock = None

    def _is_held(self) -> bool:
        """Lock our own file, once; false where files cannot be locked and claims are no use."""
        if self._process != os.getpid():  # forked: what was claimed is our parent's
            self._begin()
        if self._lock is None:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            file = self._file(self._owner)
            lock = owned(FileLock(file, mode=0o600, is_singleton=False))
            try:
                lock.acquire(timeout=0)
            except NotImplementedError:
                return False
            self._lock = lock
            sign = self._sign(self._owner)
            sign.touch(mode=0o600)
            # While a model translates, nothing else in this process may run for minutes.
            beating = (sign, self._lease / _BEATS, self._ended)
            threading.Thread(target=_beat_on, args=beating, daemon=True).start()
        return True

    def _is_alive(self, owner: str) -> bool:
        file = self._file(owner)
        if not file.exists():
            return False
        try:
            beat = self._sign(owner).stat().st_mtime_ns
        except OSError:
            beat = 0  # it has not begun to show any
        lock = FileLock(file, mode=0o600, is_singleton=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return self._shows_life(owner, beat)
        lock.release()
        with contextlib.suppress(OSError):
            self._forget(owner)
        return False

    def _shows_life(self, owner: str, beat: int) -> bool:
        now = self._clock()
        last, since = self._seen.get(owner, (None, now))
        if beat != last:
            since = now
            self._seen[owner] = (beat, now)
        return now - since < self._lease

    def _file(self, owner: str) -> Path:
        return self._folder / f"{owner}.lock"

    def _sign(self, owner: str) -> Path:
        return self._folder / f"{owner}.beat"

    def _forget(self, owner: str) -> None:
        """Remove the files of an owner, the one that makes claims count last."""
        self._sign(owner).unlink(missing_ok=True)
        self._file(owner).unlink(missing_ok=True)


def _beat_on(file: Path, pause: float, ended: threading.Event) -> None:
    while not ended.wait(pause):
        _move_on(file)


def _move_on(file: Path) -> None:
    """Move the date of a file on by a second, whatever the time is."""
    with contextlib.suppress(OSError):
        later = file.stat().st_mtime_ns + _SECOND
        os.utime(file, ns=(later, later))
