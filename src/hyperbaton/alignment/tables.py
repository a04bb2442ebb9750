"""The word translation tables that fast_align learns, and the best links by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from hyperbaton.alignment.aligner import Link
from hyperbaton.base.errors import HyperbatonError

__all__ = ["Table", "best", "read_table"]

Table = Mapping[str, Mapping[str, float]]
"""For each word, how likely each word of the other language stands for it."""

NULL = "<eps>"
_VERSION = 2
_UNSEEN = 1e-9
_TENSION = 4.0
_NULL_SHARE = 0.08
"""fast_align's own settings: the pull of the diagonal, the share of words without a link."""


def read_table(path: Path) -> Table:
    """A table as systran-align 3.5 writes it.

    Two 32-bit numbers (version, vocabulary), the words, each ended by a zero byte, one number more,
    then a row for each word: its number, how many entries, and those as number and probability.
    Words are counted from 1.
    """
    raw = path.read_bytes()
    version, size = np.frombuffer(raw, "<i4", 2).tolist() if len(raw) >= 8 else (0, 0)
    if version != _VERSION:
        raise HyperbatonError(
            f"this release of systran-align writes tables of version {version}, not {_VERSION}: "
            "pip install 'systran-align==3.5.0'"
        )
    at = 8
    words = []
    for _ in range(size):
        end = raw.index(b"\0", at)
        words.append(raw[at:end].decode("utf-8"))
        at = end + 1
    numbers = np.frombuffer(raw[at:], "<i4")
    chances = np.frombuffer(raw[at:], "<f4")
    table: dict[str, dict[str, float]] = {}
    row = 1
    while row < len(numbers):
        start, stop = row + 2, row + 2 + 2 * int(numbers[row + 1])
        others = [words[number - 1] for number in numbers[start:stop:2].tolist()]
        entries = zip(others, chances[start + 1 : stop : 2].tolist(), strict=True)
        table[words[int(numbers[row]) - 1]] = dict(entries)
        row = stop
    return table


def best(givens: Sequence[str], words: Sequence[str], table: Table) -> set[Link]:
    """For each word the given word that it most likely stands for, as (given, word); or none."""
    if not givens or not words:
        return set()
    rows = [table.get(given, {}) for given in (NULL, *givens)]
    chances = np.array([[row.get(word, _UNSEEN) for word in words] for row in rows])
    places = np.arange(1, len(givens) + 1)[:, None] / len(givens)
    others = np.arange(1, len(words) + 1)[None, :] / len(words)
    pull = np.exp(-_TENSION * np.abs(places - others))
    chances[0] *= _NULL_SHARE
    chances[1:] *= (1 - _NULL_SHARE) * pull / pull.sum(axis=0)
    # Rounded, so that no processor's last digit decides between equals.
    choice = np.round(np.log(chances), 6).argmax(axis=0)
    return {(i - 1, j) for j, i in enumerate(choice.tolist()) if i}
