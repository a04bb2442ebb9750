"""The command line as a user runs it."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

CLIENT = Path(__file__).with_name("warm_client.py")

TOM = """\
# sent_id = tom
# text = Tom saw the old dog near a house.
1	Tom	_	PROPN	_	_	2	nsubj	_	_
2	saw	_	VERB	_	_	0	root	_	_
3	the	_	DET	_	_	5	det	_	_
4	old	_	ADJ	_	_	5	amod	_	_
5	dog	_	NOUN	_	_	2	obj	_	_
6	near	_	ADP	_	_	8	case	_	_
7	a	_	DET	_	_	8	det	_	_
8	house	_	NOUN	_	_	2	obl	_	SpaceAfter=No
9	.	_	PUNCT	_	_	2	punct	_	_

"""
GO = """\
# sent_id = go
# text = Go!
1	Go	_	VERB	_	_	0	root	_	SpaceAfter=No
2	!	_	PUNCT	_	_	1	punct	_	_

"""


def real_command(*arguments: str | Path) -> list[str]:
    """The command in a new process of this interpreter: slow, and needed where signals are sent."""
    return [sys.executable, "-m", "hyperbaton", *map(str, arguments)]


def command(*arguments: str | Path) -> list[str]:
    """The command in a process of its own that need not load its libraries, where that works.

    A kill -9 of it is one of the process behind it, and the other way round. Other signals are not
    passed on.
    """
    address = _warm() if sys.platform.startswith("linux") else None
    if address is None:
        return real_command(*arguments)
    return [sys.executable, "-IS", str(CLIENT), address, *map(str, arguments)]


def script(path: Path, *arguments: str | Path) -> list[str]:
    """A Python file in such a process, or in a new one."""
    if sys.platform.startswith("linux") and _warm() is not None:
        return command(path, *arguments)
    return [sys.executable, str(path), *map(str, arguments)]


@cache
def _warm() -> str | None:
    """The address of a process that is ready to become the command; it ends with this one."""
    address = f"{mkdtemp(prefix='hyperbaton-warm-')}/socket"
    server = subprocess.Popen(
        [sys.executable, str(CLIENT.with_name("warm.py")), address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert server.stdin is not None
    assert server.stdout is not None
    atexit.register(server.stdin.close)
    return address if server.stdout.readline() == b"ready\n" else None


def call(*arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run it to the end."""
    return subprocess.run(
        command(*arguments), input=text, capture_output=True, text=True, timeout=900, check=False
    )
