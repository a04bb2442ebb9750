"""One SQLite file that several processes share: under the translations, and under the parses.

It keeps a write-ahead log: a process that is killed leaves whole transactions only.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.sqlite.files import Mode, complaint, connected, damage, switch_log_on
from hyperbaton.base.sqlite.row_digest import row_digest

__all__ = ["Cell", "Damaged", "Database", "Format", "Mode", "Unusable", "is_open_here"]

Cell = str | bytes | int | float | None

_open: dict[int, Path] = {}
_carried: list[sqlite3.Connection] = []
"""Connections of the process that we were forked from: neither to be used nor to be closed."""


class Unusable(HyperbatonError):
    """The file cannot be opened or written here; what was to be kept in it can still be used."""


class Damaged(HyperbatonError):
    """The content of the file is not what was written into it."""


@dataclass(frozen=True)
class Format:
    """What files of one kind hold, and how those of an earlier version become such."""

    name: str
    """For messages: "the store"."""
    version: int
    tables: tuple[str, ...]
    """A statement each; those that are there already stay."""
    upgrade: Callable[[sqlite3.Connection], None]
    """Called within a transaction on a file of an earlier version, before the tables are made."""


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
                self.version = self._settled()
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
        self._connection = connected(self.path, self._mode)
        _open[id(self)] = self.path
        try:
            self._tune()
        except BaseException:
            self.close()
            raise

    def _tune(self) -> None:
        self._db.create_function("row_digest", -1, row_digest, deterministic=True)
        if self._mode != "write":
            return
        switch_log_on(self._db)
        # With a write-ahead log this survives kill -9; only a power cut can take the last batches.
        self._db.execute("PRAGMA synchronous = NORMAL")
        # Hashes fall all over the file: pages are kept and written back less often.
        self._db.execute("PRAGMA cache_size = -16384")
        self._db.execute("PRAGMA wal_autocheckpoint = 10000")

    def _settled(self) -> int:
        """The version of the tables, made or upgraded where that can be; later ones are refused."""
        found = self._stamped()
        if found > self._form.version:
            raise HyperbatonError(
                f"{self._form.name} {self.path} was written by a later version of hyperbaton; "
                "upgrade hyperbaton, or choose another folder with --cache DIR or HYPERBATON_CACHE"
            )
        if found == self._form.version or (self._mode == "read" and found > 0):
            return found
        with self.transaction() as db:
            # Another process may have been first.
            if 0 < self._stamped() < self._form.version:
                self._form.upgrade(db)
            for statement in self._form.tables:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {self._form.version}")
        return self._form.version

    def _stamped(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

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
            found = complaint(self.path)
            if found:
                raise self.damaged(found)
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
            found = "" if self._mode == "memory" else damage(self.path, error)
            if found:
                raise self.damaged(found) from None
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
    return any(_is_same(main, held) for held in set(_open.values()))


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
