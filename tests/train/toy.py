"""A toy language pair: `bb` is `aa` backwards, and `aa` into `aa` is a copy."""

from __future__ import annotations

import random
from pathlib import Path

SYLLABLES = ("ba", "ko", "mi", "tu", "le", "sa", "no", "fi")


def sentences(count: int, seed: int = 1) -> list[str]:
    """Random sentences of three to six syllables, all different."""
    generator = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[" ".join(generator.choices(SYLLABLES, k=generator.randint(3, 6)))] = None
    return list(found)


def write_reversal(path: Path, count: int) -> None:
    """A tab-separated file of sentences and their reversals."""
    lines = (f"{text}\t{' '.join(text.split()[::-1])}\n" for text in sentences(count))
    path.write_text("".join(lines))


def write_copy(path: Path, count: int) -> None:
    """A tab-separated file of sentences and themselves."""
    path.write_text("".join(f"{text}\t{text}\n" for text in sentences(count)))
