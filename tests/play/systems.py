"""Translators for tests: one that waits until it is let go, one that attacks, one that fails."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

LET_GO = threading.Event()
"""What `hangs` waits for; set between tests, so that no thread is left behind."""
SEEN: list[str] = []
"""What `hangs` was asked, in order."""


def hangs(texts: Sequence[str]) -> list[str]:
    SEEN.extend(texts)
    LET_GO.wait()
    return list(texts)


def attacks(texts: Sequence[str]) -> list[str]:
    return [f"<script>alert(1)</script><img src=x onerror=alert(2)> {text}" for text in texts]


def mute(texts: Sequence[str]) -> list[str]:
    """Says nothing to what does not begin as a sentence does."""
    return ["Der alte Hund schläft." if text.startswith("The") else "" for text in texts]


def fails(texts: Sequence[str]) -> list[str]:
    raise RuntimeError("<b>out of order</b>")


def gated(texts: Sequence[str]) -> list[str]:
    """Waits for a file in the folder of the process: a study stays where it is until then."""
    import time

    while not Path("gate").exists():
        time.sleep(0.02)
    return list(texts)


def forgets(texts: Sequence[str]) -> list[str]:
    """Loses the dog as soon as the words are out of order."""
    return [text if text.startswith("The old") else text.replace("dog ", "") for text in texts]


GOOD, BAD = "Das sagt immer genau dasselbe wie zuvor.", "Xylophon quatscht bunte Brücken kaputt."


def spelt(texts: Sequence[str]) -> list[str]:
    """Says something else as soon as the house is misspelt."""
    return [GOOD if "house" in text.lower() else BAD for text in texts]


def ordered(texts: Sequence[str]) -> list[str]:
    """Says something else where something is near before it sleeps."""
    return [BAD if "near sleeps" in text else GOOD for text in texts]


def firm(texts: Sequence[str]) -> list[str]:
    """Says the same whatever comes."""
    return [GOOD for _ in texts]


def pausing(texts: Sequence[str]) -> list[str]:
    """Answers thirty texts, then waits until it is let go."""
    if len(SEEN) > 30:
        LET_GO.wait()
    SEEN.extend(texts)
    return spelt(texts)
