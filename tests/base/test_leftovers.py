"""What a killed process left half-written is removed by the next one, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hyperbaton.base.files import _suffix, temporary_folder, write_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files there have no such locks")

WRITER = """
import sys
from pathlib import Path
from hyperbaton.base.files import atomic_write
with atomic_write(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
    file.write(b" and half")
"""
MAKER = """
import sys
from pathlib import Path
from hyperbaton.base.files import temporary_folder
with temporary_folder(Path(sys.argv[1]).parent, "made") as made:
    (made / "model").write_text("half")
    print("writing", flush=True)
    sys.stdin.read()
"""


@contextmanager
def writing(path: Path, code: str = WRITER) -> Iterator[subprocess.Popen[bytes]]:
    """Another process in the middle of writing a file."""
    with subprocess.Popen(
        [sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        yield process
        process.kill()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("code", [WRITER, MAKER])
def test_what_a_killed_process_left_is_removed(code: str, tmp_path: Path) -> None:
    with writing(tmp_path / "out", code) as process:
        process.kill()
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".part")
    write_text(tmp_path / "another", "whole")
    assert names(tmp_path) == ["another"]


@pytest.mark.parametrize("code", [WRITER, MAKER])
def test_what_a_living_process_writes_is_not(code: str, tmp_path: Path) -> None:
    with writing(tmp_path / "out", code) as process:
        write_text(tmp_path / "another", "whole")
        assert len(names(tmp_path)) == 2
        process.communicate(b"")
        assert process.returncode == 0
    assert names(tmp_path) == ["another", "out"] if code == WRITER else ["another"]


def test_what_is_not_ours_or_not_of_this_machine_stays(tmp_path: Path) -> None:
    others = [
        ".film.download.part",
        ".out.abcd1234.00000000.hyperbaton.part",
        f"out.abcd1234{_suffix()}",
        f".out.abcd1234{_suffix()}x",
    ]
    for name in others:
        (tmp_path / name).write_text("theirs")
    (tmp_path / f".link.abcd1234{_suffix()}").symlink_to(tmp_path / others[0])
    (tmp_path / f".dead.abcd1234{_suffix()}").write_text("ours")
    write_text(tmp_path / "out", "whole")
    assert names(tmp_path) == sorted([*others, f".link.abcd1234{_suffix()}", "out"])


def test_two_files_of_one_process_do_not_meet(tmp_path: Path) -> None:
    with temporary_folder(tmp_path, "a") as first, temporary_folder(tmp_path, "a") as second:
        assert first != second
        write_text(tmp_path / "out", "whole")
        assert first.is_dir()
        assert second.is_dir()
    assert names(tmp_path) == ["out"]


def test_a_long_name_of_wide_characters(tmp_path: Path) -> None:
    path = tmp_path / ("語" * 85)
    write_text(path, "fits")
    assert path.read_text() == "fits"
    assert names(tmp_path) == [path.name]
