"""Child processes say nothing on Ctrl-C, whatever they are doing, and there is one way to them."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import hyperbaton
from hyperbaton.base.processes import Children

SCRIPT = """
import sys, time
from pathlib import Path
from hyperbaton.base.processes import Children

def count(until):
    print("ready", flush=True)
    return sum(range(10**10))  # minutes in a library that does not look at signals

def work(until):
    print("ready", flush=True)
    while not Path(until).exists():
        time.sleep(0.02)
    return "done"

if __name__ == "__mp_main__" and sys.argv[1] == "starting":
    work(sys.argv[2])

if __name__ == "__main__":
    doing, until = sys.argv[1:]
    children = Children(1, start="fork" if doing == "forked" else "spawn")
    try:
        if doing == "waiting":
            children.submit(len, "abc").result()
            work(until)
        elif doing == "starting":
            children.submit(len, "abc").result()
        else:
            print(children.submit(count if doing == "counting" else work, until).result())
    except KeyboardInterrupt:
        if doing == "starting":
            Path(until).touch()
        children.close()
        print("stopped", file=sys.stderr)
"""
pytestmark = pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as POSIX does")


@contextmanager
def _started(tmp_path: Path, doing: str, ignores: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A command with a child, in a group of its own as a shell makes it, once it is ready."""
    script = tmp_path / "parent.py"
    script.write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, script, doing, tmp_path / "until"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_IGN if ignores else signal.SIG_DFL
        ),
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.killpg(process.pid, signal.SIGINT)
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("doing", ["starting", "waiting", "working", "counting", "forked"])
def test_only_the_parent_speaks(doing: str, tmp_path: Path) -> None:
    with _started(tmp_path, doing) as process:
        assert process.communicate(timeout=900) == ("", "stopped\n")


def test_who_ignores_it_is_not_interrupted(tmp_path: Path) -> None:
    with _started(tmp_path, "working", ignores=True) as process:
        (tmp_path / "until").touch()
        assert process.communicate(timeout=900) == ("done\n", "")


def test_children_look_for_garbage_as_seldom_as_their_parent() -> None:
    before = gc.get_threshold()
    gc.set_threshold(12_345, 6, 7)
    children = Children(1)
    try:
        assert children.submit(gc.get_threshold).result() == (12_345, 6, 7)
    finally:
        children.close()
        gc.set_threshold(*before)


def test_there_is_one_way_to_start_processes() -> None:
    root = Path(hyperbaton.__file__).parent
    found = {
        path.name for path in root.rglob("*.py") if "ProcessPool" + "Executor" in path.read_text()
    }
    assert found == {"processes.py"}
