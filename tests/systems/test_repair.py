"""`cache repair`: every row that can be read is saved, and the damaged file is kept."""

from __future__ import annotations

import multiprocessing
import os
import random
import sqlite3
import stat
from contextlib import closing
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from hyperbaton.base.database import complaint
from hyperbaton.base.database_repair import Pages, repair, unfinished
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.parsing.parse_store import ParseStore
from hyperbaton.systems.store.salvage import StoreSalvage
from hyperbaton.systems.store.store import FILE, Store
from hyperbaton.systems.system import Translation

PAGE = 4096
SYSTEM = "fake|xx-yy"
# Some are longer than a page, and one is longer than many.
ANSWERS = {
    f"text {n}": Translation(f"translation {n} " + "ö" * (n % 7 * 700 if n < 40 else 10))
    for n in range(2_000)
} | {"long": Translation("x" * 100_000), "failed": Translation(None, "busy")}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of several pages."""
    with Store(tmp_path) as store:
        store.save(SYSTEM, ANSWERS)
        store.save("other", {"a": Translation("A")})
    return tmp_path / FILE


def held(folder: Path, system: str = SYSTEM) -> dict[str, Translation]:
    with Store(folder) as store:
        return store.lookup(system, [*ANSWERS, "a"])


def test_a_sound_store_is_left_alone(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = path.read_bytes()
    assert main(["cache", "repair", "--cache", str(path.parent)]) == 0
    assert capsys.readouterr().out == f"{path}  is sound\n"
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_all_rows_are_found_without_the_tree(path: Path) -> None:
    with path.open("rb") as file:
        rows = [record.cells for record in Pages(file).records() if len(record.cells) == 5]
    with closing(sqlite3.connect(path)) as db:
        expected = db.execute("SELECT * FROM translations").fetchall()
    assert sorted(row for row in rows if isinstance(row[1], bytes)) == sorted(expected)


@pytest.mark.parametrize("where", ["header", "first page", "root", "leaf", "end"])
def test_what_can_be_read_is_saved(
    where: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = bytearray(path.read_bytes())
    pages = len(content) // PAGE
    with closing(sqlite3.connect(path)) as db:
        ((root,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'translations'")
    if where == "header":
        content[:100] = random.Random(0).randbytes(100)
    elif where == "first page":
        content[:PAGE] = bytes(PAGE)
    elif where == "root":
        content[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)
    elif where == "leaf":
        content[(pages - 3) * PAGE : (pages - 2) * PAGE] = b"\xff" * PAGE
    else:
        del content[-5 * PAGE :]
    path.write_bytes(content)
    assert main(["cache", "repair", "--cache", str(path.parent)]) == 0
    out = capsys.readouterr().out
    assert f"{path}  was damaged (" in out
    assert "the damaged file is kept as translations.sqlite.damaged-1" in out
    kept = path.with_name(f"{FILE}.damaged-1")
    assert kept.read_bytes() == content
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert complaint(path) == ""
    found = held(path.parent)
    assert found.items() <= ANSWERS.items()
    lost = {"header": 0, "first page": 0, "root": 60, "leaf": 200, "end": 300}[where]
    assert len(ANSWERS) - len(found) <= lost
    assert where in ("leaf", "end") or held(path.parent, "other") == {"a": Translation("A")}
    assert main(["cache", "repair", "--cache", str(path.parent)]) == 0
    assert capsys.readouterr().out == f"{path}  is sound\n"


def test_a_single_damaged_row_is_left_out(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b"translation 1500 ", b"translation 2500 "))
    assert main(["cache", "repair", "--cache", str(path.parent)]) == 0
    out = capsys.readouterr().out
    assert "was damaged (1 damaged row): 2,002 rows saved, 1 row could not be read; " in out
    assert held(path.parent) == {t: a for t, a in ANSWERS.items() if t != "text 1500"}


def test_what_is_only_in_the_log_is_saved(path: Path) -> None:
    """A process that was killed has its last rows there."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA wal_autocheckpoint = 0")
        with Store(path.parent) as store:
            store._database.query("PRAGMA wal_autocheckpoint = 0")
            store.save(SYSTEM, {f"late {n}": Translation(f"L{n}") for n in range(500)})
            files = {file: file.read_bytes() for file in path.parent.glob(f"{FILE}*")}
    for file, content in files.items():
        file.write_bytes(content)
    assert path.with_name(f"{FILE}-wal").exists()
    damaged = bytearray(files[path])
    damaged[:PAGE] = bytes(PAGE)
    path.write_bytes(damaged)
    repair(path, StoreSalvage())
    with Store(path.parent) as store:
        late = store.lookup(SYSTEM, [f"late {n}" for n in range(500)])
    assert late == {f"late {n}": Translation(f"L{n}") for n in range(500)}
    assert held(path.parent) == ANSWERS
    assert path.with_name(f"{FILE}.damaged-1-wal").exists()


def _hold(folder: Path, ready: Event, go: Event) -> None:
    with Store(folder) as store:
        store.lookup(SYSTEM, ["text 1"])
        ready.set()
        go.wait(300)


def test_a_file_in_use_is_not_touched(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    context = multiprocessing.get_context("spawn")
    ready, go = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(path.parent, ready, go))
    other.start()
    assert ready.wait(300)
    try:
        with path.open("r+b") as file:
            file.seek(-PAGE, os.SEEK_END)
            file.write(b"\xff" * PAGE)
        content = path.read_bytes()
        assert main(["cache", "repair", "--cache", str(path.parent)]) == 2
        assert f"Another process is using {path}" in capsys.readouterr().err
        assert path.read_bytes() == content
    finally:
        go.set()
        other.join()
    assert main(["cache", "repair", "--cache", str(path.parent)]) == 0
    with Store(path.parent), pytest.raises(HyperbatonError, match="in use by this process"):
        repair(path, StoreSalvage())


def test_a_repair_that_was_killed_is_finished_by_the_next(path: Path) -> None:
    """The new content was ready, and half of it was in the file."""
    content = path.read_bytes()
    unfinished(path).write_bytes(content)
    path.write_bytes(bytes(PAGE) + content[PAGE : len(content) // 2])
    repair(path, StoreSalvage())
    assert held(path.parent) == ANSWERS
    assert not unfinished(path).exists()


def test_of_two_translations_of_a_text_neither_is_taken(path: Path) -> None:
    """What a page held before it was written anew cannot be told from what it holds now."""
    older = path.read_bytes()
    unfinished(path).write_bytes(older)
    with Store(path.parent) as store:
        store.save(SYSTEM, {"text 1": Translation("another")}, replace=True)
    path.write_bytes(bytes(PAGE) + path.read_bytes()[PAGE:])
    repair(path, StoreSalvage())
    found = held(path.parent)
    assert found.pop("text 1") == Translation(
        None, "the damaged store held two translations of this text"
    )
    assert found == {text: answer for text, answer in ANSWERS.items() if text != "text 1"}


def test_damaged_parses_are_forgotten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = {f"text {n}": f"[{n}]" for n in range(3_000)}
    stores = [ParseStore(tmp_path, f"toy:parser|version:{n}") for n in range(3)]
    for store in stores:
        store.put(rows.items())
        store.close()
    torn, changed, sound = (store.path for store in stores)
    content = bytearray(torn.read_bytes())
    content[:100] = bytes(100)
    torn.write_bytes(content)
    with closing(sqlite3.connect(changed)) as db:
        db.execute("UPDATE parses SET row = 'x' WHERE key IN (SELECT key FROM parses LIMIT 2)")
        db.commit()
    assert main(["cache", "repair", "--cache", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{tmp_path / FILE}  does not exist\n")
    assert f"{torn}  was damaged (file is not a database): it is empty now" in out
    assert f"{changed}  was damaged (2 damaged rows): it is empty now" in out
    assert f"{sound}  is sound" in out
    for number, kept in enumerate((0, 0, 3_000)):
        store = ParseStore(tmp_path, f"toy:parser|version:{number}")
        assert len(store.get(list(rows))) == kept
        store.put(rows.items())
        assert store.get(list(rows)) == rows
        store.close()
