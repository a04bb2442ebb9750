"""The store: what any system ever answered, by signature and text, so that none is paid twice.

One SQLite file with a write-ahead log: several processes read and write it at once, and a process
that is killed leaves whole transactions only.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hyperbaton.errors import HyperbatonError
from hyperbaton.files import cache_folder
from hyperbaton.systems.system import Translation

__all__ = ["Holding", "Store", "text_id"]

Cell = str | bytes | int | float | None

FILE = "translations.sqlite"
VERSION = 1
PATIENCE = 120.0
"""Seconds to wait while another process writes."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS systems (
    id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE, used REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS translations (
    system INTEGER NOT NULL, text BLOB NOT NULL, output TEXT, fault TEXT NOT NULL,
    PRIMARY KEY (system, text)
) WITHOUT ROWID;
"""
# A translation is never overwritten by a later one or by a fault; only faults give way.
_SAVE = """
INSERT INTO translations VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
SET output = excluded.output, fault = excluded.fault WHERE translations.output IS NULL
"""
_REPLACE = "INSERT OR REPLACE INTO translations VALUES (?, ?, ?, ?)"


@dataclass(frozen=True)
class Holding:
    """What the store holds of one system."""

    signature: str
    translations: int
    faults: int
    used: float
    """When something was last written, in seconds since 1970."""


def text_id(text: str) -> str:
    """The id of a text in the store and in exported files: 32 hexadecimal digits of its hash.

    >>> text_id("A red house.")
    '5598a88ee76795de3a302e530ce682b2'
    """
    return _key(text).hex()


def _key(text: str) -> bytes:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


@contextmanager
def _sentence(path: Path) -> Iterator[None]:
    """Turn what SQLite complains of into a sentence that names the file."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise HyperbatonError(
            f"the store {path} cannot be used ({error}); "
            "choose another with --cache DIR or HYPERBATON_CACHE"
        ) from None


class Store:
    """The translations in one folder; open it once per process and thread."""

    def __init__(self, directory: Path | None = None) -> None:
        self.path = (directory or cache_folder()) / FILE
        with _sentence(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
            self._prepare()
        self._systems: dict[str, int] = {}

    def _prepare(self) -> None:
        _write_ahead(self._db)
        # With a write-ahead log this survives kill -9; only a power cut can take the last batches.
        self._db.execute("PRAGMA synchronous = NORMAL")
        # Hashes fall all over the file: pages are kept and written back less often.
        self._db.execute("PRAGMA cache_size = -16384")
        self._db.execute("PRAGMA wal_autocheckpoint = 10000")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise HyperbatonError(
                f"the store {self.path} was written by a later version of hyperbaton; "
                "upgrade, or choose another with --cache DIR"
            )
        if version < VERSION:
            self._db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def lookup(self, signature: str, texts: Iterable[str]) -> dict[str, Translation]:
        """What is stored for these texts, faults too."""
        ids = {text_id(text): text for text in texts}
        return {ids[i]: answer for i, answer in self.lookup_ids(signature, list(ids)).items()}

    def lookup_ids(self, signature: str, ids: Sequence[str]) -> dict[str, Translation]:
        """As `lookup`, with the ids of the texts in their place."""
        system = self._find(signature)
        found: dict[str, Translation] = {}
        for start in range(0, len(ids) if system is not None else 0, 500):
            keys = [bytes.fromhex(i) for i in ids[start : start + 500]]
            marks = ",".join("?" * len(keys))
            rows = self._query(
                "SELECT text, output, fault FROM translations "
                f"WHERE system = ? AND text IN ({marks})",
                (system, *keys),
            )
            found |= {key.hex(): Translation(output, fault) for key, output, fault in rows}
        return found

    def save(
        self, signature: str, answers: Mapping[str, Translation], replace: bool = False
    ) -> None:
        """Keep these answers, all or none; a translation that is there already stays."""
        self.save_ids(signature, {text_id(text): a for text, a in answers.items()}, replace)

    def save_ids(
        self, signature: str, answers: Mapping[str, Translation], replace: bool = False
    ) -> None:
        """As `save`, with the ids of the texts in their place."""
        with self._transaction():
            system = self._enter(signature)
            self._db.executemany(
                _REPLACE if replace else _SAVE,
                ((system, bytes.fromhex(i), a.text, a.fault) for i, a in answers.items()),
            )

    def changes(self) -> int:
        """A number that changes when another process has written."""
        return int(self._query("PRAGMA data_version")[0][0])

    def holdings(self) -> list[Holding]:
        """What is held of each system, the last written first."""
        rows = self._query(
            "SELECT signature, count(output), sum(output IS NULL), used "
            "FROM systems JOIN translations ON systems.id = system "
            "GROUP BY systems.id ORDER BY used DESC"
        )
        return [Holding(*row) for row in rows]

    def clear(self, containing: str = "", only_faults: bool = False) -> int:
        """Forget what is held of the systems whose signature contains a text; how many went."""
        condition = " AND output IS NULL" if only_faults else ""
        with self._transaction():
            gone = self._db.execute(
                "DELETE FROM translations WHERE system IN "
                "(SELECT id FROM systems WHERE instr(signature, ?))" + condition,
                (containing,),
            ).rowcount
        # The numbers of the systems stay: another process may be writing under one.
        self._query("VACUUM")
        return gone

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _find(self, signature: str) -> int | None:
        if signature not in self._systems:
            rows = self._query("SELECT id FROM systems WHERE signature = ?", (signature,))
            if not rows:
                return None
            self._systems[signature] = rows[0][0]
        return self._systems[signature]

    def _enter(self, signature: str) -> int:
        (number,) = self._db.execute(
            "INSERT INTO systems (signature, used) VALUES (?, ?) "
            "ON CONFLICT DO UPDATE SET used = excluded.used RETURNING id",
            (signature, time.time()),
        ).fetchone()
        return int(number)

    def _query(self, sql: str, values: Sequence[Cell] = ()) -> list[tuple[Any, ...]]:
        with _sentence(self.path):
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _sentence(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                # SQLite may have rolled back by itself, as when the disk is full.
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


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
