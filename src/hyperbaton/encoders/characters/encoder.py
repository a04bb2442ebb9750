"""`chars`: a small encoder that has no vocabulary, reads characters and ships in the package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol

import numpy as np

from hyperbaton import __version__
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.files import DATA
from hyperbaton.encoders.characters.network import LONGEST, Weights, forward, load_weights
from hyperbaton.encoders.encoder import Encoder, Integers, OpenEncoder, Read, Reader, Vectors

__all__ = ["BUNDLED", "CharacterReader", "Characters"]

BUNDLED = DATA / "chars" / "chars.npz"
_BATCH = 4096
"""Characters in a batch."""


@dataclass(frozen=True)
class Characters(Encoder):
    """9 million weights over hashed characters, taught by e5; good in de es fr it ja ru zh only."""

    name: ClassVar[str] = "chars"

    weights: str = ""
    """A file of weights instead of the shipped one."""
    device: str = "cpu"
    """`cpu` (NumPy), or a device of torch: `cuda`."""
    compute: Literal["float32", "float16", "bfloat16"] = "float32"
    """On a device of torch, `float16` is faster and a little less exact."""

    def open(self) -> OpenEncoder:
        """Read the weights."""
        path = Path(self.weights).expanduser() if self.weights else BUNDLED
        weights = load_weights(path)
        if self.device == "cpu":
            if self.compute != "float32":
                raise HyperbatonError(f"'{self}': compute on cpu is float32")
            return _OpenCharacters(_OnProcessor(weights), path, "")
        torch = need("torch", extra="hf")
        from hyperbaton.encoders.characters.torch import TorchCharacters

        engine = f"|compute:{self.compute}|torch:{torch.__version__}"
        return _OpenCharacters(TorchCharacters(weights, self.device, self.compute), path, engine)


class _Model(Protocol):
    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        """Vectors of length 1 for rows of code points."""


class _OnProcessor:
    """NumPy; texts of one length share a batch, so that nothing is padded."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        found = np.empty((len(lengths), len(self._weights["out.weight"])), np.float32)
        starts = np.cumsum(lengths) - lengths
        for length in np.unique(lengths).tolist():
            places = np.flatnonzero(lengths == length)
            step = max(1, _BATCH // length)
            for at in range(0, len(places), step):
                batch = places[at : at + step]
                codes = numbers[starts[batch, None] + np.arange(length)]
                found[batch] = forward(self._weights, codes.astype(np.int64))
        return found


class CharacterReader(Reader):
    """Reads the code points of the beginning of a text."""

    def read(self, texts: Sequence[str]) -> Read:
        """A row a text; a text without characters is read as a space."""
        cut = [text[:LONGEST] or " " for text in texts]
        data = "".join(cut).encode("utf-32-le", "surrogatepass")
        return Read(
            np.frombuffer(data, "<i4").astype(np.int32),
            np.array([len(text) for text in cut], np.int32),
            np.arange(len(cut), dtype=np.int32),
            None,
        )


class _OpenCharacters(OpenEncoder):
    size = 384

    def __init__(self, model: _Model, path: Path, engine: str) -> None:
        self._model = model
        self.signature = f"chars|weights:{fingerprint([path])}{engine}|hyperbaton:{__version__}"

    def reader(self) -> Reader:
        """Code points."""
        return CharacterReader()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1."""
        return self.encode_read(CharacterReader().read(texts))

    def encode_read(self, read: Read) -> Vectors:
        """Vectors of length 1."""
        return self._model.rows(read.numbers, read.lengths)
