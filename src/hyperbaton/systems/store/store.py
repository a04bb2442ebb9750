"""The store: what any system ever answered, by signature and text, so that none is paid twice."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from hyperbaton.base.database import Database, Format, Mode, RowDigest, Unusable
from hyperbaton.base.files import cache_folder
from hyperbaton.base.wording import counted
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store import claims
from hyperbaton.systems.system import Translation, Translator

_log = logging.getLogger(__name__)

FILE = "translations.sqlite"
_TERMS = ""
"""The text for which no system is ever asked: its answer holds the terms of a server."""

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
_REPLACE = "INSERT OR REPLACE INTO translations VALUES (?1, ?2, ?3, ?4, ?5)"
_SAVE = """
INSERT INTO translations VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE
SET output = excluded.output, fault = excluded.fault, digest = excluded.digest
WHERE translations.output IS NULL OR translations.digest IS NOT row_digest(
    ?6, ?2, CAST(translations.output AS BLOB), CAST(translations.fault AS BLOB)
)
"""
"""A translation is not overwritten by a later one or by a fault; faults and damaged rows are."""
_CELLS = "CAST(text AS BLOB), CAST(output AS BLOB), CAST(fault AS BLOB)"
"""As bytes, since what was damaged may not be text."""
_DAMAGED_ROWS = """
SELECT count(*) FROM translations LEFT JOIN systems ON systems.id = system
WHERE signature IS NULL OR digest IS NOT row_digest(
    CAST(signature AS BLOB), CAST(text AS BLOB), CAST(output AS BLOB), CAST(fault AS BLOB)
)
"""
_FORMAT = Format("the store", VERSION, (_SYSTEMS, _TRANSLATIONS, claims.TABLE))


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
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def working_store(directory: Path | None = None) -> Store:
    """The store in a folder; where it cannot be written, a warning and one that is read at most."""
    try:
        return Store(directory)
    except Unusable as error:
        unusable = error
    try:
        store = Store(directory, "read")
    except Unusable:
        store = Store(directory, "memory")
    store.give_up(unusable)
    return store


class Store:
    """The translations in one folder; open it once per process and thread."""

    def __init__(
        self, directory: Path | None = None, mode: Mode = "write", lease: float = claims.LEASE
    ) -> None:
        self._database = Database(directory or cache_folder(), FILE, _FORMAT, mode)
        self.path = self._database.path
        self._claims = claims.Claims(self._database, lease)
        self._systems: dict[str, int] = {}
        self.writable = mode == "write"
        """Whether answers are kept; false once that has failed."""

    def give_up(self, error: Unusable) -> None:
        """Say once why nothing is kept from now on; what is asked of the store is the same."""
        self.writable = False
        _log.warning("hyperbaton: %s; translations are not stored", error)

    def lookup(self, signature: str, texts: Iterable[str]) -> dict[str, Translation]:
        """What is stored for these texts, faults too."""
        ids = {text_id(text): text for text in texts}
        return {ids[i]: answer for i, answer in self.lookup_ids(signature, list(ids)).items()}

    def lookup_ids(self, signature: str, ids: Sequence[str]) -> dict[str, Translation]:
        """As `lookup`, with the ids of the texts in their place.

        A damaged row counts as absent, with a warning.
        """
        system = self._find(signature)
        if system is None:
            return {}
        rows = self._database.among(
            f"SELECT {_CELLS}, digest FROM translations WHERE system = ? AND text",
            [bytes.fromhex(i) for i in ids],
            (system,),
        )
        right = RowDigest(signature)
        wanted = set(ids)
        answers, damaged = {}, 0
        for row in rows:
            answer = answer_in(right, *row)
            if answer is None:
                damaged += 1
            elif (key := row[0].hex()) in wanted:
                answers[key] = answer
        if damaged:
            self._database.check()
            _log.warning(
                "hyperbaton: the store %s holds %s, taken as not translated; repair it with: %s",
                self.path,
                counted(damaged, "damaged row"),
                self._database.repair,
            )
        return answers

    def save(
        self, signature: str, answers: Mapping[str, Translation], replace: bool = False
    ) -> None:
        """Keep these answers, all or none, made `sound`; a translation that is there stays."""
        self.save_ids(signature, {text_id(text): a for text, a in answers.items()}, replace)

    def save_ids(
        self, signature: str, answers: Mapping[str, Translation], replace: bool = False
    ) -> None:
        """As `save`, with the ids of the texts in their place; our claims on them end."""
        with self._database.transaction() as db:
            system = self._enter(signature)
            keyed = [(bytes.fromhex(i), sound(answer)) for i, answer in answers.items()]
            rows = _rows_of(system, signature, keyed)
            if replace:
                db.executemany(_REPLACE, rows)
            else:
                db.executemany(_SAVE, ((*row, signature) for row in rows))
            self._claims.drop(db, system, (key for key, _ in keyed))

    def claim(self, signature: str, texts: Iterable[str]) -> set[str]:
        """Claim texts before they are sent: those that no other process is translating.

        A claim ends when its text is saved, with `release`, with the process, and with the lease of
        a process that was stopped.
        """
        keys = {bytes.fromhex(text_id(text)): text for text in texts}
        with self._database.transaction() as db:
            ours = self._claims.take(db, self._enter(signature), list(keys))
        return {keys[key] for key in ours}

    def claimed_elsewhere(self, signature: str, texts: Iterable[str]) -> set[str]:
        """Those of these texts that another living process is translating."""
        keys = {bytes.fromhex(text_id(text)): text for text in texts}
        system = self._find(signature)
        return {keys[key] for key in self._claims.held(system, list(keys))} if system else set()

    def release(self) -> None:
        """End all our claims."""
        self._claims.drop_all()

    def changes(self) -> int:
        """A number that changes when another process has written."""
        return self._database.changes()

    def holdings(self) -> list[Holding]:
        """What is held of each system, the last written first."""
        rows = self._database.query(
            "SELECT signature, count(output), sum(output IS NULL), used "
            "FROM systems JOIN translations ON systems.id = system "
            "GROUP BY systems.id ORDER BY used DESC"
        )
        if not all(isinstance(row[0], str) and isinstance(row[3], float | int) for row in rows):
            raise self._database.damaged("a system without a name or a date")
        return [Holding(*row) for row in rows]

    def damaged_rows(self) -> int:
        """How many rows are not what was written; all are looked at."""
        ((count,),) = self._database.query(_DAMAGED_ROWS)
        return int(count)

    def clear(self, containing: str = "", only_faults: bool = False) -> int:
        """Forget what is held of the systems whose signature contains a text; how many went."""
        condition = " AND output IS NULL" if only_faults else ""
        with self._database.transaction() as db:
            gone = db.execute(
                "DELETE FROM translations WHERE system IN "
                "(SELECT id FROM systems WHERE instr(signature, ?))" + condition,
                (containing,),
            ).rowcount
        # The numbers of the systems stay: another process may be writing under one.
        self._database.query("VACUUM")
        return gone

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(Unusable):
            self.release()
        self._claims.close()
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _find(self, signature: str) -> int | None:
        if signature not in self._systems:
            rows = self._database.query("SELECT id FROM systems WHERE signature = ?", (signature,))
            if not rows:
                return None
            self._systems[signature] = self._number(rows[0][0])
        return self._systems[signature]

    def _enter(self, signature: str) -> int:
        ((number,),) = self._database.query(
            "INSERT INTO systems (signature, used) VALUES (?, ?) "
            "ON CONFLICT DO UPDATE SET used = excluded.used RETURNING id",
            (signature, time.time()),
        )
        return self._number(number)

    def _number(self, value: object) -> int:
        if not isinstance(value, int):
            raise self._database.damaged("a system without a number")
        return value


def _rows_of(
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


def recall_terms(translator: Translator, store: Store | None) -> None:
    """Have a translator ask on the terms that its server is known for."""
    if translator.negotiable and store is not None:
        terms = store.lookup(translator.signature, [_TERMS]).get(_TERMS)
        if terms is not None and terms.text:
            translator.agree(terms.text)


def remember_terms(signature: str, terms: str, store: Store | None) -> None:
    """Keep the terms for the next time that the same is asked for."""
    if store is not None and store.writable:
        try:
            store.save(signature, {_TERMS: Translation(terms)}, replace=True)
        except Unusable as error:
            store.give_up(error)
