"""The command line as a user runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def command(*arguments: str | Path) -> list[str]:
    """The command in another process of this interpreter."""
    return [sys.executable, "-m", "hyperbaton", *map(str, arguments)]


def call(*arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run it to the end."""
    return subprocess.run(
        command(*arguments), input=text, capture_output=True, text=True, timeout=120, check=False
    )
