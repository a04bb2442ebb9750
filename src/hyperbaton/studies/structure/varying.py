"""Varying texts in many ways: what the damage is, and how an encoder reads them.

Many texts are laid end to end and permuted by index; the draws are those of `perturb`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import Children
from hyperbaton.base.randomness import Rng
from hyperbaton.encoders.encoder import Read, Reader
from hyperbaton.language.letters import is_mark
from hyperbaton.metrics.structure import Originals
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.perturb.subwords import subwords
from hyperbaton.perturb.units import Identity, Units
from hyperbaton.tasks.task import Examples

MEASURES = ("chrF-2", "IDC", "Comp")
"""The share of character bigrams that is left, how far characters went, characters a token."""
Places = NDArray[np.int64]
"""The old place of the character at each place, all texts end to end."""


@dataclass(frozen=True)
class Variation:
    """Texts, and the cells that are made of them: a seed and a perturbation each."""

    ids: Sequence[str]
    texts: Sequence[str]
    cells: Sequence[tuple[int, Perturbation]]
    tokenizer: str | None
    """What makes subwords and tokens, as `hyperbaton.perturb.units` opens it."""
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


@dataclass(frozen=True)
class Laid:
    """Texts laid end to end, with the lengths of their units; `tokenizer` cuts into subwords."""

    texts: Sequence[str]
    tokenizer: str | None = None

    @cached_property
    def codes(self) -> NDArray[np.int32]:
        """The characters as numbers."""
        raw = "".join(self.texts).encode("utf-32-le", "surrogatepass")
        return np.frombuffer(raw, np.int32)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Characters of each text."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def _subwords(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Subwords of each text, and characters of each subword."""
        cut = [subwords(text, self.tokenizer or "") for text in self.texts]
        sizes = np.fromiter(map(len, cut), np.int64, len(cut))
        lengths = np.fromiter(map(len, chain.from_iterable(cut)), np.int64, int(sizes.sum()))
        return sizes, lengths

    @cached_property
    def _letters(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same for letters with their marks."""
        codes, where = np.unique(self.codes, return_inverse=True)
        marks = np.fromiter(map(is_mark, map(chr, codes.tolist())), np.bool_, len(codes))
        begins = ~marks[where]
        begins[(np.cumsum(self.lengths) - self.lengths)[self.lengths > 0]] = True
        lengths = np.diff(np.append(np.flatnonzero(begins), len(begins)))
        before = np.concatenate([[0], np.cumsum(begins)])
        ends = np.cumsum(self.lengths)
        return before[ends] - before[ends - self.lengths], lengths

    def vary(self, perturbation: Units, ids: Sequence[str], seed: int, draw: int = 0) -> Places:
        """Where each character of the varied texts comes from; one unit stays where it is.

        >>> from hyperbaton.perturb.units import NeighbourFlip
        >>> laid = Laid(["typesetting", "x"])
        >>> laid.write(laid.vary(NeighbourFlip(p=0.3), ["1", "2"], seed=0))
        ['typesteting', 'x']
        """
        sizes, lengths = self._subwords if perturbation.unit == "subword" else self._letters
        name = str(perturbation)
        orders = chain.from_iterable(
            perturbation.permute(size, Rng(seed, item, name, draw)) if size > 1 else range(size)
            for size, item in zip(sizes.tolist(), ids, strict=True)
        )
        within = np.fromiter(orders, np.int64, len(lengths))
        order = within + np.repeat(np.cumsum(sizes) - sizes, sizes)
        if len(order) == len(self.codes):  # a character each
            return order
        moved = lengths[order]
        starts = (np.cumsum(lengths) - lengths)[order] - (np.cumsum(moved) - moved)
        return np.repeat(starts, moved) + np.arange(len(self.codes))

    def write(self, places: Places) -> list[str]:
        """The varied texts."""
        text = self.codes[places].tobytes().decode("utf-32-le", "surrogatepass")
        ends = np.concatenate([[0], np.cumsum(self.lengths)]).tolist()
        return [text[begin:end] for begin, end in pairwise(ends)]
