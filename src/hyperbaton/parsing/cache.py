"""Parses kept on disk: a text is parsed once for each parser and version, whatever follows.

One SQLite file per parser signature. A row is found by a hash of the text and holds the columns
of the sentence as JSON without its words, which are cut from the text again.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from hyperbaton.database import Database, Format
from hyperbaton.errors import HyperbatonError
from hyperbaton.files import cache_folder
from hyperbaton.parsing.parser import Parser, batched, normalise, numbered
from hyperbaton.row_digest import RowDigest
from hyperbaton.sentence import Sentence
from hyperbaton.wording import counted

__all__ = ["CachedParser", "ParseStore", "Parses", "decode", "encode", "held"]

_log = logging.getLogger(__name__)

FOLDER = "parses"
FORMAT = 1
"""Raised when the same parser would now give other sentences, or rows are written differently."""
BATCH = 512
_ABOUT = "CREATE TABLE IF NOT EXISTS about (signature TEXT PRIMARY KEY)"
_PARSES = """
CREATE TABLE IF NOT EXISTS parses (
    key BLOB PRIMARY KEY, row TEXT, digest BLOB NOT NULL
) WITHOUT ROWID
"""


def _upgrade(db: sqlite3.Connection) -> None:
    """Give every row of the first version its digest."""
    if "digest" in {column[1] for column in db.execute("PRAGMA table_info(parses)")}:
        return
    db.execute("ALTER TABLE parses RENAME TO earlier")
    db.execute(_PARSES)
    db.execute(
        "INSERT INTO parses SELECT key, row, row_digest(signature, key, CAST(row AS BLOB)) "
        "FROM earlier, about WHERE row IS NOT NULL"
    )
    db.execute("DROP TABLE earlier")


_FORMAT = Format("the parse cache", 2, (_ABOUT, _PARSES), _upgrade)


def encode(sentence: Sentence) -> str:
    """All of a parsed sentence but its text, language and id."""
    row = [
        list(map(len, sentence.words)),
        None if sentence.upos is None else "\t".join(sentence.upos),
        sentence.heads,
        None if sentence.deps is None else "\t".join(sentence.deps),
        sentence.noun_chunks,
        sentence.starts,
        sentence.scheme,
    ]
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False)


def decode(text: str, row: str, language: str, item: str) -> Sentence:
    """The sentence that `encode` took apart, given its text."""
    lengths, upos, heads, deps, chunks, starts, scheme = json.loads(row)
    words, spaces = [], []
    at = 0
    for length in lengths:
        words.append(text[at : at + length])
        at += length
        gap = text.startswith(" ", at)
        spaces.append(gap)
        at += gap
    if at != len(text):
        raise ValueError("the words do not make up the text")
    return Sentence(
        words=tuple(words),
        spaces=tuple(spaces),
        language=language,
        upos=_column(upos),
        heads=None if heads is None else tuple(heads),
        deps=_column(deps),
        noun_chunks=None if chunks is None else tuple((a, b) for a, b in chunks),
        starts=tuple(starts),
        scheme=scheme,
        id=item,
    )


def _column(joined: str | None) -> tuple[str, ...] | None:
    if joined is None:
        return None
    return tuple(joined.split("\t")) if joined else ()


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
    """What is kept in a cache folder, a file of each parser."""
    found = []
    for path in sorted((folder / FOLDER).glob("*.sqlite")):
        try:
            with closing(_opened(folder, path.name)) as database:
                ((signature,),) = database.query("SELECT signature FROM about")
                ((count,),) = database.query("SELECT count(*) FROM parses")
        except (HyperbatonError, ValueError):
            signature, count = f"{path.name}, which cannot be read", 0
        found.append(Parses(path, signature, count))
    return found


class ParseStore:
    """The rows of one parser; several processes may read and write them at once."""

    def __init__(self, folder: Path, signature: str) -> None:
        key = f"{FORMAT}|{signature}"
        slug = re.sub(r"[^\w.-]+", "-", signature.split("|")[0]).strip("-")
        digest = hashlib.blake2b(key.encode(), digest_size=6).hexdigest()
        self._database = _opened(folder, f"{slug}-{digest}.sqlite")
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
            _log.warning(
                "hyperbaton: the parse cache %s holds %s: these texts are parsed again",
                self.path,
                counted(damaged, "damaged row"),
            )
        return rows

    def put(self, rows: Iterable[tuple[str, str]]) -> None:
        """Keep rows, all of them or none."""
        keyed = [(_key(text), row) for text, row in rows]
        with self._database.transaction() as db:
            # What is there is the same parse, or damaged.
            db.executemany(
                "INSERT OR REPLACE INTO parses VALUES (?, ?, ?)",
                [(key, row, self._digest(key, row.encode())) for key, row in keyed],
            )

    def damaged(self, what: str) -> HyperbatonError:
        """The sentence for a file that holds something else than was written into it."""
        return self._database.damaged(what)

    def close(self) -> None:
        self._database.close()


def _opened(folder: Path, name: str) -> Database:
    return Database(folder, f"{FOLDER}/{name}", _FORMAT)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


class CachedParser(Parser):
    """A parser that asks its store first; the model is loaded only for texts that are new.

    A store that cannot be used costs time and nothing else: the parses are the same without it.
    """

    def __init__(self, parser: Parser, folder: Path | None = None, batch: int = BATCH) -> None:
        self.language = parser.language
        self.signature = parser.signature
        self._parser = parser
        self._batch = batch
        self._store: ParseStore | None = None
        try:
            self._store = ParseStore(folder or cache_folder(), parser.signature)
        except HyperbatonError as error:
            self._go_without(error)

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        names = numbered(ids)
        for batch in batched(map(normalise, texts), self._batch):
            rows = self._stored(batch)
            new = list(dict.fromkeys(text for text in batch if text not in rows))
            if new:
                fresh = {
                    text: encode(s) for text, s in zip(new, self._parser.parse(new), strict=True)
                }
                self._keep(fresh)
                rows |= fresh
            for text in batch:
                yield self._decoded(text, rows[text], next(names))

    def _decoded(self, text: str, row: str, item: str) -> Sentence:
        """The sentence of a row; where the row is damaged, that of the parser."""
        try:
            return decode(text, row, self.language, item)
        except (ValueError, TypeError, AttributeError, RecursionError, HyperbatonError):
            if self._store is not None:
                self._go_without(self._store.damaged("a row that is not a parse"))
            return next(iter(self._parser.parse([text], [item])))

    def _stored(self, batch: Sequence[str]) -> dict[str, str]:
        if self._store is not None:
            try:
                return self._store.get(batch)
            except HyperbatonError as error:
                self._go_without(error)
        return {}

    def _keep(self, rows: Mapping[str, str]) -> None:
        if self._store is not None:
            try:
                self._store.put(rows.items())
            except HyperbatonError as error:
                self._go_without(error)

    def _go_without(self, error: HyperbatonError) -> None:
        """Say once what is wrong, and ask the store no more."""
        self._store = None
        _log.warning("hyperbaton: %s; parses are not stored", error)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._parser.close()
