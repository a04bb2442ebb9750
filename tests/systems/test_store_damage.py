"""A damaged store never gives another translation without a word, and keeps what is sound."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import FILE, Store, text_id
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
