"""Killed, interrupted, in company: nothing is lost and nothing is paid twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

from hyperbaton.systems.store.store import Store
from tests.cli.command import command, real_command

BATCH = 20
KILLS = 8
FAKE = """
import os, time

def translate(texts):
    log = os.open(os.environ["LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(log, "".join(text + "\\n" for text in texts).encode())
    os.close(log)
    time.sleep(float(os.environ["PAUSE"]))
    return [text[::-1] for text in texts]
"""


class _Desk:
    """A folder with a translator that logs every line it is given."""

    def __init__(self, folder: Path, lines: list[str]) -> None:
        self.folder = folder
        self.lines = lines
        self.log = folder / "log"
        (folder / "fake.py").write_text(FAKE)
        (folder / "in.txt").write_text("".join(f"{line}\n" for line in lines))

    def start(
        self,
        pause: float,
        batch: int = BATCH,
        source: str = "in.txt",
        output: str = "out.txt",
        signals: bool = False,
    ) -> subprocess.Popen[bytes]:
        spec = f"python:fake:translate(batch={batch})"
        words = ["translate", "--system", spec, "-l", "en-de", "--cache", "store", source]
        with (self.folder / output).open("wb") as out:
            return subprocess.Popen(
                real_command(*words) if signals else command(*words),
                cwd=self.folder,
                env={**os.environ, "LOG": str(self.log), "PAUSE": str(pause)},
                stdout=out,
                stderr=subprocess.PIPE,
            )

    def logged(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def stored(self) -> set[str]:
        with Store(self.folder / "store") as store:
            held = store.holdings()
            return set(store.lookup(held[0].signature, self.lines)) if held else set()

    def wait_for_log(self, longer_than: int, process: subprocess.Popen[bytes]) -> None:
        while len(self.logged()) <= longer_than and process.poll() is None:
            time.sleep(0.002)


def test_killed_at_random_moments_then_resumed(tmp_path: Path) -> None:
    lines = [f"line {n} of the text" for n in range(2_000)]
    desk = _Desk(tmp_path, lines)
    rng = random.Random(4)
    for _ in range(KILLS):
        logged, stored = len(desk.logged()), desk.stored()
        process = desk.start(pause=0.002)
        desk.wait_for_log(logged, process)
        time.sleep(rng.uniform(0, 0.06))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        asked = desk.logged()[logged:]
        assert not stored & set(asked)
        assert len(set(asked) - desk.stored()) <= BATCH
    before = len(desk.logged())
    assert BATCH * KILLS <= before < len(lines)
    process = desk.start(pause=0)
    _, complaint = process.communicate()
    assert (process.returncode, complaint) == (0, b"")
    assert (tmp_path / "out.txt").read_text().splitlines() == [line[::-1] for line in lines]
    logged_lines = desk.logged()
    assert set(logged_lines) == set(lines)
    assert len(logged_lines) - len(lines) <= KILLS * BATCH


def test_two_processes_share_a_store_and_the_work(tmp_path: Path) -> None:
    lines = [f"line {n}" for n in range(10_000)]
    desk = _Desk(tmp_path, lines)
    (tmp_path / "back.txt").write_text("".join(f"{line}\n" for line in reversed(lines)))
    pair = (
        desk.start(pause=0.005, batch=50),
        desk.start(pause=0.005, batch=50, source="back.txt", output="back.out"),
    )
    for process in pair:
        _, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, b"")
    expected = [line[::-1] for line in lines]
    assert (tmp_path / "out.txt").read_text().splitlines() == expected
    assert (tmp_path / "back.out").read_text().splitlines() == expected[::-1]
    assert desk.stored() == set(lines)
    # They come from both ends: each finds what the other did, but for the batches where they meet.
    assert len(desk.logged()) <= len(lines) + 4 * 50


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    lines = [f"line {n}" for n in range(400)]
    desk = _Desk(tmp_path, lines)
    process = desk.start(pause=0.05, signals=True)
    desk.wait_for_log(3 * BATCH, process)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in complaint
    assert b"run the same command again to resume" in complaint
    done = len(desk.stored())
    assert done >= 3 * BATCH
    logged = len(desk.logged())
    process = desk.start(pause=0)
    process.communicate()
    assert (tmp_path / "out.txt").read_text().splitlines() == [line[::-1] for line in lines]
    assert len(desk.logged()) - logged == len(lines) - done
