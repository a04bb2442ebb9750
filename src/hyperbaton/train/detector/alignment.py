"""The small networks in torch: on words that met their like, and on a frozen encoder's states."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from hyperbaton.base.files import write_text
from hyperbaton.detectors.alignment import save_weights
from hyperbaton.detectors.encoder_pair import CONFIG, WEIGHTS, encoder_states
from hyperbaton.detectors.words import WORD_FEATURES, word_features
from hyperbaton.train.detector.recipe import DetectorRecipe
from hyperbaton.train.detector.training import Example

__all__ = ["AlignmentNet", "OnEncoder", "OnWords", "WordNet"]

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


class WordNet(nn.Module):
    """What hyperbaton.detectors.aligned computes, for batches and with gradients."""

    def __init__(self, width_in: int, width: int, dropout: float) -> None:
        super().__init__()
        self.see = nn.Linear(3 * width_in, width)
        self.compare = nn.Linear(3 * width, width)
        self.hidden = nn.Linear(4 * width, width)
        self.out = nn.Linear(width, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, one: Tensor, two: Tensor, masks: tuple[Tensor, Tensor]) -> Tensor:
        """Log-odds of pairs; sides are pairs × words × features."""
        a, b = (self._pooled(side, mask) for side, mask in zip((one, two), masks, strict=True))
        both = torch.cat([a + b, (a - b).abs()], dim=1)
        logit: Tensor = self.out(self.dropout(torch.relu(self.hidden(self.dropout(both)))))[:, 0]
        return logit

    def _pooled(self, rows: Tensor, mask: Tensor) -> Tensor:
        own = mask[:, :, None]
        seen = torch.relu(self.see(_with_neighbours(rows))) * own
        seen = torch.relu(self.compare(_with_neighbours(self.dropout(seen)))) * own
        return torch.cat([seen.sum(1) / own.sum(1), seen.amax(1)], dim=1)


def _with_neighbours(rows: Tensor) -> Tensor:
    padded = nn.functional.pad(rows, (0, 0, 1, 1))
    return torch.cat([padded[:, :-2], rows, padded[:, 2:]], dim=2)


class OnWords:
    """From scratch, on what each word meets on the other side."""

    def __init__(
        self, examples: Sequence[Example], recipe: DetectorRecipe, device: torch.device
    ) -> None:
        self._device = device
        self._rows = {e: word_features(e.first, e.second, e.language) for e in examples}
        torch.manual_seed(recipe.seed)
        self._net = WordNet(len(WORD_FEATURES), recipe.width, recipe.dropout).to(device)

    @property
    def module(self) -> nn.Module:
        """The whole network."""
        return self._net

    def logits(self, examples: Sequence[Example]) -> Tensor:
        """The words of both sides, pooled and compared."""
        rows = [self._rows[example] for example in examples]
        one, mask = _padded([row[0] for row in rows], self._device)
        two, other = _padded([row[1] for row in rows], self._device)
        return _both(self._net(one, two, (mask, other)))

    def save(self, folder: Path) -> None:
        """The file that `aligned(weights=…)` reads."""
        save_weights(folder / FILE, _numpy(self._net))


def _padded(sides: Sequence[np.ndarray], device: torch.device) -> tuple[Tensor, Tensor]:
    rows = [torch.from_numpy(side.astype(np.float32)) for side in sides]
    padded = nn.utils.rnn.pad_sequence(rows, batch_first=True).to(device)
    sizes = torch.tensor([len(row) for row in rows], device=device)
    return padded, torch.arange(padded.shape[1], device=device)[None, :] < sizes[:, None]


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
        one, mask = _padded([self._states[e.language, e.first] for e in examples], self._device)
        two, other = _padded([self._states[e.language, e.second] for e in examples], self._device)
        return _both(self._net(one, two, (mask, other)))

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
