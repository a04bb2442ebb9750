"""Files are written whole or not at all, and only regular files are replaced."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_path, atomic_write, write_bytes, write_text


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    with pytest.raises(TypeError), atomic_write(path) as file:
        file.writelines([b"half", None])  # type: ignore[list-item]
    assert list(path.parent.iterdir()) == []
    write_text(path, "ganz")
    assert path.read_text() == "ganz"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_file_that_finds_no_room_is_named(number: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(OSError, match=f"{path}'$") as caught, atomic_write(path):
        raise OSError(number, os.strerror(number))
    assert (caught.value.errno, caught.value.filename) == (number, str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a power cut leaves is the old file or the new one: the rest is up to the system."""
    done: list[tuple[str, int]] = []
    replace = os.replace

    def synced(handle: int) -> None:
        done.append(("sync", os.fstat(handle).st_ino))

    def replaced(source: str, target: str) -> None:
        done.append(("replace", os.stat(source).st_ino))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    write_text(tmp_path / "file", "whole")
    file, folder = (tmp_path / "file").stat().st_ino, tmp_path.stat().st_ino
    assert done == [("sync", file), ("replace", file), ("sync", folder)]


def test_permissions_of_a_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "new")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.chmod(0o640)
    write_text(path, "newer")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_text()) == (0o640, "newer")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    write_text(link, "made")  # the link led nowhere before
    assert link.is_symlink()
    assert target.read_text() == "made"
    target.chmod(0o600)
    write_text(link, "replaced")
    assert link.is_symlink()
    assert target.read_text() == "replaced"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["link", "target", "there"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(fifo.read_bytes()))
    reader.start()
    write_bytes(fifo, b"through" * 50_000)
    reader.join()
    assert heard == [b"through" * 50_000]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there are no device nodes here")
def test_a_device_is_written_to(tmp_path: Path) -> None:
    write_text(Path("/dev/null"), "away")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    write_text(link, "away")
    assert link.is_symlink()
    assert stat.S_ISCHR(link.stat().st_mode)
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_a_terminal_is_written_to(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    try:
        write_text(Path(os.ttyname(slave)), "hello")
        assert os.read(master, 100) == b"hello"
        assert stat.S_ISCHR(os.stat(os.ttyname(slave)).st_mode)
    finally:
        os.close(master)
        os.close(slave)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no /dev/stdout here")
def test_standard_output_by_its_path_is_added_to(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    code = "from hyperbaton.base.files import *; write_text(Path('/dev/stdout'), 'after\\n')"
    with log.open("a") as file:
        subprocess.run(
            [sys.executable, "-c", f"from pathlib import Path; {code}"], stdout=file, check=True
        )
    assert log.read_text() == "before\nafter\n"


def test_a_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="is a folder: name a file"):
        write_text(tmp_path, "no")
    with pytest.raises(HyperbatonError, match="is a folder"), atomic_path(tmp_path):
        pass


def test_a_long_name_is_no_longer_for_a_while(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)
    write_text(path, "fits")
    assert path.read_text() == "fits"
