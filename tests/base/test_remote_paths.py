"""Addresses of object stores as paths."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.base.files import write_text
from hyperbaton.base.remote_paths import RemotePath, _system, place
from hyperbaton.cli.main import main


@pytest.fixture
def memory() -> Iterator[Path]:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    yield place("memory://bucket/runs")
    fsspec.filesystem("memory").store.clear()


def test_a_folder_stays_a_path() -> None:
    assert type(place("runs/a")) is type(Path())
    assert place("file:///runs/a") == Path("/runs/a")
    assert place(Path("runs")) == Path("runs")


def test_files_are_written_found_and_removed(memory: Path) -> None:
    path = memory / "probes" / "en-de" / "part-00001.parquet"
    assert str(path) == "memory://bucket/runs/probes/en-de/part-00001.parquet"
    assert not path.exists()
    write_text(path, "one")
    write_text(memory / "run.json", "two")
    assert path.is_file()
    assert path.parent.is_dir()
    assert path.read_text() == "one"
    with path.open("rb") as file:
        file.seek(1)
        assert file.read() == b"ne"
    assert [one.name for one in memory.iterdir()] == ["probes", "run.json"]
    assert list(memory.rglob("*.parquet")) == list(memory.glob("*/*/part-*.parquet")) == [path]
    assert path.stat().st_size == 3
    assert path.stat().st_mtime > 0
    assert path.relative_to(memory).parts == ("probes", "en-de", "part-00001.parquet")
    again = pickle.loads(pickle.dumps(path))  # noqa: S301 - our own
    assert isinstance(again, RemotePath)
    assert again.read_bytes() == b"one"
    path.unlink()
    path.unlink(missing_ok=True)
    assert not path.exists()


def test_what_a_file_system_complains_of_is_an_os_error(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise RuntimeError("no such\nkey")

    monkeypatch.setattr(_system("memory"), "cat_file", refuse, raising=False)
    with pytest.raises(OSError, match="no such key"):
        (memory / "run.json").read_bytes()


def test_an_unknown_address_is_one_sentence(memory: Path) -> None:
    with pytest.raises(HyperbatonError) as caught:
        place("s4://bucket/runs").exists()
    assert str(caught.value) == (
        "'s4://' is no address that fsspec knows: write a folder, or one of s3://, gs://, az://"
    )


@pytest.mark.parametrize("package", ["fsspec", "s3fs"])
def test_without_the_package_the_sentence_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if package == "s3fs":
        pytest.importorskip("fsspec", reason="fsspec is not installed")
    _system.cache_clear()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra) as caught:
        place("s3://bucket/runs").exists()
    assert str(caught.value) == f"{package} is not installed: pip install 'hyperbaton[s3]'"


@pytest.mark.parametrize(
    "words",
    [
        ("translate", "--system", "copy", "-l", "en-de", "-o", "s3://bucket/a.txt"),
        ("perturb", "-l", "en", "--parser", "plain", "--with", "reversed", "-o", "gs://bucket/a"),
        ("report", "runs/a", "--out", "s3://bucket/report.html"),
        ("train", "steering", "--pair", "en-de", "a.tsv", "--out", "az://rows/de"),
    ],
    ids=lambda words: words[0],
)
def test_an_address_never_becomes_a_folder_of_that_name(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(list(words)) == 2
    assert f"{words[-1]}: only whole runs can be kept there" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
