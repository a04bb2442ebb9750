"""Greedy decoding of many sentences at once, for validation and for a teacher's translations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from transformers import MarianMTModel

from hyperbaton.train.vocabulary import EOS, PAD

__all__ = ["greedy"]


@torch.inference_mode()
def greedy(
    model: MarianMTModel,
    sources: Sequence[Sequence[int]],
    max_length: int,
    batch_tokens: int = 65536,
    advance: Callable[[int], None] | None = None,
) -> list[list[int]]:
    """The most probable piece after piece, for encoded sources in any order of length."""
    device = next(model.parameters()).device
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    answers: list[list[int]] = [[] for _ in sources]
    at = 0
    while at < len(order):
        rows = [order[at]]
        while at + len(rows) < len(order):
            widest = len(sources[order[at + len(rows)]])
            if widest * (len(rows) + 1) > batch_tokens:
                break
            rows.append(order[at + len(rows)])
        at += len(rows)
        batch = [sources[i] for i in rows]
        for row, answer in zip(rows, _greedy_batch(model, batch, max_length, device), strict=True):
            answers[row] = answer
        if advance is not None:
            advance(len(rows))
    return answers


def _greedy_batch(
    model: MarianMTModel, batch: Sequence[Sequence[int]], max_length: int, device: torch.device
) -> list[list[int]]:
    width = max(map(len, batch))
    ids = torch.full((len(batch), width), PAD, dtype=torch.long)
    for i, row in enumerate(batch):
        ids[i, : len(row)] = torch.tensor(row)
    mask = (torch.arange(width)[None] < torch.tensor([len(r) for r in batch])[:, None]).long()
    ids, mask = ids.to(device), mask.to(device)
    encoded = model.get_encoder()(input_ids=ids, attention_mask=mask)
    limit = min(max_length, 2 * width + 16)
    words = torch.full((len(batch), 1), PAD, dtype=torch.long, device=device)
    finished = torch.zeros(len(batch), dtype=torch.bool, device=device)
    spoken, memory = [], None
    for step in range(limit):
        out = model(
            encoder_outputs=encoded,
            attention_mask=mask,
            decoder_input_ids=words,
            past_key_values=memory,
            use_cache=True,
        )
        memory = out.past_key_values
        scores = out.logits[:, -1]
        scores[:, PAD] = float("-inf")
        words = scores.argmax(-1, keepdim=True).masked_fill(finished[:, None], EOS)
        spoken.append(words)
        finished |= words[:, 0] == EOS
        # Asking the device stops it, so not at every step.
        if step % 4 == 3 and bool(finished.all()):
            break
    table = torch.cat(spoken, dim=1).tolist()
    return [row[: row.index(EOS)] if EOS in row else row for row in table]
