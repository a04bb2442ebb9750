"""Rows of token numbers: cut into batches by tokens, padded, and run with few surprises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

__all__ = ["pad", "token_batches"]


def token_batches(lengths: Mapping[int, int], limit: int) -> Iterator[list[int]]:
    """Keys in batches, the longest first, so that rows times longest stays within the limit.

    >>> list(token_batches({0: 3, 1: 9, 2: 4, 3: 3}, limit=12))
    [[1], [2, 0, 3]]
    """
    batch: list[int] = []
    longest = 0
    for key in sorted(lengths, key=lambda key: -lengths[key]):
        if batch and longest * (len(batch) + 1) > limit:
            yield batch
            batch = []
        if not batch:
            longest = lengths[key]
        batch.append(key)
    if batch:
        yield batch


def pad(
    rows: Sequence[Sequence[int]],
    filler: int,
    device: torch.device,
    side: Literal["left", "right"] = "right",
) -> tuple[torch.Tensor, torch.Tensor]:
    """The rows as one tensor, and the mask of what is not padding."""
    import torch

    width = max(map(len, rows))
    gaps = [[filler] * (width - len(row)) for row in rows]
    masks = [[0] * len(gap) for gap in gaps]
    if side == "left":
        numbers = [[*gap, *row] for row, gap in zip(rows, gaps, strict=True)]
        mask = [[*gap, *[1] * len(row)] for row, gap in zip(rows, masks, strict=True)]
    else:
        numbers = [[*row, *gap] for row, gap in zip(rows, gaps, strict=True)]
        mask = [[*[1] * len(row), *gap] for row, gap in zip(rows, masks, strict=True)]
    return torch.tensor(numbers, device=device), torch.tensor(mask, device=device)
