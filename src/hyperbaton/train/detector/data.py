"""Labelled pairs for training, validation and test; an item never stands on two sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.paraphrases import LabelledPair, read_labelled_pairs
from hyperbaton.detectors import Detector
from hyperbaton.detectors.scoring import Quality, quality
from hyperbaton.train.recipe import Settings

Data = Mapping[str, Sequence[LabelledPair]]


@dataclass(frozen=True)
class Splits:
    """The pairs of each language, for three uses."""

    train: Data
    validation: Data
    test: Data


def read_splits(
    data: Mapping[str, Path],
    validation: Mapping[str, Path],
    test: Mapping[str, Path],
    shares: tuple[float, float],
    seed: int,
) -> Splits:
    """Files of their own where they are given, else shares (validation, test) of the data.

    Shares are drawn by line: the files of PAWS-X are translations of one another line by line, so
    a line that is tested in one language must not be trained on in another.
    """
    if not data:
        raise HyperbatonError("no labelled pairs: give --data de=FILE.tsv")
    if not (min(shares) >= 0 and sum(shares) < 1):
        raise HyperbatonError(f"shares of {shares[0]} and {shares[1]} leave nothing to train on")
    everything = {language: read_labelled_pairs(path) for language, path in data.items()}
    watched, tested = (0.0 if validation else shares[0]), shares[1]
    parts: tuple[dict[str, list[LabelledPair]], ...] = ({}, {}, {})
    for language, pairs in everything.items():
        for part in parts:
            part[language] = []
        for pair in pairs:
            place = _place(pair.row, seed)
            which = 1 if place < watched else 2 if place < watched + tested else 0
            parts[which][language].append(pair)
    train, held, apart = parts
    return Splits(
        {language: pairs for language, pairs in train.items() if pairs},
        {language: pairs for language, pairs in held.items() if pairs}
        | {language: read_labelled_pairs(path) for language, path in validation.items()},
        {language: pairs for language, pairs in apart.items() if pairs}
        | {language: read_labelled_pairs(path) for language, path in test.items()},
    )


def _place(row: int, seed: int) -> float:
    """Where a line falls between 0 and 1, the same for every language."""
    digest = blake2b(f"{seed} {row}".encode(), digest_size=8).digest()
    return float(int.from_bytes(digest, "little") / 2**64)


def with_unrelated(data: Data, share: float, seed: int) -> Data:
    """The pairs, and so many more of sentences that do not belong together, labelled 0.

    PAWS-X has none: its pairs share nearly all their words, so a detector that knows nothing else
    can take two sentences without a common word for anything. Of every other one only the first
    word is left: that is not a paraphrase of a sentence either.
    """
    return {language: _more(pairs, share, seed) for language, pairs in data.items()}


def _more(pairs: Sequence[LabelledPair], share: float, seed: int) -> list[LabelledPair]:
    rng = np.random.default_rng(seed)
    wanted = round(share * len(pairs)) if len(pairs) > 1 else 0
    chosen = rng.choice(len(pairs), wanted, replace=wanted > len(pairs))
    # Another line than its own, each as likely.
    others = (chosen + rng.integers(1, max(len(pairs), 2), wanted)) % len(pairs)
    return [
        *pairs,
        *(
            LabelledPair(pairs[one].first, _begun(pairs[other].second, n), 0, pairs[one].row)
            for n, (one, other) in enumerate(zip(chosen, others, strict=True))
        ),
    ]


def _begun(text: str, number: int) -> str:
    return text.split()[0] if number % 2 else text


def measured(detector: Detector, test: Data) -> dict[str, Quality]:
    """How good a detector is in each language."""
    return {
        language: quality(
            detector.probabilities(
                [pair.first for pair in pairs], [pair.second for pair in pairs], language
            ),
            [pair.label for pair in pairs],
        )
        for language, pairs in test.items()
    }


@dataclass(frozen=True)
class DetectorRecipe(Settings):
    """Optimisation of a detector; the defaults are the isometry paper's for base models."""

    epochs: int = 10
    batch: int = 32
    """Pairs on the device at once."""
    accumulate: int = 1
    """Batches whose gradients make one step."""
    learning_rate: float = 2e-5
    betas: tuple[float, float] = (0.9, 0.999)
    weight_decay: float = 0.0
    clip: float = 1.0
    max_tokens: int = 128
    precision: Literal["fp32", "bf16"] = "fp32"
    unrelated: float = 0.0
    """How many pairs more, as a share: sentences that do not belong together, labelled 0."""
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.epochs, self.batch, self.accumulate) < 1:
            raise HyperbatonError("epochs, batch and accumulate must be at least 1")
        if self.max_tokens < 8:
            raise HyperbatonError("max_tokens must be at least 8")
        if not 0 <= self.unrelated <= 1:
            raise HyperbatonError(f"unrelated is a share from 0 to 1, not {self.unrelated}")


DETECTOR_PRESETS: dict[str, DetectorRecipe] = {
    # Shankar 2021: mBERT base and XLM-R base.
    "base": DetectorRecipe(),
    # The same for XLM-R large: 8 pairs at a time, 4 times.
    "large": DetectorRecipe(batch=8, accumulate=4, learning_rate=1e-6),
}
