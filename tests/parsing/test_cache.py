"""Parses on disk: the same as fresh ones, safe among processes, honest about faults."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import cache_folder
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.opening import CachedParser, decode, encode
from hyperbaton.parsing.parse_store import ParseStore
from hyperbaton.parsing.parser import Parser, normalise, numbered


class Toy(Parser):
    """Every word hangs on the first; counts what it is asked."""

    language = "en"

    def __init__(self, signature: str = "toy|version:1") -> None:
        self.signature = signature
        self.asked: list[str] = []

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        for text, item in zip(map(normalise, texts), numbered(ids), strict=False):
            self.asked.append(text)
            words = tuple(text.split())
            yield Sentence(
                words,
                (True,) * (len(words) - 1) + (False,) * bool(words),
                "en",
                ("X",) * len(words),
                (0,) * len(words),
                ("dep",) * len(words),
                id=item,
            )


words = st.lists(st.text("aé犬'。😀", min_size=1, max_size=4), min_size=1, max_size=8)


@given(words, st.data())
def test_a_row_brings_the_sentence_back(forms: list[str], data: st.DataObject) -> None:
    size = len(forms)
    flags = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    sentence = Sentence(
        tuple(forms),
        (*flags[:-1], False),
        "ja",
        tuple(data.draw(st.sampled_from(["NOUN", "X"])) for _ in forms),
        tuple(data.draw(st.integers(0, size - 1)) for _ in forms),
        ("nsubj:pass",) * size,
        data.draw(st.sampled_from([None, (), ((0, 1),)])),
        (0,) if size < 2 else (0, 1),
        "ud",
    )
    assert decode(sentence.text, encode(sentence), "ja", "") == sentence


def test_a_text_is_parsed_once(tmp_path: Path) -> None:
    toy = Toy()
    with CachedParser(toy, tmp_path, batch=2) as parser:
        first = list(parser.parse(["a b", "c", "a b ", "a  b", ""], ids="vwxyz"))
        second = list(parser.parse(["c", "a b"], ids=["p", "q"]))
    assert toy.asked == ["a b", "c", ""]
    assert first == list(Toy().parse(["a b", "c", "a b", "a b", ""]))
    assert [s.id for s in first] == list("vwxyz")
    assert [s.id for s in second] == ["p", "q"]
    with CachedParser(Toy("toy|version:2"), tmp_path) as other:
        assert len(list(other.parse(["a b"]))) == 1
    assert toy.asked == ["a b", "c", ""]
    assert len(list((tmp_path / "parses").glob("*.sqlite"))) == 2


def test_it_streams(tmp_path: Path) -> None:
    toy = Toy()
    with CachedParser(toy, tmp_path, batch=2) as parser:
        stream = parser.parse(f"text {i}" for i in range(10**9))
        assert [next(stream).text for _ in range(3)] == ["text 0", "text 1", "text 2"]
    assert len(toy.asked) == 4


def _write(folder: Path, number: int) -> None:
    with CachedParser(Toy(), folder, batch=5) as parser:
        list(parser.parse(f"text {i % 50} {number * (i % 2)}" for i in range(200)))


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(tmp_path, n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    toy = Toy()
    with CachedParser(toy, tmp_path) as parser:
        list(parser.parse(f"text {i % 50} {n * (i % 2)}" for n in range(3) for i in range(50)))
    assert toy.asked == []


def _write_for_ever(folder: Path) -> None:
    with CachedParser(Toy(), folder, batch=3) as parser:
        for _ in parser.parse(f"text {i}" for i in range(10**9)):
            pass


def test_a_killed_writer_leaves_a_sound_store(tmp_path: Path) -> None:
    worker = multiprocessing.get_context("spawn").Process(target=_write_for_ever, args=(tmp_path,))
    worker.start()
    store = ParseStore(tmp_path, "toy|version:1")
    patience = time.monotonic() + 300
    while not store.get(["text 20"]) and time.monotonic() < patience:
        time.sleep(0.02)
    assert worker.pid
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    rows = store.get([f"text {i}" for i in range(21)])
    assert len(rows) == 21
    assert decode("text 20", rows["text 20"], "en", "") == next(Toy().parse(["text 20"]))
    store.put([("text 1000000000", rows["text 20"])])
    store.close()


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    store = ParseStore(tmp_path, "toy")
    store.close()
    for extra in ("-wal", "-shm"):
        Path(f"{store.path}{extra}").unlink(missing_ok=True)
    store.path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(HyperbatonError, match=r"is damaged .*: hyperbaton cache repair --cache "):
        ParseStore(tmp_path, "toy")


def test_a_schema_that_is_not_text_is_damage(tmp_path: Path) -> None:
    """SQLite quotes it in its complaint, which Python cannot read then."""
    store = ParseStore(tmp_path, "toy")
    store.close()
    content = store.path.read_bytes()
    assert content.count(b"parses") > 1
    store.path.write_bytes(content.replace(b"parses", b"\xef\xcc\xff\xfe\xfd("))
    with pytest.raises(HyperbatonError, match="is damaged"):
        ParseStore(tmp_path, "toy")


def test_a_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HyperbatonError, match="HYPERBATON_CACHE"):
        ParseStore(tmp_path / "file", "toy")


def test_a_store_that_cannot_be_used_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is a warning, once: at the start, or when the disk fills up on the way."""
    texts = ["a b", "c", "a b"]
    expected = list(Toy().parse(texts))
    (tmp_path / "file").write_text("")
    with CachedParser(Toy(), tmp_path / "file") as parser:
        assert list(parser.parse(texts)) == expected
    assert [record.message.count("parses are not stored") for record in caplog.records] == [1]
    caplog.clear()
    cached = CachedParser(Toy(), tmp_path, batch=1)
    assert cached._store is not None
    cached._store._database.query("PRAGMA query_only = ON")
    assert list(cached.parse(texts)) == expected
    assert [record.message.count("parses are not stored") for record in caplog.records] == [1]


@pytest.mark.parametrize(
    "row",
    [None, "", "{}", "[[1]]", b"\xff", "[" * 100_000, '[[9],"X",[0],"dep",null,[0],"ud"]',
     '[[1,1],5,[0,0],"dep\tdep",null,[0],"ud"]', '[[1,1],"X\tX",["0",7],"a\tb",null,[0],"ud"]'],
    ids=lambda row: repr(row)[:30],
)  # fmt: skip
def test_a_damaged_row_is_parsed_anew(
    row: str | bytes | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One helpful sentence, and the same parses as without the cache."""
    texts = ["a b", "c", "d"]
    with CachedParser(Toy(), tmp_path) as parser:
        expected = list(parser.parse(texts))
    store = ParseStore(tmp_path, Toy().signature)
    with store._database.transaction() as db:
        db.execute("UPDATE parses SET row = ?", (row,))
    store.close()
    with CachedParser(Toy(), tmp_path) as parser:
        assert list(parser.parse(texts)) == expected
        assert list(parser.parse(texts)) == expected
    (warning,) = [record.message for record in caplog.records]
    assert f"{store.path} holds 3 damaged rows: these texts are parsed again" in warning


@pytest.mark.parametrize("size", [0, 50, 4096, 5000])
def test_a_damaged_file_costs_time_only(
    size: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [f"text {n}" for n in range(300)]
    with CachedParser(Toy(), tmp_path) as parser:
        expected = list(parser.parse(texts))
        assert isinstance(parser, CachedParser)
        assert parser._store is not None
        path = parser._store.path
    content = path.read_bytes()
    path.write_bytes(content[:size])
    with CachedParser(Toy(), tmp_path) as parser:
        assert list(parser.parse(texts)) == expected
    # An empty file is an empty cache.
    assert [record.message.count("is damaged") for record in caplog.records] == [1] * (size > 0)


def test_where_it_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("HYPERBATON_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "hyperbaton"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == tmp_path / ".cache" / "hyperbaton"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == tmp_path / ".cache" / "hyperbaton"
