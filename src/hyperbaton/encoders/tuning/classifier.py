"""What is fine-tuned: a network that reads texts, with a new head that tells labels apart."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hyperbaton.base.batches import by_length, equal_length


class Row(NamedTuple):
    """What the network reads at once, special tokens included."""

    numbers: list[int]
    kinds: list[int]
    """Of which text each number is."""


class Classifier(nn.Module, ABC):
    """A network with a head; what needs no gradient stays as it is and is in no checkpoint."""

    pad: int = 0
    """The number that fills a short row."""
    shortest: int = 1
    """The fewest places of a row that the network takes."""

    @abstractmethod
    def read(self, texts: Sequence[tuple[str, ...]]) -> list[Row]:
        """One text or two as one row, cut to what the network reads."""

    @abstractmethod
    def forward(self, numbers: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Rows × labels."""

    def logits(self, rows: Sequence[Row]) -> Tensor:
        """The same of rows of any length."""
        device = next(self.parameters()).device
        lengths = torch.tensor([len(row.numbers) for row in rows])
        missing = max(0, self.shortest - int(lengths.max()))
        numbers = _filled([row.numbers for row in rows], self.pad, missing)
        kinds = _filled([row.kinds for row in rows], 0, missing)
        mask = torch.arange(numbers.shape[1]) < lengths[:, None]
        found: Tensor = self(numbers.to(device), mask.to(device), kinds.to(device))
        return found

    @torch.inference_mode()
    def scores(self, rows: Sequence[Row], tokens: int) -> NDArray[np.float32]:
        """The same of many rows, in batches of so many numbers."""
        # Where several places are taken together, a row would see what fills it.
        batches = by_length if self.shortest == 1 else equal_length
        places = list(batches([len(row.numbers) for row in rows], tokens))
        some = [self.logits([rows[at] for at in batch]).float().cpu().numpy() for batch in places]
        ordered = np.concatenate(some)
        found: NDArray[np.float32] = np.empty_like(ordered)
        found[np.concatenate(places)] = ordered
        return found


def _filled(rows: Sequence[Sequence[int]], pad: int, missing: int) -> Tensor:
    filled = torch.tensor(list(zip_longest(*rows, fillvalue=pad))).T
    return nn.functional.pad(filled, (0, missing), value=pad)
