"""What a worker does for some cells: vary texts, measure the damage, read them for encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders.encoder import Read, Reader
from hyperbaton.metrics.structure import Originals
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.perturb.together import Laid
from hyperbaton.perturb.units import Identity, Units

__all__ = ["MEASURES", "Made", "Variation", "checked_settings", "variation_ids", "vary"]

MEASURES = ("chrF-2", "IDC", "Comp")
"""The share of character bigrams that is left, how far characters went, characters a token."""


@dataclass(frozen=True)
class Variation:
    """Texts, and the cells that are made of them: a seed and a perturbation each."""

    ids: Sequence[str]
    texts: Sequence[str]
    cells: Sequence[tuple[int, Perturbation]]
    tokenizer: str | None
    """What makes subwords and tokens, as `hyperbaton.perturb.subwords` opens it."""
    readers: Sequence[Reader | None]
    """How each encoder reads; None for a system that takes texts."""
    shown: int
    """Varied texts of each cell that a reader of the report may see."""


class Made(NamedTuple):
    """The varied texts, cell after cell."""

    texts: list[str]
    """All, where a system takes texts; otherwise none."""
    inputs: list[Read | None]
    """What the readers made of them, in their order."""
    measures: NDArray[np.float64]
    """Cells × measures, each the mean over texts."""
    shown: list[list[str]]


def variation_ids(items: Sequence[str], texts: Sequence[Sequence[str]]) -> list[str]:
    """A name for every text, which decides its draws: that of its item, then item/1 and so on.

    >>> variation_ids(["7"], [("premise", "hypothesis")])
    ['7', '7/1']
    """
    return [
        f"{item}/{place}" if place else item
        for item, some in zip(items, texts, strict=True)
        for place in range(len(some))
    ]


def checked_settings(settings: Sequence[Perturbation]) -> None:
    """Refuse what moves anything but characters or subwords."""
    for setting in settings:
        moves = isinstance(setting, Units) and setting.unit != "word"
        if not (moves or isinstance(setting, Identity)):
            raise HyperbatonError(
                f"{setting} does not move characters or subwords: choose from FullShuffle, "
                "PhraseShuffle and NeighbourFlip with unit=char or unit=subword"
            )


def vary(job: Variation) -> Made:
    """Do it: the same draws as `perturb`, whatever else is in the batch."""
    laid = Laid(job.texts, job.tokenizer)
    originals = Originals(laid.codes, laid.lengths)
    texts: list[str] = []
    rows = []
    for seed, setting in job.cells:
        places = (
            laid.vary(setting, job.ids, seed)
            if isinstance(setting, Units)
            else np.arange(len(laid.codes))
        )
        texts += laid.write(places)
        rows.append((originals.bigram_f(places).mean(), originals.idc(places).mean()))
    inputs = [None if reader is None else reader.read(texts) for reader in job.readers]
    tokens = _tokens(job, texts, inputs)
    lengths = np.tile(laid.lengths, len(job.cells))
    rates = np.divide(lengths, tokens, where=tokens > 0, out=np.zeros(len(tokens)))
    compression = rates.reshape(len(job.cells), -1).mean(axis=1)
    size = len(job.texts)
    return Made(
        texts if None in job.readers else [],
        inputs,
        np.column_stack([np.array(rows), compression]),
        [texts[at * size : at * size + job.shown] for at in range(len(job.cells))],
    )


def _tokens(
    job: Variation, texts: Sequence[str], inputs: Sequence[Read | None]
) -> NDArray[np.float64]:
    """Tokens of each text: those that a model made of it, or the tokenizer makes now."""
    for read in inputs:
        if read is not None and read.tokens is not None:
            return np.asarray(read.tokens, np.float64)
    if job.tokenizer is None:
        return np.zeros(len(texts))
    from hyperbaton.metrics.compression import token_counts

    return np.asarray(token_counts(texts, job.tokenizer), np.float64)
