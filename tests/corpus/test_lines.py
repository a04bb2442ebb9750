"""Lines come one by one from anything that holds them, and what is wrong is named."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.lines import read_lines

TEXT = "".join(f"{i}\tcafé 猫 {i * 7919}\n" for i in range(20_000))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
}


def zstd(data: bytes) -> bytes:
    compressed = pytest.importorskip("zstandard").compress(data)
    assert isinstance(compressed, bytes)
    return compressed


PACKERS["zst"] = zstd


@pytest.mark.parametrize("name", PACKERS)
def test_compressed_files_read_like_plain_ones(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt.{name}"
    path.write_bytes(PACKERS[name](TEXT.encode()))
    assert "".join(line.text + "\n" for line in read_lines(path)) == TEXT


@pytest.mark.parametrize("name", PACKERS)
def test_files_of_several_parts_are_read_to_the_end(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt.{name}"
    path.write_bytes(PACKERS[name](b"one\ntw") + PACKERS[name](b"o\nthree\n"))
    assert [line.text for line in read_lines(path)] == ["one", "two", "three"]


@pytest.mark.parametrize("name", PACKERS)
def test_a_cut_compressed_file_is_an_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.txt.{name}"
    packed = PACKERS[name](TEXT.encode())
    path.write_bytes(packed[: len(packed) - 20])
    with pytest.raises(HyperbatonError, match=rf"a\.txt\.{name}: cannot read past line \d+"):
        list(read_lines(path))


def test_a_spoilt_compressed_file_is_an_error(tmp_path: Path) -> None:
    packed = bytearray(zstd(TEXT.encode()))
    packed[len(packed) // 2] ^= 0xFF
    packed[len(packed) // 2 + 1] ^= 0xFF
    path = tmp_path / "a.zst"
    path.write_bytes(bytes(packed))
    with pytest.raises(HyperbatonError, match=r"a\.zst: cannot read past line"):
        list(read_lines(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (b"a\nb", gzip.compress(b"a\nb")):
        raw = io.BufferedReader(io.BytesIO(data))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(raw))
        assert [line.text for line in read_lines("-")] == ["a", "b"]


def test_marks_of_other_systems_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "dos.txt"
    path.write_bytes("\ufeffeins\r\nzwei\u2028drei\r\n\r\n".encode())
    assert [line.text for line in read_lines(path)] == ["eins", "zwei\u2028drei", ""]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"good\nna\xefve\n", r"line 2, byte 3: not UTF-8 \(0xef\)"),
        ("x\n".encode("utf-16"), "is UTF-16"),
    ],
)
def test_bad_bytes(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    with pytest.raises(HyperbatonError, match=rf"bad\.txt.*{message}"):
        list(read_lines(path))


def test_missing_file_and_directory(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"none\.txt: no such file"):
        list(read_lines(tmp_path / "none.txt"))
    with pytest.raises(HyperbatonError, match="is a directory"):
        list(read_lines(tmp_path))


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.corpus.lines.LONGEST_LINE", 1 << 20)
    path = tmp_path / "one.txt"
    path.write_bytes(b"x" * (1 << 21))
    with pytest.raises(HyperbatonError, match="line 1 is longer than 1 MiB"):
        list(read_lines(path))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "large.txt.gz"
    line = ("Tom said something " * 500).encode() + b"\n"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(128):
            file.write(line * 100)
    size = len(line) * 12_800
    assert size > 100_000_000
    tracemalloc.start()
    count = sum(1 for _ in read_lines(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 12_800
    assert peak < 2_000_000
