"""Validation: the loss, and BLEU on pieces of greedy translations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from transformers import MarianMTModel

from hyperbaton.train.batches import IGNORED, Bitext, Draft
from hyperbaton.train.decode import greedy
from hyperbaton.train.vocabulary import EOS, PAD

__all__ = ["Validation", "piece_bleu", "validate"]


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
    right, total = [0] * 4, [0] * 4
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        for n in range(1, 5):
            said = Counter(zip(*(hypothesis[i:] for i in range(n)), strict=False))
            gold = Counter(zip(*(reference[i:] for i in range(n)), strict=False))
            right[n - 1] += (said & gold).total()
            total[n - 1] += said.total()
    if min(right) == 0:
        return 0.0
    length = sum(map(len, hypotheses)), sum(map(len, references))
    brevity = min(0.0, 1 - length[1] / length[0])
    precision = sum(math.log(r / t) for r, t in zip(right, total, strict=True)) / 4
    return 100 * math.exp(brevity + precision)


@torch.inference_mode()
def validate(
    model: MarianMTModel, held_out: Bitext, batch_tokens: int, max_length: int, translate: int
) -> Validation:
    """Loss on all held-out pairs; BLEU and exact matches on the first `translate` of them."""
    model.train(False)
    loss, tokens = 0.0, 0
    for draft in held_out.epoch(0, 0, batch_tokens, 1.0):
        batch = held_out.batch(draft)
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
    batch = held_out.batch(Draft(rows))
    sources = [[i for i in row if i != PAD] for row in batch.input_ids.tolist()]
    return sources, [[i for i in row if i not in (IGNORED, EOS)] for row in batch.labels.tolist()]
