"""The alignment network in torch, on hashed words from scratch or on a frozen encoder's states."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from hyperbaton.detectors.alignment import save_weights
from hyperbaton.detectors.encoder_pair import CONFIG, WEIGHTS, encoder_states
from hyperbaton.detectors.hashing import bucket_rows
from hyperbaton.files import write_text
from hyperbaton.train.detector import Example
from hyperbaton.train.detector_recipe import DetectorRecipe

__all__ = ["AlignmentNet", "OnEncoder", "OnHashes"]

FILE = "aligned.npz"


class AlignmentNet(nn.Module):
    """What hyperbaton.detectors.alignment computes, for batches and with gradients."""

    def __init__(self, width_in: int, width: int, dropout: float) -> None:
        super().__init__()
        self.project = nn.Linear(width_in, width)
        self.compare = nn.Linear(4 * width + 2, width)
        self.hidden = nn.Linear(4 * width, width)
        self.out = nn.Linear(width, 1)
        self.scale = nn.Parameter(torch.tensor(width**-0.5))
        self.near = nn.Parameter(torch.tensor(1.0))
        self.dropout = nn.Dropout(dropout)

    def forward(self, one: Tensor, two: Tensor, masks: tuple[Tensor, Tensor]) -> Tensor:
        """Log-odds of pairs; sides are pairs × words × width, masks tell words from padding."""
        u, w = (self.dropout(torch.relu(self.project(self.dropout(side)))) for side in (one, two))
        here, there = (_places(mask) for mask in masks)
        fit = u @ w.transpose(1, 2) * self.scale
        fit = fit - self.near.abs() * (here[:, :, None] - there[:, None, :]).abs()
        a = self._compared(u, w, fit, here, there, masks)
        b = self._compared(w, u, fit.transpose(1, 2), there, here, masks[::-1])
        both = torch.cat([a + b, (a - b).abs()], dim=1)
        logit: Tensor = self.out(self.dropout(torch.relu(self.hidden(both))))[:, 0]
        return logit

    def _compared(
        self,
        mine: Tensor,
        theirs: Tensor,
        fit: Tensor,
        here: Tensor,
        there: Tensor,
        masks: tuple[Tensor, ...],
    ) -> Tensor:
        own, other = masks
        attention = fit.masked_fill(~other[:, None, :], -torch.inf).softmax(dim=2)
        aligned = attention @ theirs
        moved = (attention @ there[:, :, None])[:, :, 0] - here
        turned = torch.cat([moved[:, :1] * 0, (moved[:, 1:] - moved[:, :-1]).abs()], dim=1)
        parts = [mine, aligned, (mine - aligned).abs(), mine * aligned]
        rows = torch.cat([*parts, moved[:, :, None], turned[:, :, None]], dim=2)
        seen = torch.relu(self.compare(rows)) * own[:, :, None]
        # Nothing is below 0 after the rectifier, so padding cannot be the largest.
        return torch.cat([seen.sum(1) / own.sum(1, keepdim=True), seen.amax(1)], dim=1)


def _places(mask: Tensor) -> Tensor:
    """Where each word stands, from 0 for the first to 1 for the last."""
    steps = torch.arange(mask.shape[1], device=mask.device)[None, :]
    last = (mask.sum(1, keepdim=True) - 1).clamp_min(1)
    return (steps / last).clamp_max(1.0)


def _both(logit: Tensor) -> Tensor:
    """Log-odds as the two classes that training wants."""
    return torch.stack([torch.zeros_like(logit), logit], dim=1)


def _numpy(module: nn.Module) -> dict[str, np.ndarray]:
    return {name: p.detach().cpu().numpy() for name, p in module.named_parameters()}


class OnHashes:
    """From scratch: n-grams of each word are hashed into a table that is trained too."""

    def __init__(self, recipe: DetectorRecipe, device: torch.device) -> None:
        torch.manual_seed(recipe.seed)
        self._buckets = recipe.buckets
        self._net = AlignmentNet(3 * recipe.embedding, recipe.width, recipe.dropout)
        self._table = nn.EmbeddingBag(recipe.buckets, recipe.embedding, mode="mean")
        nn.init.normal_(self._table.weight, std=0.5)
        self._all = nn.ModuleDict({"net": self._net, "table": self._table}).to(device)
        self._device = device

    @property
    def module(self) -> nn.Module:
        """Network and table."""
        return self._all

    def logits(self, examples: Sequence[Example]) -> Tensor:
        """Words of both sides through the table, with their neighbours."""
        one, mask = self._side([(e.first, e.language) for e in examples])
        two, other = self._side([(e.second, e.language) for e in examples])
        return _both(self._net(one, two, (mask, other)))

    def _side(self, texts: Sequence[tuple[str, str]]) -> tuple[Tensor, Tensor]:
        rows = [bucket_rows(text, language, self._buckets) for text, language in texts]
        flat = [bucket for row in rows for word in row for bucket in word]
        sizes = [len(word) for row in rows for word in row]
        starts = torch.tensor([0, *sizes[:-1]], device=self._device).cumsum(0)
        words = self._table(torch.tensor(flat, device=self._device), starts)
        longest = max(map(len, rows))
        padded = words.new_zeros(len(rows), longest + 2, words.shape[1])
        mask = torch.zeros(len(rows), longest, dtype=torch.bool, device=self._device)
        parts = words.split([len(row) for row in rows])
        for number, part in enumerate(parts):
            padded[number, 1 : len(part) + 1] = part
            mask[number, : len(part)] = True
        return torch.cat([padded[:, :-2], padded[:, 1:-1], padded[:, 2:]], dim=2), mask

    def save(self, folder: Path) -> None:
        """The file that `aligned(weights=…)` reads."""
        weights = {**_numpy(self._net), "embedding": _numpy(self._table)["weight"]}
        save_weights(folder / FILE, weights)


class OnEncoder:
    """On a translator's encoder, which is not changed: its states are computed once."""

    def __init__(
        self,
        encoder: str,
        examples: Sequence[Example],
        recipe: DetectorRecipe,
        device: torch.device,
    ) -> None:
        self._encoder = encoder
        self._device = device
        self._states = _all_states(encoder, examples, str(device))
        width = next(iter(self._states.values())).shape[1]
        torch.manual_seed(recipe.seed)
        self._net = AlignmentNet(width, recipe.width, recipe.dropout).to(device)

    @property
    def module(self) -> nn.Module:
        """The head alone."""
        return self._net

    def logits(self, examples: Sequence[Example]) -> Tensor:
        """The states of both sides, aligned."""
        one, mask = self._side([(e.language, e.first) for e in examples])
        two, other = self._side([(e.language, e.second) for e in examples])
        return _both(self._net(one, two, (mask, other)))

    def _side(self, keys: Sequence[tuple[str, str]]) -> tuple[Tensor, Tensor]:
        rows = [torch.from_numpy(self._states[key].astype(np.float32)) for key in keys]
        padded = nn.utils.rnn.pad_sequence(rows, batch_first=True).to(self._device)
        sizes = torch.tensor([len(row) for row in rows], device=self._device)
        mask = torch.arange(padded.shape[1], device=self._device)[None, :] < sizes[:, None]
        return padded, mask

    def save(self, folder: Path) -> None:
        """A folder that `encoder-pair:` reads."""
        save_weights(folder / WEIGHTS, _numpy(self._net))
        where = str(Path(self._encoder).expanduser().resolve())
        write_text(folder / CONFIG, json.dumps({"encoder": where}, indent=2))


def _all_states(
    encoder: str, examples: Sequence[Example], device: str
) -> dict[tuple[str, str], np.ndarray]:
    """The states of every distinct text, in half precision to fit in memory."""
    texts: dict[str, dict[str, None]] = {}
    for example in examples:
        texts.setdefault(example.language, {}).update({example.first: None, example.second: None})
    found = {}
    for language, known in texts.items():
        states = encoder_states(encoder, list(known), language, device)
        for text, rows in zip(known, states, strict=True):
            found[language, text] = rows.astype(np.float16)
    return found
