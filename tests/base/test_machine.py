"""What the machine gives: processors, and memory that is free and in use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hyperbaton.base import processes as machine
from hyperbaton.pipeline.options import RunOptions


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
def test_the_memory_of_children_counts() -> None:
    # In a process of its own: what other tests have started grows and shrinks meanwhile.
    code = """
import subprocess, sys
from hyperbaton.base import processes as machine
before = machine.memory_in_use()
large = "data = bytearray(b'1') * 80_000_000; print(1, flush=True); input()"
pipe = subprocess.PIPE
with subprocess.Popen([sys.executable, "-c", large], stdin=pipe, stdout=pipe) as child:
    child.stdout.readline()
    print(machine.memory_in_use() - before)
    child.communicate(b"\\n")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 75_000_000 < int(done.stdout) < 200_000_000


def test_a_container_has_less_than_its_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable: 5000 kB\n")
    monkeypatch.setattr(machine, "_PROC", tmp_path)
    monkeypatch.setattr(machine, "_GROUP", tmp_path)
    assert machine.memory_free() == 5000 * 1024
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("1000\n")
    assert machine.memory_free() == 5000 * 1024
    (tmp_path / "memory.max").write_text("5000\n")
    assert machine.memory_free() == 4000
    assert machine.memory_in_use() is None


@pytest.mark.parametrize(
    ("cores", "free", "limit", "parts", "workers"),
    [
        (16, 64 << 30, None, 1000, 16),
        (16, 64 << 30, None, 24, 3),
        (16, 2 << 30, None, 1000, 3),
        (16, 64 << 30, 3 << 30, 1000, 5),
        (16, 1 << 20, None, 1000, 1),
        (4, None, None, 1000, 4),
        (4, None, None, 7, 0),
    ],
)
def test_workers_fit_the_processors_the_memory_and_the_work(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cores: int,
    free: int | None,
    limit: int | None,
    parts: int,
    workers: int,
) -> None:
    monkeypatch.setattr("hyperbaton.pipeline.options.cores", lambda: cores)
    monkeypatch.setattr("hyperbaton.pipeline.options.memory_free", lambda: free)
    monkeypatch.setattr("hyperbaton.pipeline.options.memory_in_use", lambda: 0)
    assert RunOptions(max_memory=limit).workers_for(parts) == workers
