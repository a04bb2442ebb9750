"""Parquet that is damaged: the process that reads it lives, and says one sentence."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base import parquet
from hyperbaton.base.parquet import UnreadableParquet, parquet_schema, read_parquet, try_parquet

KEPT = Path(__file__).parents[1] / "fuzzing" / "damaged"
"""Each made the reader of Parquet panic or ask for exabytes, in a place of its own."""
FRAME = pl.DataFrame({"source": ["a cat", None, "ein Hund"], "n": [1, 2, 3]})
EXPORT = """
import sys
from hyperbaton.cli.main import main
statuses = [main(["export", file]) for file in sys.argv[1:]]
print("statuses", *statuses)
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.parquet"
    FRAME.write_parquet(path)
    return path


@pytest.fixture(autouse=True)
def _own_trial(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    trial = parquet._Trial()
    monkeypatch.setattr(parquet, "_TRIAL", trial)
    yield
    trial._end()


def test_what_was_tried_is_read(good: Path) -> None:
    for source in (good, good.read_bytes()):
        try_parquet(source)
        try_parquet(source, ["source", "no such"])
        assert list(parquet_schema(source)) == ["source", "n"]
        assert read_parquet(source).equals(FRAME)
        assert read_parquet(source, ["n"]).columns == ["n"]


@pytest.mark.parametrize("path", sorted(KEPT.glob("*/*.parquet")), ids=lambda path: path.stem)
def test_a_trial_survives_every_file(path: Path, good: Path) -> None:
    for source in (path, path.read_bytes()):
        try:
            try_parquet(source)
        except UnreadableParquet:
            continue
        read_parquet(source)  # in another version of the library it is no harm
    try_parquet(good)


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" * 9, b"\xff" * 4000])
def test_what_is_no_parquet(data: bytes) -> None:
    with pytest.raises(UnreadableParquet):
        try_parquet(data)
    with pytest.raises(UnreadableParquet):
        parquet_schema(data)
    with pytest.raises(UnreadableParquet):
        read_parquet(data)


def test_a_trial_that_does_not_end(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process is stopped, as if the file kept it busy for ever."""
    monkeypatch.setattr(parquet, "_CHILD", "import time; time.sleep(600)")
    monkeypatch.setattr(parquet, "_SECONDS", 0.2)
    with pytest.raises(UnreadableParquet, match="more memory or time than there is"):
        try_parquet(good)
    monkeypatch.undo()
    try_parquet(good)


def test_without_another_process(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    try_parquet(good)
    assert read_parquet(good).equals(FRAME)


def test_nothing_is_imported_from_the_folder_one_works_in(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("polars", "resource", "json"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w')")
    monkeypatch.chdir(tmp_path)
    try_parquet(good)
    assert not (tmp_path / "imported").exists()


def test_export_says_a_sentence(good: Path) -> None:
    files = [*sorted(KEPT.glob("*/*.parquet")), good]
    run = subprocess.run(
        [sys.executable, "-c", EXPORT, *map(str, files)], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    statuses = run.stdout.splitlines()[-1].split()[1:]
    assert len(statuses) == len(files)
    assert statuses[-1] == "0"
    assert set(statuses) <= {"0", "2"}
    for word in ("panicked", "Traceback", "probably a bug", "memory allocation"):
        assert word not in run.stderr
    sentences = [line for line in run.stderr.splitlines() if "text" not in line]
    assert sentences
    assert all("cannot be read as Parquet (" in line for line in sentences), sentences


def test_export_takes_texts_only(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hyperbaton.cli.main import main

    assert main(["export", str(good), "--format", "text"]) == 0
    assert capsys.readouterr().out == "a cat\nein Hund\n"
    assert main(["export", str(good), "--columns", "n"]) == 2
    assert "good.parquet: the column n holds Int64, not text" in capsys.readouterr().err
    assert main(["export", str(good.with_name("none.parquet"))]) == 2
    assert "there is no file" in capsys.readouterr().err
