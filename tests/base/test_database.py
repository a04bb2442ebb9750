"""One file, many connections, in one process and in several: nothing that was written is lost."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from hyperbaton.base.content import fingerprint
from hyperbaton.base.database import Database, Format

TABLE = "CREATE TABLE IF NOT EXISTS numbers (owner TEXT, number INTEGER)"


def opened(path: Path) -> Database:
    return Database(path.parent, path.name, Format("the file", 1, (TABLE,)))


def write(database: Database, owner: str, count: int) -> None:
    """Write numbers, fifty at a time."""
    for start in range(0, count, 50):
        with database.transaction() as db:
            rows = [(owner, number) for number in range(start, min(start + 50, count))]
            db.executemany("INSERT INTO numbers VALUES (?, ?)", rows)


def _come_and_go(path: Path) -> None:
    with closing(opened(path)) as database:
        write(database, "guest", 1_000)


def visit(path: Path) -> None:
    """Have another process open the file, write and leave."""
    guest = multiprocessing.get_context("spawn").Process(target=_come_and_go, args=(path,))
    guest.start()
    guest.join()
    assert guest.exitcode == 0


def counts(path: Path) -> dict[str, int]:
    """How many rows of each owner a sound file holds."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return dict(db.execute("SELECT owner, count(*) FROM numbers GROUP BY owner").fetchall())


def test_a_process_that_leaves_takes_nothing_with_it(tmp_path: Path) -> None:
    """Closing any descriptor of a file drops the locks of the whole process on it.

    Without its locks, the next process to leave takes itself for the last and deletes the log.
    """
    path = tmp_path / "numbers.sqlite"
    with closing(opened(path)) as one, closing(opened(path)) as two:
        for _ in range(3):
            write(one, "one", 500)
            write(two, "two", 500)
            visit(path)
    assert counts(path) == {"guest": 3_000, "one": 1_500, "two": 1_500}


def test_a_connection_may_be_closed_beside_another(tmp_path: Path) -> None:
    path = tmp_path / "numbers.sqlite"
    with closing(opened(path)) as one:
        for _ in range(3):
            with closing(opened(path)) as two:
                write(two, "two", 500)
            write(one, "one", 500)
            visit(path)
    assert counts(path) == {"guest": 3_000, "one": 1_500, "two": 1_500}


def test_a_folder_with_the_file_can_be_fingerprinted(tmp_path: Path) -> None:
    """A command may name the folder of the store: reading the file would close it again."""
    path = tmp_path / "numbers.sqlite"
    (tmp_path / "model.bin").write_bytes(b"weights")
    with closing(opened(path)) as one:
        marks = set()
        for _ in range(3):
            write(one, "one", 500)
            marks.add(fingerprint([tmp_path]))
            assert fingerprint([path]) == fingerprint([])
            visit(path)
        assert len(marks) == 1
        (tmp_path / "model.bin").write_bytes(b"others")
        assert fingerprint([tmp_path]) not in marks
    assert counts(path) == {"guest": 3_000, "one": 1_500}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_connection_is_not_carried_into_a_child(tmp_path: Path) -> None:
    """SQLite's locks and its view of the log belong to the process that made them."""
    path = tmp_path / "numbers.sqlite"
    with closing(opened(path)) as one:
        write(one, "one", 500)
        before = one._db
        child = os.fork()
        if child == 0:
            try:
                write(one, "child", 500)
                carried = one._db is before
                one.close()
            finally:
                os._exit(1 if carried else 0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        visit(path)
        write(one, "one", 500)
        assert one._db is before
    assert counts(path) == {"guest": 1_000, "one": 1_000, "child": 500}


def test_threads_that_create_the_file_at_the_same_moment(tmp_path: Path) -> None:
    def work(owner: str) -> None:
        with closing(opened(path)) as database:
            gate.wait()
            write(database, owner, 200)

    for turn in range(5):
        path = tmp_path / f"numbers{turn}.sqlite"
        gate = threading.Barrier(4)
        threads = [threading.Thread(target=work, args=(str(n),)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts(path) == {str(n): 200 for n in range(4)}
