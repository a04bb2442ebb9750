"""Compression: how many characters each token of a tokenizer holds (Clouatre et al. 2022)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.tokenizing import (
    is_unigram,
    load_folder,
    load_json,
    load_sentencepiece,
    load_unigram,
)
from hyperbaton.metrics.metric import Level, Metric, Scores, Segments, Statistics


@dataclass(frozen=True)
class Compression(Metric):
    """Characters a token of the hypothesis; the fewer, the more of the vocabulary is destroyed.

    `tokenizer` is a tokenizer.json, the folder of a transformers tokenizer or a SentencePiece
    model; the latter has no special tokens of its own, so `special` says how many a model adds.
    The reference is not read.
    """

    name: ClassVar[str] = "Compression"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    tokenizer: str
    special: int = 0

    def measure(self, segments: Segments) -> Statistics:
        """Characters and tokens; equal texts are tokenized once."""
        unique = list(dict.fromkeys(segments.hypotheses))
        tokens = dict(zip(unique, token_counts(unique, self.tokenizer), strict=True))
        rows = [(len(text), tokens[text] + self.special) for text in segments.hypotheses]
        return np.array(rows, dtype=np.float64).reshape(-1, 2)

    def from_statistics(self, statistics: Statistics, level: Level) -> Scores:
        """Characters over tokens; a text without a token has 0."""
        characters, tokens = statistics[..., 0], statistics[..., 1]
        return np.divide(characters, tokens, where=tokens > 0, out=np.zeros_like(characters))

    def fields(self, level: Level) -> dict[str, str]:
        """The hash of the tokenizer's files."""
        path = _place(self.tokenizer)
        parts = [path]
        if path.is_dir():
            endings = {".json", ".txt", ".model", ".spm"}
            parts = sorted(part for part in path.iterdir() if part.suffix in endings)
        return {"revision": fingerprint(parts), "special": str(self.special)}


def token_counts(texts: Sequence[str], tokenizer: str) -> list[int]:
    """How many tokens a tokenizer makes of each text, special ones counted."""
    return _counter(tokenizer)(list(texts)) if texts else []


def _place(tokenizer: str) -> Path:
    path = Path(tokenizer).expanduser()
    if not path.exists():
        raise HyperbatonError(
            f"no tokenizer at '{tokenizer}': give a tokenizer.json, a SentencePiece model "
            "or the folder of a transformers tokenizer"
        )
    return path


@lru_cache(maxsize=4)
def _counter(tokenizer: str) -> Callable[[list[str]], list[int]]:
    path = _place(tokenizer)
    if is_unigram(path):
        unigram, characters = load_unigram(path)
        # The model puts a mark before a text and one after it.
        return lambda texts: [
            len(ids) + 2 for ids in unigram.EncodeAsIds(list(map(characters.read, texts)))
        ]
    if path.is_dir():
        folder = load_folder(path)
        return lambda texts: [
            len(ids) for ids in folder(texts, truncation=False, verbose=False)["input_ids"]
        ]
    if path.suffix == ".json":
        tokens = load_json(path)
        return lambda texts: [len(coded.ids) for coded in tokens.encode_batch_fast(texts)]
    pieces = load_sentencepiece(path)
    return lambda texts: [len(ids) for ids in pieces.EncodeAsIds(texts)]
