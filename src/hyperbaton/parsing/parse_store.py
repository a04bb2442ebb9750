"""The files of parses: one for each parser signature, a row for each text.

A row is found by a hash of the text and holds the columns of the sentence as JSON without its
words, which are cut from the text again.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hyperbaton.base.database import Damaged, Database, Format, RowDigest
from hyperbaton.base.database_repair import empty
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted

_log = logging.getLogger(__name__)

FOLDER = "parses"
FORMAT = 1
"""Raised when the same parser would now give other sentences, or rows are written differently."""
_ABOUT = "CREATE TABLE IF NOT EXISTS about (signature TEXT PRIMARY KEY)"
_PARSES = """
CREATE TABLE IF NOT EXISTS parses (
    key BLOB PRIMARY KEY, row TEXT, digest BLOB NOT NULL
) WITHOUT ROWID
"""


_FORMAT = Format("the parse cache", 2, (_ABOUT, _PARSES))


def opened(folder: Path, name: str) -> Database:
    """One of the files in a cache folder."""
    return Database(folder, f"{FOLDER}/{name}", _FORMAT)


def file_name(signature: str) -> str:
    """The name of the file for one version of a parser."""
    slug = re.sub(r"[^\w.-]+", "-", signature.split("|")[0]).strip("-")
    digest = hashlib.blake2b(f"{FORMAT}|{signature}".encode(), digest_size=6).hexdigest()
    return f"{slug}-{digest}.sqlite"


@dataclass(frozen=True)
class Parses:
    """What one file holds: the parses of one version of a parser."""

    path: Path
    signature: str
    count: int

    @property
    def files(self) -> list[Path]:
        """The file and what SQLite keeps beside it."""
        return sorted(self.path.parent.glob(f"{self.path.name}*"))


def held(folder: Path) -> list[Parses]:
    """What is kept in a cache folder, a file of each parser, without those that hold nothing."""
    files = []
    for path in sorted((folder / FOLDER).glob("*.sqlite")):
        try:
            with closing(opened(folder, path.name)) as database:
                rows = database.query("SELECT signature, (SELECT count(*) FROM parses) FROM about")
        except HyperbatonError:
            files.append(Parses(path, f"{path.name}, which cannot be read", 0))
        else:
            files += [Parses(path, signature, count) for signature, count in rows if count]
    return files


def clear_parses(folder: Path) -> int:
    """Forget all parses in a cache folder; how many there were.

    The files stay, without their rows: another process may have them open.
    """
    gone = 0
    for path in sorted((folder / FOLDER).glob("*.sqlite")):
        try:
            with closing(opened(folder, path.name)) as database:
                with database.transaction() as db:
                    gone += db.execute("DELETE FROM parses").rowcount
                database.query("VACUUM")
        except Damaged:
            empty(path)
    return gone


def damaged_rows(folder: Path, name: str) -> int:
    """How many rows of a file are not what was written; all are looked at."""
    with closing(opened(folder, name)) as database:
        ((count,),) = database.query(
            "SELECT count(*) FROM parses LEFT JOIN about WHERE signature IS NULL OR digest IS NOT "
            "row_digest(CAST(signature AS BLOB), CAST(key AS BLOB), CAST(row AS BLOB))"
        )
    return int(count)


class ParseStore:
    """The rows of one parser; several processes may read and write them at once."""

    def __init__(self, folder: Path, signature: str) -> None:
        self._database = opened(folder, file_name(signature))
        self.path = self._database.path
        self._digest = RowDigest(signature)
        with self._database.transaction() as db:
            db.execute("INSERT OR IGNORE INTO about VALUES (?)", (signature,))

    def get(self, texts: Sequence[str]) -> dict[str, str]:
        """The rows of those texts that have one; a damaged one is told, and counts as absent."""
        keys = {_key(text): text for text in texts}
        rows, damaged = {}, 0
        for key, row, digest in self._database.among(
            "SELECT key, CAST(row AS BLOB), digest FROM parses WHERE key", list(keys)
        ):
            if digest == self._digest(key, row) and key in keys:
                rows[keys[key]] = row.decode(errors="surrogateescape")
            else:
                damaged += 1
        if damaged:
            self._database.check()
            _log.warning(
                "hyperbaton: the parse cache %s holds %s: these texts are parsed again",
                self.path,
                counted(damaged, "damaged row"),
            )
        return rows

    def put(self, rows: Iterable[tuple[str, str]]) -> None:
        """Keep rows, all of them or none."""
        keyed = ((_key(text), row) for text, row in rows)
        with self._database.transaction() as db:
            # What is there is the same parse, or damaged.
            db.executemany(
                "INSERT OR REPLACE INTO parses VALUES (?, ?, ?)",
                ((key, row, self._digest(key, row.encode())) for key, row in keyed),
            )

    def close(self) -> None:
        self._database.close()


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
