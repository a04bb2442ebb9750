"""`chars`: a small encoder that has no vocabulary, reads characters and ships in the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from hyperbaton.base.batches import equal_length
from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.base.files import DATA
from hyperbaton.base.npz import fitting, read_npz
from hyperbaton.encoders.encoder import (
    Encoder,
    Integers,
    OpenEncoder,
    Read,
    Reader,
    Vectors,
    signature,
)

BUNDLED = DATA / "chars" / "chars.npz"
_BATCH = 4096
"""Characters in a batch."""
Weights = Mapping[str, NDArray[np.float32]]

LONGEST = 288
"""Characters of a text that are read: the network knows no place beyond."""
PRIMES = (31, 43, 59, 61)
BUCKETS = 2048
STRIDE = 3
LAYERS = 6
HEADS = 8


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
            return _OpenCharacters(_OnProcessor(weights), path)
        torch = need("torch", extra="hf")
        from hyperbaton.encoders.characters_torch import TorchCharacters

        model = TorchCharacters(weights, self.device, self.compute)
        return _OpenCharacters(model, path, compute=self.compute, torch=str(torch.__version__))


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
        for batch in equal_length(lengths.tolist(), _BATCH):
            codes = numbers[starts[batch, None] + np.arange(lengths[batch[0]])]
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
        )


class _OpenCharacters(OpenEncoder):
    size = 384

    def __init__(self, model: _Model, path: Path, **fields: str) -> None:
        self._model = model
        self.signature = signature("chars", weights=fingerprint([path]), **fields)

    def reader(self) -> Reader:
        """Code points."""
        return CharacterReader()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of length 1."""
        return self.encode_read(CharacterReader().read(texts))

    def encode_read(self, read: Read) -> Vectors:
        """Vectors of length 1."""
        return self._model.rows(read.numbers, read.lengths)


def load_weights(path: Path) -> Weights:
    """Weights in 8 bits with a scale for each row (`q:`, `s:`), or in half floats, as floats."""
    found = {name: values.astype(np.float32) for name, values in read_npz(path).items()}
    weights = {}
    with fitting(path):
        for name, values in found.items():
            if name.startswith("q:"):
                scale = found[f"s:{name[2:]}"].reshape(-1, *[1] * (values.ndim - 1))
                weights[name[2:]] = values * scale
            elif not name.startswith("s:"):
                weights[name] = values
    if "out.weight" not in weights:
        raise HyperbatonError(f"{path} holds no weights of a character encoder")
    with fitting(path):
        forward(weights, np.zeros((1, 1), np.int64))
        if len(weights["pos"]) < LONGEST // STRIDE:
            raise ValueError("there are places without weights")
    return weights


def forward(weights: Weights, codes: NDArray[np.int64]) -> Vectors:
    """Vectors of length 1 for texts of one length, given as code points: texts × characters."""
    w = weights
    x = np.concatenate(
        [w[f"emb.{i}.weight"][(codes + 1) * prime % BUCKETS] for i, prime in enumerate(PRIMES)],
        axis=-1,
    )
    x = _norm(w, "n0", x)
    for place in "12":
        x = x + _gelu(_convolve(w, f"c{place}", _norm(w, f"m{place}", x)))
    x = _convolve(w, "down", x, STRIDE)
    x = x + w["pos"][: x.shape[1]]
    for layer in range(LAYERS):
        x = _layer(w, f"blocks.{layer}", x)
    out = _linear(w, "out", _norm(w, "n", x).mean(axis=1))
    found: Vectors = out / np.linalg.norm(out, axis=1, keepdims=True)
    return found


def _layer(w: Weights, name: str, x: Vectors) -> Vectors:
    texts, length, width = x.shape
    mixed = _linear(w, f"{name}.qkv", _norm(w, f"{name}.n1", x))
    q, k, v = mixed.reshape(texts, length, 3, HEADS, -1).transpose(2, 0, 3, 1, 4)
    scores = q @ k.swapaxes(-1, -2) / np.float32(np.sqrt(width / HEADS))
    seen = np.exp(scores - scores.max(axis=-1, keepdims=True))
    seen /= seen.sum(axis=-1, keepdims=True)
    joined = (seen @ v).swapaxes(1, 2).reshape(texts, length, width)
    x = x + _linear(w, f"{name}.o", joined)
    inner = _gelu(_linear(w, f"{name}.f1", _norm(w, f"{name}.n2", x)))
    return x + _linear(w, f"{name}.f2", inner)


def _linear(w: Weights, name: str, x: Vectors) -> Vectors:
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _convolve(w: Weights, name: str, x: Vectors, stride: int = 1) -> Vectors:
    """A convolution over 5 places, with two zeros at either end."""
    kernel = w[f"{name}.weight"]
    padded = np.pad(x, ((0, 0), (2, 2), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, 5, axis=1)[:, ::stride]
    flat = windows.reshape(*windows.shape[:2], -1)
    return flat @ kernel.reshape(len(kernel), -1).T + w[f"{name}.bias"]


def _norm(w: Weights, name: str, x: Vectors) -> Vectors:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(1e-5))
    found: Vectors = centred / spread * w[f"{name}.weight"] + w[f"{name}.bias"]
    return found


def _gelu(x: Vectors) -> Vectors:
    found: Vectors = x * (1 + erf(x * np.float32(np.sqrt(0.5)))) / 2
    return found
