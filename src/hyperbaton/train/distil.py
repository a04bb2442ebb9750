"""Sequence-level distillation (Kim and Rush 2016): a teacher's translations as training text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import torch
from transformers import MarianMTModel

from hyperbaton.base.files import atomic_write
from hyperbaton.base.progress import progress
from hyperbaton.hub import Source, load_model, resolve
from hyperbaton.train.validate import greedy
from hyperbaton.train.vocabulary import EOS, Vocabulary


class Teacher:
    """A trained translator folder, open for fast greedy translation."""

    def __init__(self, folder: Path, device: torch.device) -> None:
        self.vocabulary = Vocabulary.load(folder / "source.spm")
        kind = torch.bfloat16 if device.type == "cuda" else torch.float32
        loaded = load_model("MarianMTModel", resolve(Source(str(folder))), dtype=kind)
        self._model = cast(MarianMTModel, loaded)
        torch.nn.Module.to(self._model, device)
        self._model.train(False)

    def translate(
        self, texts: Sequence[str], target: str, max_length: int = 96, batch_tokens: int = 65536
    ) -> list[str | None]:
        """Greedy translations; None for a text too long, and where no end was found."""
        token = self.vocabulary.token(target)
        encoded = self.vocabulary.encode(texts)
        kept = [i for i, ids in enumerate(encoded) if 0 < len(ids) <= max_length - 2]
        sources = [[token, *encoded[i], EOS] for i in kept]
        with progress(f"translating into {target}", len(kept)) as advance:
            rows = greedy(self._model, sources, max_length, batch_tokens, advance)
        texts_out = self.vocabulary.decode(rows)
        answers: list[str | None] = [None] * len(texts)
        for i, source, row, text in zip(kept, sources, rows, texts_out, strict=True):
            if row and len(row) < min(max_length, 2 * len(source) + 16):
                answers[i] = text
        return answers


def write_pairs(path: Path, sources: Sequence[str], targets: Sequence[str | None]) -> int:
    """Write the pairs that have a translation as tab-separated text; returns how many."""
    count = 0
    with atomic_write(path) as file:
        for line in _lines(sources, targets):
            file.write(line.encode())
            count += 1
    return count


def _lines(sources: Sequence[str], targets: Sequence[str | None]) -> Iterator[str]:
    for source, target in zip(sources, targets, strict=True):
        if target and "\t" not in source and "\t" not in target:
            yield f"{source}\t{target}\n"
