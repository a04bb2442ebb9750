"""Encoded pairs in flat arrays, and the batches of an epoch: a function of seed and number only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
import torch

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.train.bitext import Direction
from hyperbaton.train.vocabulary import EOS, PAD, Vocabulary

Ints = npt.NDArray[np.int64]
IGNORED = -100
"""The label of padding, which the loss leaves out."""


@dataclass(frozen=True)
class Batch:
    """Padded rows for one step: what the encoder reads, what the decoder reads and must say."""

    input_ids: torch.Tensor
    attention_mask: torch.Tensor
    decoder_input_ids: torch.Tensor
    labels: torch.Tensor


@dataclass(frozen=True)
class Rows:
    """Rows of pieces laid end to end, with the length of each."""

    flat: npt.NDArray[np.int32]
    lengths: Ints

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> Rows:
        """Lay rows end to end."""
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        return cls(np.fromiter(chain.from_iterable(rows), np.int32, int(lengths.sum())), lengths)

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Several in one."""
        return cls(
            np.concatenate([part.flat for part in parts]),
            np.concatenate([part.lengths for part in parts]),
        )


class Bitext:
    """Sources and targets as flat arrays of pieces with offsets, held on one device."""

    def __init__(
        self, sources: Rows, targets: Rows, directions: Ints, device: torch.device
    ) -> None:
        self.source_lengths, self.target_lengths = sources.lengths, targets.lengths
        self.directions = directions
        self._source, self._source_start = _placed(sources, device)
        self._target, self._target_start = _placed(targets, device)
        self._device = device

    def __len__(self) -> int:
        return len(self.source_lengths)

    def batch(self, rows: Ints) -> Batch:
        """The padded tensors of these rows."""
        source, real = self._gather(self._source, self._source_start, self.source_lengths, rows)
        labels, spoken = self._gather(self._target, self._target_start, self.target_lengths, rows)
        # As in Marian, the decoder starts with the padding token and reads the target shifted.
        start = torch.full_like(labels[:, :1], PAD)
        return Batch(
            source,
            real.long(),
            torch.cat([start, labels[:, :-1]], dim=1),
            labels.masked_fill(~spoken, IGNORED),
        )

    def _gather(
        self, flat: torch.Tensor, starts: torch.Tensor, lengths: Ints, rows: Ints
    ) -> tuple[torch.Tensor, torch.Tensor]:
        # Widths in steps of four keep the number of shapes, and so of kernels, small.
        width = -(-int(lengths[rows].max()) // 4) * 4
        both = torch.from_numpy(np.stack([rows, lengths[rows]])).to(self._device)
        columns = torch.arange(width, device=self._device)
        real = columns < both[1][:, None]
        places = (starts[both[0]][:, None] + columns).clamp(max=len(flat) - 1)
        return flat[places].long().masked_fill(~real, PAD), real

    def spoken(self, rows: Ints) -> int:
        """How many labels a batch has."""
        return int(self.target_lengths[rows].sum())

    def epoch(self, seed: int, number: int, batch_tokens: int, temperature: float) -> list[Ints]:
        """The batches of an epoch: rows alike in length together, in random order."""
        generator = np.random.default_rng([seed, number])
        rows = self.draw(generator, temperature)
        # Noise in the sort key mixes the batches from one epoch to the next.
        key = np.floor(self.target_lengths[rows] + generator.random(len(rows)) * 1.5)
        rows = rows[np.lexsort((self.source_lengths[rows], key))]
        widths = np.maximum(self.source_lengths, self.target_lengths)
        batches = list(_cut(rows, widths, batch_tokens))
        return [batches[i] for i in generator.permutation(len(batches))]

    def draw(self, generator: np.random.Generator, temperature: float) -> Ints:
        """The rows of an epoch; a temperature above 1 repeats those of small directions."""
        if temperature == 1.0:
            return np.arange(len(self))
        kinds, counts = np.unique(self.directions, return_counts=True)
        shares = counts.astype(float) ** (1 / temperature)
        wanted = np.round(shares / shares.sum() * len(self)).astype(int)
        chosen = []
        for kind, count, want in zip(kinds, counts, wanted, strict=True):
            members = np.flatnonzero(self.directions == kind)
            whole, rest = divmod(int(want), int(count))
            chosen += [members] * whole + [generator.permutation(members)[:rest]]
        return np.concatenate(chosen)


def _cut(rows: Ints, widths: Ints, batch_tokens: int) -> Iterator[Ints]:
    """Runs of rows whose padded size stays within the batch; at least one row each."""
    padded = -(-widths[rows] // 4) * 4
    start = 0
    while start < len(rows):
        size = max(int(batch_tokens // padded[start]), 1)
        size = max(int(batch_tokens // padded[start : start + size].max()), 1)
        yield rows[start : start + size]
        start += size


def _placed(rows: Rows, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    starts = np.concatenate([[0], np.cumsum(rows.lengths)[:-1]]).astype(np.int64)
    return torch.from_numpy(rows.flat).to(device), torch.from_numpy(starts).to(device)


def encode_directions(
    directions: Sequence[Direction],
    vocabulary: Vocabulary,
    max_length: int,
    device: torch.device,
) -> Bitext:
    """Encode all directions: tokens of language and mode first, end mark last, no long pairs."""
    encoded = [_encode(direction, vocabulary, max_length) for direction in directions]
    sizes = [len(sources.lengths) for sources, _ in encoded]
    if not sum(sizes):
        raise HyperbatonError(
            f"every pair is longer than {max_length} pieces: raise it with --set max_length=N"
        )
    return Bitext(
        Rows.joined([sources for sources, _ in encoded]),
        Rows.joined([targets for _, targets in encoded]),
        np.repeat(np.arange(len(directions)), sizes),
        device,
    )


def _encode(direction: Direction, vocabulary: Vocabulary, max_length: int) -> tuple[Rows, Rows]:
    tokens = [vocabulary.token(direction.target)]
    tokens += [vocabulary.token(direction.mode, "mode")] if direction.mode else []
    left = vocabulary.encode([source for source, _ in direction.pairs])
    right = vocabulary.encode([target for _, target in direction.pairs])
    kept = [
        (source, target)
        for source, target in zip(left, right, strict=True)
        if source and target and max(len(tokens) + len(source) + 1, len(target) + 1) <= max_length
    ]
    sources = Rows.of([[*tokens, *source, EOS] for source, _ in kept])
    return sources, Rows.of([[*target, EOS] for _, target in kept])
