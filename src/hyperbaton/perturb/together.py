"""Characters and subwords of many sentences moved at once: the variants that `perturb` makes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import accumulate, pairwise

from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.perturbation import Variant
from hyperbaton.perturb.units import Units

__all__ = ["is_worthwhile", "vary_together"]

MANY = 20_000
"""Variants for which the machine code that makes them is worth loading."""


def is_worthwhile(variants: int) -> bool:
    """Whether so many variants are made sooner together: at once where the compiler is loaded."""
    return variants >= MANY or "numba" in sys.modules


def vary_together(
    perturbation: Units, sentences: Sequence[Sentence], seed: int, draw: int
) -> list[Variant | None]:
    """One draw for each sentence; None where it has not two units.

    >>> from hyperbaton.perturb.units import NeighbourFlip
    >>> sentences = [Sentence(("typesetting",), (False,), id="1"), Sentence(("x",), (False,))]
    >>> [made and made.text for made in vary_together(NeighbourFlip(p=0.3), sentences, 0, 0)]
    ['typesteting', None]
    """
    from hyperbaton.perturb.laid import Laid

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
