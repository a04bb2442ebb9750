"""Batches of few fixed shapes, so that a GPU can replay a recorded step instead of being told it.

A small model's step is hundreds of short kernels, and telling a GPU what to do takes longer than
doing it. A recorded step (a CUDA graph) has one shape, so rows are sorted into boxes: the widths of
both sides rounded up to a ladder, boxes with too few rows joined to the next square one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hyperbaton.train.batches import Bitext, Draft, Ints

__all__ = ["EMPTY", "Boxes"]

LADDER = np.array([4, 8, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256])
EMPTY = -1
"""The number of a row without text, which fills up the last batch of a box."""


@dataclass(frozen=True)
class Boxes:
    """The box of every row, the widths of each box, and how many rows its batches have."""

    of_row: Ints
    widths: Ints
    sizes: Ints

    @classmethod
    def of(cls, data: Bitext, batch_tokens: int) -> Boxes:
        """Sort the rows of a corpus into boxes."""
        sides = np.stack([_up(data.source_lengths), _up(data.target_lengths)], axis=1)
        widths, of_row, counts = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
        # A box that does not fill one batch is not worth a shape of its own.
        widest = widths.max(axis=1)
        small = counts * widest < batch_tokens
        widths[small] = widest[small][:, None]
        widths, again = np.unique(widths, axis=0, return_inverse=True)
        sizes = np.maximum(batch_tokens // widths.max(axis=1), 1)
        sizes = np.where(sizes >= 8, sizes // 8 * 8, sizes)
        return cls(again.reshape(-1)[of_row.reshape(-1)], widths, sizes)

    def epoch(self, data: Bitext, seed: int, number: int, temperature: float) -> list[Draft]:
        """All batches of an epoch in random order; the rows of a box are mixed anew each time."""
        generator = np.random.default_rng([seed, number])
        rows = generator.permutation(data.draw(generator, temperature))
        kinds = self.of_row[rows]
        rows = rows[np.argsort(kinds, kind="stable")]
        starts = np.searchsorted(np.sort(kinds), np.arange(len(self.widths) + 1))
        drafts = []
        for box, size in enumerate(self.sizes.tolist()):
            members = rows[starts[box] : starts[box + 1]]
            lacking = -len(members) % size
            members = np.concatenate([members, np.full(lacking, EMPTY)])
            width = (int(self.widths[box, 0]), int(self.widths[box, 1]))
            drafts += [Draft(part, width) for part in members.reshape(-1, size)]
        return [drafts[i] for i in generator.permutation(len(drafts))]


def _up(lengths: Ints) -> Ints:
    """Each length rounded up to the ladder; beyond its end, to the longest length."""
    ladder = LADDER if lengths.max() <= LADDER[-1] else np.append(LADDER, lengths.max())
    return ladder[np.searchsorted(ladder, lengths)]
