"""SIGTERM and SIGHUP are as clean as Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from hyperbaton.cli.terminal.streams import Stopped, stoppable
from tests.cli.command import real_command

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the signals are those of POSIX")


def wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists() and path.read_text().strip():
            return
        time.sleep(0.1)
    raise AssertionError(f"{path} did not appear")


def running(pid: int) -> bool:
    """Whether a process is there and is no zombie that nobody has collected."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
def test_no_program_and_no_file_is_left(number: signal.Signals, code: int, tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("One.\nTwo.\n")
    started, out = tmp_path / "pid", tmp_path / "out.de"
    system = f"cmd:echo $$ > {started}; exec sleep 300"
    arguments = ("translate", "--system", system, "-l", "en-de", "-o", out, tmp_path / "a.en")
    process = subprocess.Popen(
        real_command(*arguments, "--no-cache"),
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        # Who started the tests may ignore the signal, as nohup does.
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    try:
        wait_for(started)
        process.send_signal(number)
        _, error = process.communicate(timeout=900)
    finally:
        process.kill()
    assert process.returncode == code
    assert error.splitlines()[-1].startswith("hyperbaton: stopped")
    assert "Traceback" not in error
    for _ in range(100):
        if not running(int(started.read_text())):
            break
        time.sleep(0.1)
    assert not running(int(started.read_text()))
    assert {path.name for path in tmp_path.iterdir()} == {"a.en", "pid"}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are read from /proc")
def test_a_program_ends_with_us_even_when_we_are_killed(tmp_path: Path) -> None:
    (tmp_path / "a.en").write_text("One.\n")
    started = tmp_path / "pid"
    # The shell stays, so the sleeping program is a child of it.
    system = f"cmd:sh -c 'echo $$ > {started}; exec sleep 300'; cat"
    arguments = ("translate", "--system", system, "-l", "en-de", tmp_path / "a.en", "--no-cache")
    process = subprocess.Popen(real_command(*arguments), stderr=subprocess.DEVNULL, cwd=tmp_path)
    try:
        wait_for(started)
        assert running(int(started.read_text()))
    finally:
        process.kill()
        process.wait()
    for _ in range(600):
        if not running(int(started.read_text())):
            break
        time.sleep(0.1)
    assert not running(int(started.read_text()))


def stopped_while_tidying_up() -> None:
    with stoppable():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGHUP)


def test_the_second_signal_does_not_interrupt_the_tidying_up() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    with pytest.raises(Stopped) as stopped:
        stopped_while_tidying_up()
    assert stopped.value.number == signal.SIGTERM
    assert before == {number: signal.getsignal(number) for number in before}


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
