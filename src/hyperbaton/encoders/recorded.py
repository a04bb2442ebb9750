"""`recorded:FILE`: vectors that an encoder elsewhere gave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors, signature


@dataclass(frozen=True)
class Recorded(Encoder):
    """JSON Lines with `text` and `vector`."""

    name: ClassVar[str] = "recorded"
    positional: ClassVar[str | None] = "path"

    path: str

    def open(self) -> OpenEncoder:
        """Read the file."""
        path = Path(self.path).expanduser()
        if not path.is_file():
            raise HyperbatonError(f"'{self}': there is no file {path}")
        return _OpenRecorded(path)


class _OpenRecorded(OpenEncoder):
    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)
        self.size = len(next(iter(self._known.values())))
        self.signature = signature("recorded", content=fingerprint([path]))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """What the file says of each text."""
        missing = next((text for text in texts if text not in self._known), None)
        if missing is not None:
            raise HyperbatonError(f"{self._path} has no vector for '{missing[:80]}'")
        found = np.empty((len(texts), self.size), np.float32)
        for at, text in enumerate(texts):
            found[at] = self._known[text]
        return found


def _read(path: Path) -> dict[str, Vectors]:
    known: dict[str, Vectors] = {}
    size = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                text, vector = row["text"], np.asarray(row["vector"], np.float32)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                text, vector = None, np.empty(0, np.float32)
            size = size or vector.size
            good = vector.ndim == 1 and 0 < vector.size == size and np.isfinite(vector).all()
            if not isinstance(text, str) or not good:
                raise HyperbatonError(
                    f"{path}, line {number}: write "
                    '{"text": "…", "vector": [0.1, …]}, with as many numbers in every line'
                )
            known[text] = vector
    if not known:
        raise HyperbatonError(f"{path} holds no vectors")
    return known
