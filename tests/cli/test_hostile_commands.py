"""Generated command lines: no traceback, no hang, and the exit status that is documented."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from hyperbaton.cli.main import main
from tests.cli.hostile import command_lines, lay_out

COUNT = 300
LIMIT = 60
"""Seconds: six times what is promised, since other tests may be running on the machine."""


class Hang(BaseException):
    """A command took too long."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Break off what takes longer, where the system has alarms."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Hang

    if not hasattr(signal, "SIGALRM"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(4))
def test_generated_command_lines(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "deep" / "er"
    folder.mkdir(parents=True)
    lay_out(folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HYPERBATON_CACHE", str(folder / "cache"))
    monkeypatch.setenv("BROWSER", "true")
    wrong = []
    for words in command_lines(COUNT // 4, seed):
        stream = io.BufferedReader(io.BytesIO(b"Tom goes home.\n"))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        try:
            with limited(LIMIT):
                status: object = main(words)
        except Hang:
            status = "hangs"
        error = capfd.readouterr().err
        fine = status in (0, 1, 2) and "Traceback" not in error and "\x1b" not in error
        if not fine or "probably a bug" in error or (status == 2 and not error):
            wrong.append(f"{status} {[word[:80] for word in words]}\n    {error[-400:]}")
    assert not wrong, f"{len(wrong)} of {COUNT // 4}\n" + "\n".join(wrong)
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]  # nothing was written outside
