"""Probes of perturbed sentences: the sentence itself, then every variant of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.corpus.item import Item
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Perturbation, Variant
from hyperbaton.pipeline import IDENTITY, Probe

SLICES = "slices"
"""The column of a probe that holds those of its item."""
_LONGEST = 40
"""A text that is longer is no class."""


def as_written(probe: Probe, item: Item) -> Probe:
    """The probe with the item's own texts wherever only their spaces differ from what was parsed.

    A parser reads single spaces; what a user wrote goes to the translator as it was written, the
    clean source and a variant that comes out unchanged.
    """
    own: dict[str, Any] = {}
    for written, names in (
        (item.source_text, ("source", "varied")),
        (item.reference_text, ("reference", "varied_reference")),
    ):
        plain = None if written is None else " ".join(written.split())
        if written is not None and plain != written:
            own |= {name: written for name in names if getattr(probe, name) == plain}
    return replace(probe, **own) if own else probe


def slices_of(item: Item) -> dict[str, str | None]:
    """The short columns of an item, kept beside its probes so that sentences can be chosen by them.

    >>> slices_of(Item("1", "a", columns={"domain": "news", "note": "x" * 99}))
    {'slices': '{"domain": "news"}'}
    """
    short = {name: value for name, value in item.columns.items() if 0 < len(value) <= _LONGEST}
    return {SLICES: json.dumps(short, ensure_ascii=False) if short else None}


def both_sides(
    source: Sentence,
    reference: Sentence,
    perturbations: Sequence[Perturbation],
    draws: int = 1,
    seed: int = 0,
    independent: bool = False,
    redraws: int = 0,
) -> Iterator[Probe]:
    """Each perturbation of source and reference, where it applies to both.

    The two share a draw unless they are `independent`. `redraws` allows so many further draws
    while either of them comes out as it was.
    """
    yield _unperturbed(source, reference)
    for perturbation in perturbations:
        name = str(perturbation)
        for draw in range(draws if perturbation.random else 1):
            mine = Rng(seed, source.id, name, draw)
            theirs = Rng(seed, source.id, f"{name} of the reference" if independent else name, draw)
            tries = 1 + redraws if perturbation.random else 1
            found = _changed(perturbation, (source, mine), (reference, theirs), tries)
            if found is None:
                break
            yield _probe(source, found[0], reference, found[1], name, draw)


def reference_of(item: Item) -> str | Sentence:
    """The reference of an item, which studies that perturb both sides cannot do without."""
    if item.reference is None:
        raise HyperbatonError(f"item '{item.id}' has no reference, which the study needs")
    return item.reference


def _changed(
    perturbation: Perturbation,
    one: tuple[Sentence, Rng],
    other: tuple[Sentence, Rng],
    tries: int,
) -> tuple[Variant, Variant] | None:
    """Both sides of a draw, the last of the tries if none changes both; None: does not apply."""
    for left in reversed(range(tries)):
        first = perturbation.vary(*one)
        second = None if first is None else perturbation.vary(*other)
        if first is None or second is None:
            return None
        if not left or (first.changed and second.changed):
            return first, second
    return None


def source_side(
    source: Sentence,
    reference: Sentence | None,
    perturbations: Sequence[Perturbation],
    seed: int = 0,
) -> Iterator[Probe]:
    """Each perturbation of the source, where it applies and changes it."""
    yield _unperturbed(source, reference)
    for perturbation in perturbations:
        name = str(perturbation)
        varied = perturbation.vary(source, Rng(seed, source.id, name))
        if varied is not None and varied.changed:
            yield _probe(source, varied, reference, None, name, 0)


def _unperturbed(source: Sentence, reference: Sentence | None) -> Probe:
    """The sentence against itself: the noise of a system."""
    text = None if reference is None else reference.text
    return Probe(
        item=source.id,
        variant=IDENTITY,
        source=source.text,
        varied=source.text,
        reference=text,
        varied_reference=text,
        words=source.words,
        reference_words=None if reference is None else reference.words,
    )


def _probe(
    source: Sentence,
    varied: Variant,
    reference: Sentence | None,
    other: Variant | None,
    name: str,
    draw: int,
) -> Probe:
    moved = varied.unit == "word"
    other_moved = other is not None and other.unit == "word"
    return Probe(
        item=source.id,
        variant=name,
        draw=draw,
        source=source.text,
        varied=varied.text,
        reference=None if reference is None else reference.text,
        varied_reference=None if other is None else other.text,
        words=source.words if moved else None,
        order=varied.order if moved else None,
        reference_words=reference.words if reference and other_moved else None,
        reference_order=other.order if other and other_moved else None,
    )
