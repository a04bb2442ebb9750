"""How token states become one sentence vector: the modules of a sentence-transformers folder."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import Snapshot, Source, read_weights, resolve
from hyperbaton.metrics.neural.encoder import Encoder, load_encoder

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Head", "describe", "load_head"]

_OLD_MODES = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_lasttoken": "lasttoken",
}
"""Folders written before version 6 have one switch for each mode."""
_ACTIVATIONS = ("Tanh", "Identity", "ReLU", "GELU", "Sigmoid")
Layer = Callable[["Tensor"], "Tensor"]


@dataclass(frozen=True, eq=False)
class Head:
    """An encoder with what stands on top of it."""

    encoder: Encoder
    modes: tuple[str, ...]
    layers: tuple[Layer, ...]
    lower_case: bool

    def prepared(self, text: str) -> str:
        """The text as the model wants to read it."""
        text = text.strip()
        return text.lower() if self.lower_case else text

    def sentence(self, ids: Tensor, states: Tensor) -> NDArray[np.float32]:
        """The unit vector of a text whose tokens have these states."""
        torch = need("torch", extra="neural")
        with torch.inference_mode():
            vector = torch.cat([_POOLS[mode](states) for mode in self.modes])
            for layer in self.layers:
                vector = layer(vector)
            vector = vector / vector.norm().clamp_min(1e-12)
        return np.asarray(vector.numpy(), dtype=np.float32)


def _mean(states: Tensor) -> Tensor:
    return states.mean(dim=0)


def _first(states: Tensor) -> Tensor:
    return states[0]


def _last(states: Tensor) -> Tensor:
    return states[-1]


def _max(states: Tensor) -> Tensor:
    return states.amax(dim=0)


def _mean_sqrt(states: Tensor) -> Tensor:
    return states.sum(dim=0) / math.sqrt(len(states))


def _weighted_mean(states: Tensor) -> Tensor:
    torch = need("torch", extra="neural")
    weights = torch.arange(1, len(states) + 1, dtype=states.dtype)[:, None]
    mean: Tensor = (states * weights).sum(dim=0) / weights.sum()
    return mean


_POOLS: dict[str, Layer] = {
    "mean": _mean,
    "cls": _first,
    "lasttoken": _last,
    "max": _max,
    "mean_sqrt_len_tokens": _mean_sqrt,
    "weightedmean": _weighted_mean,
}


@lru_cache(maxsize=2)
def load_head(source: Source, device: str) -> Head:
    """Load the encoder and the modules on top of it, or say which of them is not known."""
    snapshot = resolve(source)
    folder = snapshot.folder
    modules = _modules(folder)
    inner = folder / _path(modules, "Transformer")
    settings = _json(inner / "sentence_bert_config.json")
    limit = settings.get("max_seq_length")
    encoder = load_encoder(
        source if inner == folder else Source(str(inner)),
        None,
        device,
        limit if isinstance(limit, int) else None,
    )
    layers = [_dense(snapshot.module(path)) for kind, path in modules if kind == "Dense"]
    return Head(encoder, _modes(folder), tuple(layers), bool(settings.get("do_lower_case")))


def describe(folder: Path) -> str:
    """The modes and layers in a word, for a signature."""
    dense = sum(kind == "Dense" for kind, _ in _modules(folder))
    return "+".join([*_modes(folder), *["dense"] * dense])


def _modules(folder: Path) -> list[tuple[str, str]]:
    """Kind and folder of each module, in order."""
    file = folder / "modules.json"
    if not file.is_file():
        return [("Transformer", "")]
    entries = read_json(file)
    try:
        if not isinstance(entries, list):
            raise TypeError("not a list")
        modules = [(str(entry["type"]).rsplit(".", 1)[-1], str(entry["path"])) for entry in entries]
    except (TypeError, KeyError):
        raise HyperbatonError(f"{file} is no list of modules: fetch it again") from None
    for kind, _ in modules:
        if kind not in ("Transformer", "Pooling", "Dense", "Normalize", "Dropout"):
            raise HyperbatonError(f"{folder}: modules of the kind {kind} are not supported")
    return modules


def _path(modules: Sequence[tuple[str, str]], kind: str) -> str:
    return next((path for name, path in modules if name == kind), "")


def _modes(folder: Path) -> tuple[str, ...]:
    modules = _modules(folder)
    if "Pooling" not in dict(modules):
        return ("mean",)
    settings = _json(folder / _path(modules, "Pooling") / "config.json")
    named = settings.get("pooling_mode")
    if isinstance(named, str):
        modes = [named]
    elif isinstance(named, list):
        modes = [str(mode) for mode in named]
    else:
        modes = [mode for switch, mode in _OLD_MODES.items() if settings.get(switch)]
    unknown = [mode for mode in modes if mode not in _POOLS]
    if unknown or not modes:
        raise HyperbatonError(
            f"{folder}: pooling '{', '.join(unknown) or 'none'}' is not supported "
            f"(known: {', '.join(_POOLS)})"
        )
    return tuple(modes)


def _dense(module: Snapshot) -> Layer:
    torch = need("torch", extra="neural")
    folder = module.folder
    settings = _json(folder / "config.json")
    kind = str(settings.get("activation_function", "torch.nn.modules.activation.Tanh"))
    kind = kind.rsplit(".", 1)[-1]
    if kind not in _ACTIVATIONS:
        raise HyperbatonError(f"{folder}: the activation {kind} is not supported")
    weights = read_weights(module.weights())
    activation = getattr(torch.nn, kind)()

    def layer(vector: Tensor) -> Tensor:
        result: Tensor = activation(
            torch.nn.functional.linear(vector, weights["linear.weight"], weights.get("linear.bias"))
        )
        return result

    return layer


def _json(file: Path) -> dict[str, object]:
    if not file.is_file():
        return {}
    found = read_json(file)
    if not isinstance(found, dict):
        raise HyperbatonError(f"{file} is not a JSON object: fetch it again")
    return found
