"""Damaged stores of translations: no other translation without a word, and a repair that holds."""

from __future__ import annotations

import io
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.base.database import complaint
from hyperbaton.base.database_repair import repair
from hyperbaton.cli.verbs.cache import show
from hyperbaton.systems.store.salvage import StoreSalvage
from hyperbaton.systems.store.store import FILE, Store
from hyperbaton.systems.system import Translation

__all__ = ["read_store", "stores"]

SYSTEMS = ("copy|en-de", "gloss|en-de|content:1234")
ANSWERS = {f"text {n}": Translation(f"Übersetzung {n} " + "x" * (n * n)) for n in range(30)} | {
    "failed": Translation(None, "busy"),
    "empty": Translation(""),
}


def read_store(path: Path) -> None:
    """Look everything up, write, repair and look again; a changed answer is a fault of ours."""
    folder = _placed(path)
    try:
        _use(folder)
    finally:
        with _quietly():
            repair(folder / FILE, StoreSalvage())
        if complaint(folder / FILE):
            raise AssertionError("the repaired store is not sound")
        if _use(folder) != ANSWERS:
            raise AssertionError("what was saved is not there")


def _use(folder: Path) -> dict[str, Translation]:
    """What is found once everything was saved; none of it may be another answer."""
    with _quietly(), Store(folder) as store:
        for system in SYSTEMS:
            _compare(store.lookup(system, ANSWERS))
        with redirect_stdout(io.StringIO()):
            show(store)
        store.damaged_rows()
        store.claim(SYSTEMS[0], ANSWERS)
        store.save(SYSTEMS[0], ANSWERS)
        return _compare(store.lookup(SYSTEMS[0], ANSWERS))


def _compare(found: dict[str, Translation]) -> dict[str, Translation]:
    changed = {text: answer for text, answer in found.items() if answer != ANSWERS[text]}
    if changed:
        raise AssertionError(f"the damaged store changed {changed}")
    return found


def _placed(path: Path) -> Path:
    """A folder in which these bytes are the store, and nothing else is."""
    folder = path.with_name("store")
    folder.mkdir(exist_ok=True)
    for left in folder.rglob("*"):
        if left.is_file():
            left.unlink()
    (folder / FILE).write_bytes(path.read_bytes())
    return folder


@contextmanager
def _quietly() -> Iterator[None]:
    """Without the warnings, which are what is to come."""
    log = logging.getLogger("hyperbaton.systems")
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(logging.NOTSET)


def stores() -> tuple[bytes, ...]:
    """A store in small pages, so that a mutation meets every part of it, and one in usual pages."""
    with TemporaryDirectory() as name:
        path = _filled(Path(name))
        usual = path.read_bytes()
        _shrink(path)
        return path.read_bytes(), usual


def _filled(folder: Path) -> Path:
    with Store(folder) as store:
        for system in SYSTEMS:
            store.save(system, ANSWERS)
    return store.path


def _shrink(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA page_size = 512")
        db.execute("VACUUM")
