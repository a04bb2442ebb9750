"""Rows of numbers on a device of torch, in batches of like length."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from hyperbaton.base.batches import equal_length
from hyperbaton.encoders.encoder import Integers, Vectors

PRECISIONS = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
}
_STEP = 8
"""Rows are padded to a multiple of this, whatever else is in their batch."""
_TOKENS = {"cuda": 131_072, "cpu": 4_096}
"""Numbers in a batch."""

Forward = Callable[[Tensor, Tensor], Tensor]
"""Numbers and mask (rows × places) to one vector a row."""


def encode_rows(
    numbers: Integers, lengths: Integers, size: int, device: torch.device, forward: Forward
) -> Vectors:
    """One vector a row: rows of like length share a batch, and only the ends are padded."""
    found = torch.empty((len(lengths), size), dtype=torch.float32, device=device)
    flat = torch.from_numpy(np.ascontiguousarray(numbers)).to(device)
    starts = torch.from_numpy(np.cumsum(lengths, dtype=np.int64) - lengths).to(device)
    sizes = torch.from_numpy(lengths.astype(np.int64)).to(device)
    budget = _TOKENS.get(device.type, _TOKENS["cpu"])
    padded = (-(-np.maximum(lengths, 1) // _STEP) * _STEP).tolist()
    with torch.inference_mode():
        for batch in equal_length(padded, budget):
            rows = torch.tensor(batch, device=device)
            at = torch.arange(padded[batch[0]], device=device)
            mask = at < sizes[rows, None]
            where = (starts[rows, None] + at).clamp_(max=max(0, len(flat) - 1))
            found[rows] = forward(flat[where].long() * mask, mask).float()
    vectors: Vectors = found.cpu().numpy()
    return vectors
