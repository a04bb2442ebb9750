"""The warm process and a new one are the same command."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import command, real_command
from tests.cli.warm import _read


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (("perturb", "-l", "en", "--with", "upper"), "one\ntwo ä\n"),
        (("perturb", "-l", "en", "--with", "upper", "here.txt"), ""),
        (("ls", "wonders"), ""),
        (("score", "-m", "Shout", "here.txt", "here.txt"), ""),
    ],
)
def test_same_streams_and_status(arguments: tuple[str, ...], given: str, tmp_path: Path) -> None:
    """In its own folder, with a package that only its environment names."""
    (tmp_path / "here.txt").write_text("a line\n")
    info = tmp_path / "packages" / "shouting-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hyperbaton.metrics]\nShout = shouting:Shout\n")
    (info.parent / "shouting.py").write_text(
        "from hyperbaton.metrics.edits import ExactMatch\n"
        "class Shout(ExactMatch):\n    name = 'Shout'\n"
    )
    path = os.pathsep.join(filter(None, (str(info.parent), os.environ.get("PYTHONPATH"))))
    found = [
        subprocess.run(
            form(*arguments), input=given, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path},
            capture_output=True, text=True, timeout=900, check=False,
        )
        for form in (command, real_command)
    ]  # fmt: skip
    warm, real = ((done.returncode, done.stdout, done.stderr) for done in found)
    assert warm == real
    assert any(real[1:])


def test_a_question_that_breaks_off_ends_it() -> None:
    """Else the process would read nothing again and again, and keep its streams open."""
    asked, asking = socket.socketpair()
    with asked, asking:
        asking.sendall(b"1234")
        asking.close()
        with pytest.raises(EOFError, match="was killed"):
            _read(asked, 8)
