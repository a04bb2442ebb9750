"""The store: what goes in comes out, whoever else is writing."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import sound
from hyperbaton.systems.store.store import FILE, VERSION, Store, text_id, working_store
from hyperbaton.systems.system import Translation
from tests.systems.fakes import Fake


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.text(), st.text()))
def test_what_is_saved_is_found_under_its_system_only(
    tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]
) -> None:
    answers = {text: sound(Translation(output)) for text, output in texts.items()}
    with Store(tmp_path_factory.mktemp("store")) as store:
        store.save("one", {text: Translation(output) for text, output in texts.items()})
        assert store.lookup("one", texts) == answers
        assert store.lookup("two", texts) == {}


def test_many_texts_are_found_at_once(tmp_path: Path) -> None:
    answers = {f"text {n}": Translation(str(n)) for n in range(2_345)}
    with Store(tmp_path) as store:
        store.save("s", answers)
        assert store.lookup("s", [*answers, "another"]) == answers


def test_a_translation_stays_and_a_fault_gives_way(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save("s", {"a": Translation(None, "busy"), "b": Translation("B")})
        store.save("s", {"a": Translation("A"), "b": Translation(None, "busy")})
        assert store.lookup("s", "ab") == {"a": Translation("A"), "b": Translation("B")}
        store.save("s", {"b": Translation("C")})
        assert store.lookup("s", "b") == {"b": Translation("B")}
        store.save("s", {"b": Translation("C")}, replace=True)
        assert store.lookup("s", "b") == {"b": Translation("C")}


def test_holdings_and_clearing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save("ct2:a|en-de", {"x": Translation("y"), "z": Translation(None, "no")})
        store.save("hf:b|en-de", {"x": Translation("w")})
        held = {h.signature: (h.translations, h.faults) for h in store.holdings()}
        assert held == {"ct2:a|en-de": (1, 1), "hf:b|en-de": (1, 0)}
        assert store.clear(only_faults=True) == 1
        assert store.clear("hf:") == 1
        assert store.lookup("ct2:a|en-de", "xz") == {"x": Translation("y")}
        assert store.clear() == 1
        assert store.holdings() == []
        store.save("hf:b|en-de", {"x": Translation("w")})
        assert store.lookup("hf:b|en-de", "x") == {"x": Translation("w")}


def test_another_connection_is_noticed(tmp_path: Path) -> None:
    with Store(tmp_path) as one, Store(tmp_path) as two:
        before = one.changes()
        one.save("s", {"a": Translation("A")})
        assert one.changes() == before
        two.save("s", {"b": Translation("B")})
        assert one.changes() != before
        assert one.lookup("s", "ab") == {"a": Translation("A"), "b": Translation("B")}


def _open_and_save(directory: Path, number: int) -> None:
    with Store(directory) as store:
        for n in range(50):
            store.save("s", {f"{number}-{n}": Translation(str(n))})


def test_processes_that_create_the_store_at_the_same_moment(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_open_and_save, args=(tmp_path, n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    with Store(tmp_path) as store:
        assert store.holdings()[0].translations == 200


@pytest.mark.parametrize("kind", ["garbage", "folder", "earlier version", "later version"])
def test_a_store_that_cannot_be_used_is_named(tmp_path: Path, kind: str) -> None:
    path = tmp_path / FILE
    if kind == "garbage":
        path.write_bytes(b"not a database at all, but long enough to be read as one" * 40)
    elif kind == "folder":
        path.mkdir()
    else:
        with sqlite3.connect(path) as db:
            db.execute(f"PRAGMA user_version = {2 if kind == 'earlier version' else 99}")
    with pytest.raises(HyperbatonError, match=r"store .*translations\.sqlite.*--cache "):
        Store(tmp_path)


def fill(store: Store) -> None:
    """Let the file grow no more, as on a full disk."""
    ((pages,),) = store._database.query("PRAGMA page_count")
    store._database.query(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_is_a_sentence_and_harms_nothing(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.save("s", {"a": Translation("A")})
        fill(store)
        with pytest.raises(HyperbatonError, match="full"):
            store.save("s", {f"{n}": Translation("x" * 1000) for n in range(100)})
        assert store.lookup("s", ["a", "0"]) == {"a": Translation("A")}


def test_the_id_of_a_text_is_its_content_alone() -> None:
    assert text_id("a") != text_id("a ")
    assert len({text_id(chr(n)) for n in range(32, 1000)}) == 968


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_the_store_is_readable_by_its_owner_only(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "cache"
    before = os.umask(umask)
    try:
        with Store(folder) as store:
            store.save("s", {"a": Translation("A")})
            store.claim("s", ["b"])
            made = [folder, *folder.rglob("*")]
            assert len(made) >= 5  # the folder, the file, its log and index, the claims
            assert [file for file in made if stat.S_IMODE(file.stat().st_mode) & 0o077] == []
    finally:
        os.umask(before)


def test_a_store_that_others_can_read_is_made_private(tmp_path: Path) -> None:
    Store(tmp_path).close()
    (tmp_path / FILE).chmod(0o644)
    with Store(tmp_path):
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_a_store_without_its_tables_is_damaged(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"PRAGMA user_version = {VERSION}")
    with Store(tmp_path) as store, pytest.raises(HyperbatonError, match="is damaged"):
        store.lookup("s", ["a"])


def test_translations_are_the_same_where_none_can_be_stored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    with working_store(tmp_path / "file") as store:
        for _ in range(2):
            answers = translate_all(Fake(), ["ab", "cd"], store=store)
            assert [answer.text for answer in answers] == ["ba", "dc"]
    (record,) = caplog.records
    assert "cannot use the store" in record.getMessage()
    assert "translations are not stored" in record.getMessage()


def test_a_disk_that_fills_up_is_a_warning_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [f"{n} " + "x" * 500 for n in range(200)]
    with Store(tmp_path) as store:
        store.save("fake|xx-yy", {"a": Translation("A")})
        fill(store)
        answers = translate_all(Fake(batch_tokens=2000), ["a", *texts], store=store)
        assert [answer.text for answer in answers] == ["A", *(text[::-1] for text in texts)]
    (record,) = caplog.records
    assert "full" in record.getMessage()


def test_what_a_disk_that_cannot_be_written_holds_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path) as store:
        store.save("s", {"a": Translation("A")})

    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hyperbaton.base.database._make_private", refuse)
    with pytest.raises(HyperbatonError, match="Permission denied"):
        Store(tmp_path)
    with working_store(tmp_path) as store:
        assert not store.writable
        assert store.lookup("s", ["a", "b"]) == {"a": Translation("A")}
