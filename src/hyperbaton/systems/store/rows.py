"""The tables of the store: answers with digests."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from hyperbaton.base.database import Format, RowDigest
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


def rows_of(
    system: int, signature: str, answers: Iterable[tuple[bytes, Translation]]
) -> Iterator[tuple[int, bytes, str | None, str, bytes]]:
    """Answers as rows, in the order of the table."""
    digest = RowDigest(signature)
    for key, answer in answers:
        output = None if answer.text is None else answer.text.encode()
        yield system, key, answer.text, answer.fault, digest(key, output, answer.fault.encode())


def answer_in(
    right: RowDigest, key: bytes, output: bytes | None, fault: bytes | None, digest: bytes
) -> Translation | None:
    """The answer in a row; None where it is not what was written."""
    if digest != right(key, output, fault or b""):
        return None
    try:
        text = None if output is None else output.decode()
        return Translation(text, (fault or b"").decode())
    except UnicodeDecodeError:
        return None


FORMAT = Format("the store", VERSION, (_SYSTEMS, _TRANSLATIONS, claims.TABLE))
