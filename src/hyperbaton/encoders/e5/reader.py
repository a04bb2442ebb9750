"""How `e5` reads: a prefix and the pieces of a text between the marks of start and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from hyperbaton.encoders.e5.folder import CHARACTERS, PIECES
from hyperbaton.encoders.e5.unigram import Unigram
from hyperbaton.encoders.encoder import Read, Reader

__all__ = ["END", "START", "E5Reader"]

START, END = 0, 2
"""`<s>` and `</s>`."""
_WINDOW = 510
"""Pieces of a text that fit beside start and end; longer texts are cut into windows."""


@dataclass(frozen=True)
class E5Reader(Reader):
    """Reads with the tokenizer in a folder, which each process opens for itself."""

    folder: Path
    prefix: str

    def read(self, texts: Sequence[str]) -> Read:
        """Rows of at most 512 pieces, start and end included."""
        pieces = _unigram(self.folder)
        # No piece crosses a space, so the prefix can be cut into pieces apart.
        prefix = pieces.encode([self.prefix.rstrip()])[0]
        rows, owners, tokens = [], [], []
        for at, ids in enumerate(pieces.encode(texts)):
            tokens.append(len(ids) + 2)
            whole = prefix + ids
            for start in range(0, max(1, len(whole)), _WINDOW):
                rows.append([START, *whole[start : start + _WINDOW], END])
                owners.append(at)
        return Read(
            np.array([number for row in rows for number in row], np.int32),
            np.array([len(row) for row in rows], np.int32),
            np.array(owners, np.int32),
            np.array(tokens, np.int32),
        )


@lru_cache(maxsize=4)
def _unigram(folder: Path) -> Unigram:
    return Unigram(folder / PIECES, folder / CHARACTERS)
