"""Weights to train on from: of a translator in the hub's format, or in CTranslate2's."""

from __future__ import annotations

from pathlib import Path

import torch
from transformers import MarianMTModel

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.hub import read_weights, weight_files
from hyperbaton.train.ct2_weights import read_weights as read_converted

__all__ = ["begin_with"]

_WORDS = "model.shared.weight"
_PLACES = "embed_positions"
_FOLLOW = ("embed_tokens", "lm_head", "final_logits_bias")


def begin_with(model: MarianMTModel, folder: Path) -> None:
    """Copy a translator's weights into a model of the same shape.

    The model may know more pieces, which keep their fresh weights; places have no weights to learn.
    """
    weights = _read(folder)
    parameters = {name: value for name, value in model.named_parameters() if _PLACES not in name}
    words = weights.get(_WORDS)
    shapes = {name: tuple(value.shape) for name, value in parameters.items()}
    stored = {name: tuple(value.shape) for name, value in weights.items()}
    if words is not None and words.shape[0] <= shapes[_WORDS][0]:
        stored[_WORDS] = (shapes[_WORDS][0], words.shape[1])
    if stored != shapes:
        raise HyperbatonError(
            f"{folder} holds a model of another shape: use its recipe and its vocabulary"
        )
    with torch.no_grad():
        for name, value in weights.items():
            parameters[name][: len(value)] = value


def _read(folder: Path) -> dict[str, torch.Tensor]:
    if (files := weight_files(folder)) is not None:
        stored = read_weights(files)
        return {
            name: value.float()
            for name, value in stored.items()
            if _PLACES not in name and not any(part in name for part in _FOLLOW)
        }
    if (folder / "model.bin").is_file():
        return read_converted(folder / "model.bin")
    raise HyperbatonError(
        f"{folder} holds no translator (model.safetensors, pytorch_model.bin or model.bin)"
    )
