"""Varying texts in many ways: what the damage is, and how an encoder reads them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children
from hyperbaton.encoders.encoder import Read, Reader
from hyperbaton.metrics.structure import Originals
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.perturb.units import Identity, Units
from hyperbaton.studies.structure.laid import Laid
from hyperbaton.tasks.task import Examples

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
    reader: Reader | None = None
    """How the encoder reads; None for a system that takes texts."""
    shown: int = 0
    """Varied texts of each cell that a reader of the report may see."""

    @classmethod
    def of(
        cls,
        examples: Examples,
        cells: Sequence[tuple[int, Perturbation]],
        tokenizer: str | None,
        reader: Reader | None = None,
        shown: int = 0,
    ) -> Variation:
        """The texts of examples, each under a name that decides its draws.

        It is that of its item, then item/1 and so on.
        """
        ids = [
            f"{item}/{place}" if place else item
            for item, some in zip(examples.ids, examples.texts, strict=True)
            for place in range(len(some))
        ]
        texts = [text for some in examples.texts for text in some]
        return cls(ids, texts, cells, tokenizer, reader, shown)


class Varied(NamedTuple):
    """The varied texts, cell after cell."""

    texts: list[str]
    """All, where a system takes texts; otherwise none."""
    read: Read | None
    """What the reader made of them."""
    measures: NDArray[np.float64]
    """Cells × measures, each the mean over texts."""
    shown: list[list[str]]


def checked_settings(settings: Sequence[Perturbation]) -> None:
    """Refuse what moves anything but characters or subwords."""
    for setting in settings:
        moves = isinstance(setting, Units) and setting.unit != "word"
        if not (moves or isinstance(setting, Identity)):
            raise HyperbatonError(
                f"{setting} does not move characters or subwords: choose from FullShuffle, "
                "PhraseShuffle and NeighbourFlip with unit=char or unit=subword"
            )


def vary(job: Variation) -> Varied:
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
    read = None if job.reader is None else job.reader.read(texts)
    tokens = _tokens(job, texts, read)
    lengths = np.tile(laid.lengths, len(job.cells))
    rates = np.divide(lengths, tokens, where=tokens > 0, out=np.zeros(len(tokens)))
    compression = rates.reshape(len(job.cells), -1).mean(axis=1)
    size = len(job.texts)
    return Varied(
        texts if read is None else [],
        read,
        np.column_stack([np.array(rows), compression]),
        [texts[at * size : at * size + job.shown] for at in range(len(job.cells))],
    )


def _tokens(job: Variation, texts: Sequence[str], read: Read | None) -> NDArray[np.float64]:
    """Tokens of each text: those that the model made of it, or the tokenizer makes now."""
    if read is not None and read.tokens is not None:
        return np.asarray(read.tokens, np.float64)
    if job.tokenizer is None:
        return np.zeros(len(texts))
    from hyperbaton.metrics.compression import token_counts

    return np.asarray(token_counts(texts, job.tokenizer), np.float64)


def vary_ahead(jobs: Sequence[Variation], workers: int) -> Iterator[Varied]:
    """What each job makes, in order; processes are a few ahead of the one that takes them."""
    if not workers or len(jobs) < 2:
        yield from map(vary, jobs)
        return
    children = Children(workers)
    try:
        ahead = deque(children.submit(vary, job) for job in jobs[: 2 * workers])
        for job in [*jobs[2 * workers :], *[None] * len(ahead)]:
            made = ahead.popleft().result()
            if job is not None:
                ahead.append(children.submit(vary, job))
            yield made
    except BrokenProcessPool:
        raise HyperbatonError(
            "a worker process was killed, often because memory ran out: "
            "run the same command again with fewer --workers, which resumes the run"
        ) from None
    finally:
        children.close()
