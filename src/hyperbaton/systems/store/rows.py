"""The tables of the store: answers with digests, and the upgrade of earlier versions."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Iterator

from hyperbaton.base.database import Format, RowDigest
from hyperbaton.base.wording import counted
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store import claims
from hyperbaton.systems.system import Translation

_log = logging.getLogger(__name__)

VERSION = 3
_TRANSLATIONS = """
CREATE TABLE IF NOT EXISTS translations (
    system INTEGER NOT NULL, text BLOB NOT NULL, output TEXT, fault TEXT NOT NULL,
    digest BLOB NOT NULL, PRIMARY KEY (system, text)
) WITHOUT ROWID
"""
_SYSTEMS = """
CREATE TABLE IF NOT EXISTS systems (
    id INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE, used REAL NOT NULL
)
"""
REPLACE = "INSERT OR REPLACE INTO translations VALUES (?1, ?2, ?3, ?4, ?5)"
SAVE = """
INSERT INTO translations VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE
SET output = excluded.output, fault = excluded.fault, digest = excluded.digest
WHERE translations.output IS NULL OR translations.digest IS NOT row_digest(
    ?6, ?2, CAST(translations.output AS BLOB), CAST(translations.fault AS BLOB)
)
"""
"""A translation is not overwritten by a later one or by a fault; faults and damaged rows are."""
CELLS = "CAST(text AS BLOB), CAST(output AS BLOB), CAST(fault AS BLOB)"
"""As bytes, since what was damaged may not be text."""
DAMAGED_ROWS = """
SELECT count(*) FROM translations LEFT JOIN systems ON systems.id = system
WHERE signature IS NULL OR digest IS NOT row_digest(
    CAST(signature AS BLOB), CAST(text AS BLOB), CAST(output AS BLOB), CAST(fault AS BLOB)
)
"""
_MANY = 100_000
"""Rows whose upgrade takes so long that it is announced."""
_SOME = 10_000


def rows_of(
    system: int, signature: str, answers: Iterable[tuple[bytes, Translation]]
) -> Iterator[tuple[int, bytes, str | None, str, bytes]]:
    """Answers as rows, in the order of the table."""
    digest = RowDigest(signature)
    for key, answer in answers:
        output = None if answer.text is None else answer.text.encode()
        yield system, key, answer.text, answer.fault, digest(key, output, answer.fault.encode())


def answer_in(
    right: RowDigest | None,
    key: bytes,
    output: bytes | None,
    fault: bytes | None,
    digest: bytes | None = None,
) -> Translation | None:
    """The answer in a row; None where it is not what was written.

    Rows of earlier versions have no digest, and none is asked for without `right`.
    """
    if right is not None and digest != right(key, output, fault or b""):
        return None
    try:
        text = None if output is None else output.decode()
        answer = Translation(text, (fault or b"").decode())
    except UnicodeDecodeError:
        return None
    return sound(answer) if right is None else answer


def _upgrade(db: sqlite3.Connection) -> None:
    """Give every row of an earlier version its digest, and the form that answers have today."""
    if "digest" in {column[1] for column in db.execute("PRAGMA table_info(translations)")}:
        return
    ((count,),) = db.execute("SELECT count(*) FROM translations")
    if count > _MANY:
        _log.warning("hyperbaton: upgrading the store of %s, once", counted(count, "translation"))
    db.execute("ALTER TABLE translations RENAME TO earlier")
    db.execute(_TRANSLATIONS)
    for system, signature in db.execute("SELECT id, signature FROM systems").fetchall():
        some = f"SELECT {CELLS} FROM earlier WHERE system = ? ORDER BY text LIMIT {_SOME}"
        # Some rows at a time, so that the new ones go where the old ones were.
        while rows := db.execute(some, (system,)).fetchall():
            read = ((row[0], answer_in(None, *row)) for row in rows)
            answers = ((key, answer) for key, answer in read if answer is not None)
            db.executemany(REPLACE, rows_of(system, signature, answers))
            done = "DELETE FROM earlier WHERE system = ? AND text <= ?"
            if not db.execute(done, (system, rows[-1][0])).rowcount:
                break  # a damaged key
    ((kept,),) = db.execute("SELECT count(*) FROM translations")
    if kept < count:
        _log.warning("hyperbaton: the store lost %s", counted(count - kept, "damaged row"))
    db.execute("DROP TABLE earlier")


FORMAT = Format("the store", VERSION, (_SYSTEMS, _TRANSLATIONS, claims.TABLE), _upgrade)
