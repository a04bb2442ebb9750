"""A damaged store never gives another translation without a word, and keeps what is sound."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.rows import VERSION
from hyperbaton.systems.store.store import FILE, Store, text_id, working_store
from hyperbaton.systems.system import Translation
from tests.systems.fakes import Fake

SYSTEM = "fake|xx-yy"
TEXTS = [f"text number {n}" for n in range(40)]
ANSWERS = {text: Translation(text[::-1]) for text in TEXTS}


def filled(folder: Path) -> Path:
    """A store with forty translations, in its file alone."""
    with Store(folder) as store:
        store.save(SYSTEM, ANSWERS)
    return folder / FILE


def _key(text: str) -> bytes:
    return bytes.fromhex(text_id(text))


def change(path: Path, sql: str, *values: object) -> None:
    """Write past the store, as damage does."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql, values)


def looked_up(folder: Path) -> tuple[dict[str, Translation], str]:
    """What a store gives, and the sentence if it gives nothing."""
    try:
        with Store(folder) as store:
            return store.lookup(SYSTEM, TEXTS), ""
    except HyperbatonError as error:
        return {}, str(error)


DAMAGES = [
    ("output = ?", "another translation"),
    ("output = ?", b"\xff\xfe"),
    ("output = ?", 7),
    ("output = ?", None),
    ("fault = ?", "a fault"),
    ("fault = ?", 1.5),
    ("digest = ?", b""),
    ("digest = ?", "no bytes"),
    ("system = ?", 2),
]


@pytest.mark.parametrize(("setting", "value"), DAMAGES)
def test_a_damaged_row_is_told_and_translated_again(
    setting: str, value: object, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = filled(tmp_path)
    key = bytes.fromhex(text_id(TEXTS[3]))
    with Store(tmp_path) as store:
        store.save("other|xx-yy", {"another text": Translation("A")})
    change(path, f"UPDATE translations SET {setting} WHERE text = ?", value, key)
    system = "other|xx-yy" if setting.startswith("system") else SYSTEM
    with Store(tmp_path) as store:
        assert store.lookup(system, TEXTS[3:4]) == {}
        (record,) = caplog.records
        assert f"{path} holds 1 damaged row" in record.getMessage()
        assert f"hyperbaton cache repair --cache {tmp_path}" in record.getMessage()
        fake = Fake()
        fake.signature = system
        answers = translate_all(fake, TEXTS[3:5], store=store)
        assert [answer.text for answer in answers] == [text[::-1] for text in TEXTS[3:5]]
        assert TEXTS[3] in [text for batch in fake.batches for text in batch]
        caplog.clear()
        assert store.lookup(system, TEXTS[3:4]) == {TEXTS[3]: ANSWERS[TEXTS[3]]}
        assert caplog.records == []


def test_a_row_under_another_name_is_damaged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The signature is part of what a translation rests on."""
    path = filled(tmp_path)
    change(path, "UPDATE systems SET signature = ?", "fake|xx-zz")
    with Store(tmp_path) as store:
        assert store.lookup("fake|xx-zz", TEXTS) == {}
    (record,) = caplog.records
    assert "holds 40 damaged rows" in record.getMessage()


def test_no_flipped_bit_changes_a_translation(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Bits of the rows themselves, of the tree around them, and of the header."""
    path = filled(tmp_path)
    content = path.read_bytes()
    places = [
        *range(0, 100),
        *(content.index(t[::-1].encode()) for t in TEXTS),
        *random.Random(0).sample(range(100, len(content)), 300),
    ]
    told = 0
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        caplog.clear()
        for file in tmp_path.iterdir():
            file.unlink()
        path.write_bytes(damaged)
        found, said = looked_up(tmp_path)
        assert found.items() <= ANSWERS.items()
        assert not said or str(path) in said
        told += bool(said or caplog.records)
    assert told >= len(TEXTS)


def _second_version(path: Path) -> None:
    """Turn a store into one of the second version, which had no digests."""
    change(path, "CREATE TABLE second AS SELECT system, text, output, fault FROM translations")
    change(path, "DROP TABLE translations")
    change(
        path,
        "CREATE TABLE translations (system INTEGER NOT NULL, text BLOB NOT NULL, output TEXT, "
        "fault TEXT NOT NULL, PRIMARY KEY (system, text)) WITHOUT ROWID",
    )
    change(path, "INSERT INTO translations SELECT * FROM second")
    change(path, "DROP TABLE second")
    change(path, "PRAGMA user_version = 2")


def test_a_store_of_the_second_version_is_upgraded(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = filled(tmp_path)
    with Store(tmp_path) as store:
        store.save("other|xx-yy", {"a": Translation("A"), "b": Translation(None, "busy")})
    _second_version(path)
    for _ in range(2):
        with Store(tmp_path) as store:
            assert store.lookup(SYSTEM, TEXTS) == ANSWERS
            others = store.lookup("other|xx-yy", "ab")
            assert others == {"a": Translation("A"), "b": Translation(None, "busy")}
    assert caplog.records == []
    change(path, "UPDATE translations SET output = 'another' WHERE output IS NOT NULL")
    with Store(tmp_path) as store:
        assert store.lookup(SYSTEM, TEXTS) == {}
    assert len(caplog.records) == 1


def test_what_an_earlier_version_stored_in_several_lines_is_one_now(tmp_path: Path) -> None:
    path = filled(tmp_path)
    _second_version(path)
    for n, output in enumerate(("one\ntwo", "one\u2028two", "\ufeffone", "a\0b")):
        key = bytes.fromhex(text_id(TEXTS[n]))
        change(path, "UPDATE translations SET output = ? WHERE text = ?", output, key)
    with Store(tmp_path) as store:
        found = store.lookup(SYSTEM, TEXTS)
    assert [found[text].text for text in TEXTS[:4]] == ["one two", "one two", "one", None]
    assert found[TEXTS[3]].fault == "returned a NUL character"
    assert found[TEXTS[4]] == ANSWERS[TEXTS[4]]


def test_an_earlier_version_that_cannot_be_upgraded_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _second_version(filled(tmp_path))

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hyperbaton.base.database._make_private", refuse)
    with working_store(tmp_path) as store:
        assert not store.writable
        assert store.lookup(SYSTEM, [*TEXTS, "other"]) == ANSWERS
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path)
    change(path, f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(HyperbatonError, match="later version of hyperbaton; upgrade"):
        Store(tmp_path)


def test_nothing_is_called_damaged_that_a_check_finds_sound(tmp_path: Path) -> None:
    """SQLite's complaint alone is not enough: it may be about a moment that has passed."""
    path = filled(tmp_path)
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    with Store(tmp_path) as store:
        with (
            pytest.raises(HyperbatonError, match=r"cannot use the store .*malformed") as caught,
            store._database.transaction(),
        ):
            raise error
        assert "is damaged" not in str(caught.value)
        assert store.lookup(SYSTEM, TEXTS) == ANSWERS
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    with Store(tmp_path) as store, pytest.raises(HyperbatonError, match="is damaged") as caught:
        store.lookup(SYSTEM, TEXTS)
    assert "delete" not in str(caught.value)
    assert f"save what can be read with: hyperbaton cache repair --cache {tmp_path}" in str(
        caught.value
    )


def test_a_damaged_row_in_a_damaged_tree_is_an_error(tmp_path: Path) -> None:
    """What is written into such a tree might not be found again."""
    path = filled(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        ((root,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'claims'")
        db.execute("UPDATE translations SET output = 'x' WHERE text = ?", (_key(TEXTS[3]),))
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096] = 0
    path.write_bytes(content)
    with Store(tmp_path) as store, pytest.raises(HyperbatonError, match="is damaged"):
        store.lookup(SYSTEM, TEXTS)
