"""Where a command writes: devices, pipes, links, closed folders, full disks and terminals."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from hyperbaton.base.progress import progress
from hyperbaton.cli.main import main
from hyperbaton.cli.verbs import translate
from tests.cli.command import command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="devices and pipes are those of POSIX")

TEXT = "a red house\na blue tree\n"
VERBS: dict[str, Sequence[str]] = {
    "translate": ("translate", "--system", "copy", "-l", "en-de", "in.en", "-o"),
    "translate as jsonl": (
        *("translate", "--system", "copy", "-l", "en-de", "--format", "jsonl"),
        *("in.en", "-o"),
    ),
    "export": ("export", "in.en", "--format", "text", "-o"),
}
CONTROLS = "\x1b]0;title\x07 \x1b[2J \x9b31m \x7f \x08 end"
"""What moves a cursor, rings a bell, or names the window; \\x9b is an escape in one byte."""


@pytest.fixture(params=VERBS.values(), ids=list(VERBS))
def writing(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Sequence[str]:
    """A command that writes to a file, but for its name."""
    (tmp_path / "in.en").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    words: Sequence[str] = request.param
    return words


def left(folder: Path) -> set[str]:
    """The names that a command has added."""
    return {path.name for path in folder.iterdir()} - {"in.en", "cache"}


def test_a_device_stays_one(writing: Sequence[str], tmp_path: Path) -> None:
    assert main([*writing, "/dev/null"]) == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert left(tmp_path) == set()


def test_a_pipe_stays_one_and_is_written_to(writing: Sequence[str], tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(fifo.read_text()))
    reader.start()
    assert main([*writing, "fifo"]) == 0
    reader.join(300)
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert "a red house" in heard[0]
    assert heard[0].count("\n") == 2


def test_a_link_stays_one(writing: Sequence[str], tmp_path: Path) -> None:
    (tmp_path / "there").write_text("old")
    (tmp_path / "link").symlink_to("there")
    assert main([*writing, "link"]) == 0
    assert (tmp_path / "link").is_symlink()
    assert "a red house" in (tmp_path / "there").read_text()
    assert left(tmp_path) == {"there", "link"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_device_is_one_sentence(
    writing: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*writing, "/dev/full"]) == 2
    said = capsys.readouterr().err
    assert "/dev/full: No space left on device" in said
    assert said.count("\n") == 1
    assert left(tmp_path) == set()


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("file/below", "Not a directory"),
        ("folder", "is a folder: name a file to write"),
        ("loop", "symbolic links"),
        ("n" * 300, "File name too long"),
    ],
)
def test_a_place_that_cannot_be_written_is_one_sentence(
    place: str,
    reason: str,
    writing: Sequence[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "file").write_text("stays")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    assert main([*writing, place]) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert said.count("\n") == 1
    assert (tmp_path / "file").read_text() == "stays"
    assert left(tmp_path) == {"file", "folder", "loop"}


def test_a_read_only_disk_is_one_sentence(
    writing: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(closed)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        assert main([*writing, "closed/out"]) == 2
    finally:
        subprocess.run(["umount", str(closed)], check=True)
    said = capsys.readouterr().err
    assert "Read-only file system" in said
    assert str(closed) in said or "closed/" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("translate", "--system", "copy", "-l", "en-de", "half.jsonl"),
        ("export", "half.jsonl"),
        ("import", "half.jsonl", "--system", "recorded:x", "-l", "en-de"),
        ("import", "good.jsonl", "--sources", "half.jsonl", "--system", "recorded:x",
         "-l", "en-de"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("field", ["source", "translation"])
def test_half_a_character_is_named_with_its_line(
    field: str,
    words: Sequence[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """JSON can spell a lone surrogate, which no UTF-8 file and no store can hold."""
    good = {"source": "a", "text": "a", "translation": "b"}
    half = {**good, field: "a \ud800 b"}
    (tmp_path / "good.jsonl").write_text(json.dumps(good) + "\n")
    (tmp_path / "half.jsonl").write_text(f"{json.dumps(good)}\n{json.dumps(half)}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    assert main([*words]) == 2
    said = capsys.readouterr().err
    assert "half.jsonl" in said
    assert "line 2" in said
    assert "half a character" in said
    assert said.count("\n") == 1


def seen_in_a_terminal(words: Sequence[str], folder: Path) -> bytes:
    """What a terminal gets from a command, on both of its streams."""
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    environment = {**os.environ, "HYPERBATON_CACHE": str(folder / "cache"), "TERM": "xterm"}
    process = subprocess.Popen(
        command(*words), cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=slave, stderr=slave,
    )  # fmt: skip
    os.close(slave)
    shown = b""
    try:
        while some := os.read(master, 1 << 16):
            shown += some
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(master)
    process.wait(300)
    return shown


@pytest.mark.parametrize("form", ["text", "jsonl"])
@pytest.mark.parametrize("fails", [False, True], ids=["translated", "failed"])
def test_a_translation_cannot_command_the_terminal(form: str, fails: bool, tmp_path: Path) -> None:
    """A server may answer whatever it likes; a file gets it as it is, a person sees escapes."""
    (tmp_path / "in.en").write_text("one\n")
    (tmp_path / "evil.py").write_text(
        f"def translate(texts):\n    said = {CONTROLS!r}\n"
        + ("    raise ValueError(said)\n" if fails else "    return [said for _ in texts]\n")
    )
    words = ("translate", "--system", "python:evil:translate", "-l", "en-de", "--format", form)
    shown = seen_in_a_terminal([*words, "in.en"], tmp_path)
    text = shown.decode()
    assert "end" in text
    assert [c for c in text if c not in "\r\n" and not c.isprintable()] == []


def test_a_file_gets_a_translation_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in.en").write_text("\x9b31m \x7f end\n")
    monkeypatch.chdir(tmp_path)
    words = ("translate", "--system", "copy", "-l", "en-de", "in.en", "-o", "out")
    assert main([*words, "--no-cache"]) == 0
    assert (tmp_path / "out").read_text() == "\x9b31m \x7f end\n"


def test_the_bar_knows_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The total is that of the file, in any format; of a pipe nobody knows it."""
    totals: list[int | None] = []

    def kept(description: str, total: int | None = None) -> object:
        totals.append(total)
        return progress(description, total)

    monkeypatch.setattr(translate, "progress", kept)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    rows = "".join(json.dumps({"source": f"text {n}"}) + "\n" for n in range(7))
    (tmp_path / "in.jsonl").write_text(rows)
    (tmp_path / "in.en").write_text("x\n" * 12_345)
    for file in ("in.jsonl", "in.en"):
        assert main(["translate", "--system", "copy", "-l", "en-de", file, "-o", "out"]) == 0
    monkeypatch.setattr(translate, "_QUICKLY_COUNTED", 10)
    assert main(["translate", "--system", "copy", "-l", "en-de", "in.en", "-o", "out"]) == 0
    assert totals == [7, 12_345, None]
