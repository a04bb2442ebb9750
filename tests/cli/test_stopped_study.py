"""A study that is stopped by a signal leaves nothing behind, and resumes to the same bytes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import command, real_command
from tests.cli.test_signals import running
from tests.pipeline.small import parts

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are read from /proc"
)
PROGRAM = """\
echo $$ >> pids
while read -r line; do
    while [ -e run/outputs ] && [ -e stay ]; do sleep 0.05; done
    echo "$line"
done
"""


def _words(out: Path, workers: int = 0) -> list[str | Path]:
    words = ("surface", "a.en", "a.en", "-l", "en-de", "--system", "cmd:sh program.sh")
    how = ("--with", "upper", "-m", "chrF", "--no-cache", "--no-report")
    return [*words, *how, "--workers", str(workers), "--out", out]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus, a program, and a run that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "a.en").write_text("".join(f"the cat number {n} sleeps .\n" for n in range(300)))
    (folder / "program.sh").write_text(PROGRAM)
    done = subprocess.run(
        command(*_words(Path("whole"))), cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_it_resumes_to_the_same_bytes(
    number: signal.Signals, code: int, whole: Path, tmp_path: Path
) -> None:
    for name in ("a.en", "program.sh"):
        shutil.copy(whole / name, tmp_path)
    (tmp_path / "stay").touch()
    process = subprocess.Popen(
        real_command(*_words(Path("run"), workers=1)),  # signals are sent to it
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    try:
        for _ in range(1200):
            if (tmp_path / "run" / "outputs").exists():  # the first part is there, the second waits
                break
            time.sleep(0.05)
        process.send_signal(number)
        _, error = process.communicate(timeout=900)
    finally:
        process.kill()
    assert process.returncode == code
    assert error.splitlines()[-1].startswith("hyperbaton: stopped")
    (tmp_path / "stay").unlink()  # a program that nobody ended would go on now
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert not any(map(running, pids))
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]
    expected = parts(whole / "whole")
    assert parts(tmp_path / "run").items() < expected.items()
    again = subprocess.run(
        command(*_words(Path("run"))), cwd=tmp_path, capture_output=True, check=False
    )
    assert (again.returncode, again.stderr) == (0, b"")
    assert parts(tmp_path / "run") == expected
