"""What a perturbation did to the structure of a text: displacement, vocabulary (Clouatre 2022).

The third measure of that study, the F-score of character bigrams, is `bigramF`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.tokenizing import (
    is_unigram,
    load_folder,
    load_json,
    load_sentencepiece,
    load_unigram,
)
from hyperbaton.metrics.bigram import bigramF
from hyperbaton.metrics.metric import Level, Metric, Scores, Statistics
from hyperbaton.metrics.segments import Segments

__all__ = [
    "Compression",
    "bigramF",
    "compression_rates",
    "displacement",
    "idc",
    "moved",
    "token_counts",
]

Places = NDArray[np.intp]
Measure = Callable[[Places, Places], NDArray[np.intp] | NDArray[np.bool_]]
"""From the places of units and their old places: a number for each unit."""
Count = Callable[[Sequence[str]], list[int]]
"""How many tokens each text has, those that open and close it counted."""


def displacement(orders: Sequence[Sequence[int]]) -> Scores:
    """How many places a unit went on average, for each order.

    >>> displacement([(2, 1, 0), (0, 1), ()]).round(3)
    array([1.333, 0.   , 0.   ])
    """
    return _mean_over_units(orders, lambda places, olds: np.abs(places - olds))


def idc(orders: Sequence[Sequence[int]]) -> Scores:
    """Index displacement count of each order: the mean distance a unit went, over the length.

    Expand an order of words or subwords to characters first (`language.sentence.expand`).

    >>> idc([(0, 1, 2, 3), (3, 2, 1, 0), (1, 0, 2, 3), ()])
    array([0.   , 0.5  , 0.125, 0.   ])
    """
    lengths = np.array([len(order) for order in orders], dtype=np.intp)
    return displacement(orders) / np.maximum(lengths, 1)


def moved(orders: Sequence[Sequence[int]]) -> Scores:
    """The share of units that stand elsewhere than before, for each order.

    >>> moved([(0, 2, 1, 3), ()])
    array([0.5, 0. ])
    """
    return _mean_over_units(orders, lambda places, olds: places != olds)


def _mean_over_units(orders: Sequence[Sequence[int]], measure: Measure) -> Scores:
    lengths = np.array([len(order) for order in orders], dtype=np.intp)
    if not lengths.sum():
        return np.zeros(len(orders))
    olds = np.concatenate([np.asarray(order, dtype=np.intp) for order in orders])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.arange(len(olds)) - np.repeat(starts[:-1], lengths)
    sums = np.concatenate([[0], np.cumsum(measure(places, olds))])
    total = sums[starts[1:]] - sums[starts[:-1]]
    return np.asarray(total / np.maximum(lengths, 1), dtype=np.float64)


def token_counts(texts: Sequence[str], tokenizer: str) -> list[int]:
    """How many tokens a tokenizer makes of each text, special ones counted."""
    return _counter(tokenizer)(texts)


def compression_rates(texts: Sequence[str], tokenizer: str) -> Scores:
    """Characters for each token that a tokenizer makes of each text, special tokens counted."""
    metric = Compression(tokenizer=tokenizer)
    return metric.sentence_scores(texts, texts)


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
        count = _counter(self.tokenizer)
        unique = list(dict.fromkeys(segments.hypotheses))
        tokens = dict(zip(unique, count(unique), strict=True)) if unique else {}
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


def _place(tokenizer: str) -> Path:
    path = Path(tokenizer).expanduser()
    if not path.exists():
        raise HyperbatonError(
            f"no tokenizer at '{tokenizer}': give a tokenizer.json, a SentencePiece model "
            "or the folder of a transformers tokenizer"
        )
    return path


@lru_cache(maxsize=4)
def _counter(tokenizer: str) -> Count:
    path = _place(tokenizer)
    if is_unigram(path):
        return _unigram_counts(path)
    if path.is_dir():
        return _folder_counts(path)
    return _json_counts(path) if path.suffix == ".json" else _piece_counts(path)


def _json_counts(path: Path) -> Count:
    tokenizer = load_json(path)

    def counts(texts: Sequence[str]) -> list[int]:
        return [len(coded.ids) for coded in tokenizer.encode_batch_fast(list(texts))]

    return counts


def _folder_counts(path: Path) -> Count:
    tokenizer = load_folder(path)

    def counts(texts: Sequence[str]) -> list[int]:
        coded = tokenizer(list(texts), add_special_tokens=True, truncation=False, verbose=False)
        return [len(ids) for ids in coded["input_ids"]]

    return counts


def _unigram_counts(folder: Path) -> Count:
    processor, characters = load_unigram(folder)

    def counts(texts: Sequence[str]) -> list[int]:
        read = list(map(characters.read, texts))
        # The model puts a mark before a text and one after it.
        return [len(ids) + 2 for ids in processor.EncodeAsIds(read)]

    return counts


def _piece_counts(path: Path) -> Count:
    processor = load_sentencepiece(path)

    def counts(texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in processor.EncodeAsIds(list(texts))]

    return counts
