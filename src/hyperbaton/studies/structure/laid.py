"""Characters and subwords of many texts moved at once: laid end to end, and permuted by index.

The draws are those of `perturb`, text by text; the rest is arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.randomness import Rng
from hyperbaton.language.letters import is_mark
from hyperbaton.perturb.subwords import subwords
from hyperbaton.perturb.units import Units

Places = NDArray[np.int64]
"""The old place of the character at each place, all texts end to end."""


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
