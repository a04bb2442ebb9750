"""Characters and subwords of many texts moved at once: laid end to end, and permuted by index.

The draws are those of `perturb`, text by text; the rest is arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.randomness import Rng
from hyperbaton.language.letters import is_mark
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.drawn import FLIP, FULL, PHRASE, Kind, drawn
from hyperbaton.perturb.perturbation import Variant
from hyperbaton.perturb.subwords import subwords
from hyperbaton.perturb.units import FullShuffle, NeighbourFlip, PhraseShuffle, Units

__all__ = ["Laid", "Places", "vary_together"]


_KINDS: dict[type, Kind] = {FullShuffle: FULL, PhraseShuffle: PHRASE, NeighbourFlip: FLIP}

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
        cut = [subwords(text, self.tokenizer or "") for text in self.texts]
        sizes = np.fromiter(map(len, cut), np.int64, len(cut))
        lengths = np.fromiter(map(len, chain.from_iterable(cut)), np.int64, int(sizes.sum()))
        return sizes, lengths

    def _units(self, perturbation: Units) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Units of each text, and characters of each unit."""
        return self._subwords if perturbation.unit == "subword" else self._letters

    @cached_property
    def _letters(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The same for characters with their marks."""
        codes, where = np.unique(self.codes, return_inverse=True)
        marks = np.fromiter(map(is_mark, map(chr, codes.tolist())), np.bool_, len(codes))
        begins = ~marks[where]
        begins[(np.cumsum(self.lengths) - self.lengths)[self.lengths > 0]] = True
        lengths = np.diff(np.append(np.flatnonzero(begins), len(begins)))
        before = np.concatenate([[0], np.cumsum(begins)])
        ends = np.cumsum(self.lengths)
        return before[ends] - before[ends - self.lengths], lengths

    def orders(
        self, perturbation: Units, ids: Sequence[str], seed: int, draw: int = 0
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Units of each text, and the order of the units within each, all texts end to end."""
        sizes, lengths = self._units(perturbation)
        kind = _KINDS.get(type(perturbation))
        name = str(perturbation)
        if kind is None:  # one of another package
            found = [
                perturbation.permute(size, Rng(seed, item, name, draw)) if size > 1 else range(size)
                for size, item in zip(sizes.tolist(), ids, strict=True)
            ]
            return sizes, np.fromiter(chain.from_iterable(found), np.int64, len(lengths))
        coded = [item.encode() for item in ids]
        ends = np.cumsum(np.fromiter(map(len, coded), np.int64, len(coded)))
        prefix = Rng(seed, "", name, draw).key
        p = getattr(perturbation, "p", 0.0)
        return sizes, drawn(prefix, b"".join(coded), ends, sizes, kind, p)

    def vary(self, perturbation: Units, ids: Sequence[str], seed: int, draw: int = 0) -> Places:
        """Where each character of the varied texts comes from; one unit stays where it is.

        >>> laid = Laid(["typesetting", "x"])
        >>> laid.write(laid.vary(NeighbourFlip(p=0.3), ["1", "2"], seed=0))
        ['typesteting', 'x']
        """
        return self.places(perturbation, *self.orders(perturbation, ids, seed, draw))

    def places(
        self, perturbation: Units, sizes: NDArray[np.int64], orders: NDArray[np.int64]
    ) -> Places:
        """Where each character comes from when units are in these orders."""
        order = orders + np.repeat(np.cumsum(sizes) - sizes, sizes)
        _, lengths = self._units(perturbation)
        if len(order) == len(self.codes):  # a character each
            return order
        moved = lengths[order]
        starts = (np.cumsum(lengths) - lengths)[order] - (np.cumsum(moved) - moved)
        return np.repeat(starts, moved) + np.arange(len(self.codes))

    def write(self, places: Places) -> list[str]:
        """The varied texts."""
        whole = self.codes[places].tobytes().decode("utf-32-le", "surrogatepass")
        ends = np.concatenate([[0], np.cumsum(self.lengths)]).tolist()
        return [whole[begin:end] for begin, end in pairwise(ends)]


def vary_together(
    perturbation: Units, sentences: Sequence[Sentence], seed: int, draw: int
) -> list[Variant | None]:
    """One draw for each sentence; None where it has not two units.

    >>> sentences = [Sentence(("typesetting",), (False,), id="1"), Sentence(("x",), (False,))]
    >>> [made and made.text for made in vary_together(NeighbourFlip(p=0.3), sentences, 0, 0)]
    ['typesteting', None]
    """
    laid = Laid([sentence.text for sentence in sentences], perturbation.tokenizer)
    sizes, orders = laid.orders(perturbation, [s.id for s in sentences], seed, draw)
    texts = laid.write(laid.places(perturbation, sizes, orders))
    flat, ends = orders.tolist(), accumulate(sizes.tolist(), initial=0)
    return [
        Variant(text, tuple(flat[begin:end]), perturbation.unit, text != sentence.text)
        if end - begin > 1
        else None
        for sentence, text, (begin, end) in zip(sentences, texts, pairwise(ends), strict=True)
    ]
