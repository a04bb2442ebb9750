"""The network of `chars` on a device of torch, for texts of different lengths in one batch."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from hyperbaton.encoders.characters import (
    BUCKETS,
    HEADS,
    LAYERS,
    PRIMES,
    STRIDE,
    Weights,
)
from hyperbaton.encoders.encoder import Integers, Vectors
from hyperbaton.encoders.torch_batches import PRECISIONS, encode_rows
from hyperbaton.hub import device_of


class TorchCharacters:
    """What `character_network.forward` computes; places after the end of a text stay zero."""

    def __init__(self, weights: Weights, device: str, compute: str) -> None:
        self._device = device_of(device)
        kind = PRECISIONS[compute]
        self._weights = {
            name: torch.tensor(values).to(self._device, kind) for name, values in weights.items()
        }
        self._size = len(weights["out.weight"])

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        """Vectors of length 1 for rows of code points."""
        return encode_rows(numbers, lengths, self._size, self._device, self._forward)

    def _forward(self, codes: Tensor, mask: Tensor) -> Tensor:
        w = self._weights
        tables = [w[f"emb.{i}.weight"][(codes + 1) * p % BUCKETS] for i, p in enumerate(PRIMES)]
        x = self._norm("n0", torch.cat(tables, dim=-1))
        for place in "12":
            x = x + functional.gelu(self._convolve(f"c{place}", self._norm(f"m{place}", x), mask))
        x = self._convolve("down", x, mask, STRIDE)
        mask = mask[:, ::STRIDE]
        x = x + w["pos"][: x.shape[1]]
        hidden = torch.zeros(mask.shape, dtype=x.dtype, device=x.device)
        hidden = hidden.masked_fill(~mask, -torch.inf)[:, None, None, :]
        for layer in range(LAYERS):
            x = self._layer(f"blocks.{layer}", x, hidden)
        x = self._norm("n", x).float() * mask[:, :, None]
        means = x.sum(dim=1) / mask.sum(dim=1, keepdim=True)
        out = self._linear("out", means.to(w["out.weight"].dtype)).float()
        return functional.normalize(out, dim=1)

    def _layer(self, name: str, x: Tensor, hidden: Tensor) -> Tensor:
        rows, places, width = x.shape
        joined = self._linear(f"{name}.qkv", self._norm(f"{name}.n1", x))
        query, key, value = joined.view(rows, places, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=hidden)
        x = x + self._linear(f"{name}.o", seen.transpose(1, 2).reshape(rows, places, width))
        inner = functional.gelu(self._linear(f"{name}.f1", self._norm(f"{name}.n2", x)))
        return x + self._linear(f"{name}.f2", inner)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _norm(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(x, weight.shape, weight, bias)

    def _convolve(self, name: str, x: Tensor, mask: Tensor, stride: int = 1) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        real = (x * mask[:, :, None]).transpose(1, 2)
        return functional.conv1d(real, weight, bias, stride=stride, padding=2).transpose(1, 2)
