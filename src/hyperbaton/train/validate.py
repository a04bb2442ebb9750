"""Validation: the loss, and BLEU on pieces of greedy translations; a teacher translates so too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from transformers import MarianMTModel

from hyperbaton.base.batches import by_length
from hyperbaton.metrics import METRICS
from hyperbaton.train.batches import IGNORED, Bitext
from hyperbaton.train.vocabulary import EOS, PAD


@dataclass(frozen=True)
class Validation:
    """Cross-entropy per piece without smoothing, BLEU on pieces, and exact matches."""

    loss: float
    bleu: float
    exact: float


def piece_bleu(hypotheses: Sequence[Sequence[int]], references: Sequence[Sequence[int]]) -> float:
    """Corpus BLEU-4 in [0, 100] on sequences of numbers, unsmoothed.

    >>> round(piece_bleu([[1, 2, 3, 4, 5]], [[1, 2, 3, 4, 6]]), 2)
    66.87
    """
    both = [[" ".join(map(str, row)) for row in rows] for rows in (hypotheses, references)]
    return 100 * METRICS.parse("BLEU(tokens=none, smooth=none)").corpus_score(*both)


@torch.inference_mode()
def validate(
    model: MarianMTModel, held_out: Bitext, batch_tokens: int, max_length: int, translate: int
) -> Validation:
    """Loss on all held-out pairs; BLEU and exact matches on the first `translate` of them."""
    model.train(False)
    loss, tokens = 0.0, 0
    for places in held_out.epoch(0, 0, batch_tokens, 1.0):
        batch = held_out.batch(places)
        logits = model(
            input_ids=batch.input_ids,
            attention_mask=batch.attention_mask,
            decoder_input_ids=batch.decoder_input_ids,
        ).logits
        each = torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1),
            batch.labels.flatten(),
            ignore_index=IGNORED,
            reduction="sum",
        )
        loss += float(each)
        tokens += int((batch.labels != IGNORED).sum())
    rows = np.linspace(0, len(held_out) - 1, min(translate, len(held_out))).astype(np.int64)
    sources, references = _rows(held_out, rows)
    spoken = greedy(model, sources, max_length, batch_tokens)
    exact = sum(a == b for a, b in zip(spoken, references, strict=True)) / len(rows)
    return Validation(loss / tokens, piece_bleu(spoken, references), exact)


def _rows(held_out: Bitext, rows: np.ndarray) -> tuple[list[list[int]], list[list[int]]]:
    batch = held_out.batch(rows)
    sources = [[i for i in row if i != PAD] for row in batch.input_ids.tolist()]
    return sources, [[i for i in row if i not in (IGNORED, EOS)] for row in batch.labels.tolist()]


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
    answers: list[list[int]] = [[] for _ in sources]
    for places in by_length([len(row) for row in sources], batch_tokens):
        batch = [sources[place] for place in places]
        for place, answer in zip(
            places, _greedy_batch(model, batch, max_length, device), strict=True
        ):
            answers[place] = answer
        if advance is not None:
            advance(len(places))
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
