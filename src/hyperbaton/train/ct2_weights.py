"""The weights of a Marian in CTranslate2's format, back in full precision, to train on from."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from hyperbaton.base.errors import HyperbatonError

__all__ = ["read_weights"]

_VERSION = 6
_KINDS = {0: "<f4", 1: "<i1", 2: "<i2", 3: "<i4", 4: "<f2"}
_BLOCKS = {
    "self_attention": ("self_attn", "self_attn_layer_norm"),
    "attention": ("encoder_attn", "encoder_attn_layer_norm"),
    "ffn": ("", "final_layer_norm"),
}
_SPLIT = {
    ("self_attention", "linear_0"): ("q_proj", "k_proj", "v_proj"),
    ("self_attention", "linear_1"): ("out_proj",),
    ("attention", "linear_0"): ("q_proj",),
    ("attention", "linear_1"): ("k_proj", "v_proj"),
    ("attention", "linear_2"): ("out_proj",),
    ("ffn", "linear_0"): ("fc1",),
    ("ffn", "linear_1"): ("fc2",),
}
_ENDS = {"gamma": "weight", "beta": "bias", "weight": "weight", "bias": "bias"}


def read_weights(path: Path) -> dict[str, torch.Tensor]:
    """The parameters of a `model.bin` by their names in transformers' Marian.

    Weights in int8 come back as near as their 256 steps allow.
    """
    stored = dict(_variables(path))
    weights: dict[str, torch.Tensor] = {}
    for name, value in stored.items():
        parts = name.split("/")
        full = value.astype(np.float32)
        if parts[-1] == "weight" and f"{name}_scale" in stored:
            full /= stored[f"{name}_scale"].reshape(-1, 1)
        if name == "decoder/embeddings/weight":
            weights["model.shared.weight"] = torch.from_numpy(full)
        elif len(parts) >= 4 and parts[1].startswith("layer_") and parts[-1] in _ENDS:
            weights.update(_named(parts, full))
    if "model.shared.weight" not in weights:
        raise HyperbatonError(f"{path} is no Marian with one embedding matrix")
    return weights


def _named(parts: list[str], value: np.ndarray) -> Iterator[tuple[str, torch.Tensor]]:
    """One variable under its name or, where CTranslate2 laid several together, their names."""
    stack, layer, block, inner, end = parts
    inside, norm = _BLOCKS[block]
    start = f"model.{stack}.layers.{layer.removeprefix('layer_')}"
    if inner == "layer_norm":
        yield f"{start}.{norm}.{_ENDS[end]}", torch.from_numpy(value)
        return
    names = _SPLIT[block, inner]
    for name, piece in zip(names, np.split(value, len(names)), strict=True):
        whole = ".".join(part for part in (start, inside, name, _ENDS[end]) if part)
        yield whole, torch.from_numpy(piece.copy())


def _variables(path: Path) -> Iterator[tuple[str, np.ndarray]]:
    """Every stored array: name, sizes, kind of number, and the numbers."""
    data = path.read_bytes()
    at = 0

    def number(kind: str) -> int:
        nonlocal at
        (value,) = struct.unpack_from(f"<{kind}", data, at)
        at += struct.calcsize(kind)
        return int(value)

    def text() -> str:
        nonlocal at
        size = number("H")
        at += size
        return data[at - size : at - 1].decode()

    try:
        version = number("I")
        if version != _VERSION:
            raise HyperbatonError(f"{path}: a model of format {version}, not {_VERSION}")
        text(), number("I")
        for _ in range(number("I")):
            name = text()
            sizes = [number("I") for _ in range(number("B"))]
            kind = _KINDS[number("B")]
            length = number("I")
            yield name, np.frombuffer(data[at : at + length], kind).reshape(sizes)
            at += length
    except (struct.error, KeyError, ValueError, UnicodeDecodeError):
        raise HyperbatonError(f"{path} is not a model of CTranslate2, or a damaged one") from None
