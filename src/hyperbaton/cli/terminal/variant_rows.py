"""Variants as rows of JSON Lines or TSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hyperbaton.language.sentence import Sentence, expand
from hyperbaton.perturb import Draw, Perturbation, Reordering, Variant

Texts = Mapping[int, str]
"""What was written, by the `id` of the sentence that was made of it."""

FIELDS = (
    *("item", "variant", "draw", "seed", "applies", "changed", "source", "varied", "unit"),
    *("order", "idc", "bigram_f", "displacement", "moved", "category", "possible", "scheme"),
    "parser",
)
PAIR_FIELDS = ("reference", "varied_reference", "reference_order")


TYPES = "types"
"""The field with the types of errors, where errors are made."""


def header(pair: bool, typed: bool = False) -> str:
    """The first line of a TSV file."""
    return "\t".join((*FIELDS, *(TYPES,) * typed, *PAIR_FIELDS * pair))


class Shown(NamedTuple):
    """A draw with what was written: a parser reads single spaces, a reader gets his own."""

    sentence: Sentence
    perturbation: Perturbation
    draw: int
    variant: Variant | None
    written: str

    @property
    def varied(self) -> str | None:
        """The text of the variant; what was written, where it comes out unchanged."""
        if self.variant is None:
            return None
        return self.variant.text if self.variant.changed else self.written


def as_written(draws: Iterable[Draw], texts: Texts) -> list[Shown]:
    """Draws with the texts of their sentences.

    An order of characters speaks of those that were moved, so their text stands beside it.
    """
    found = []
    for draw in draws:
        unit = draw.variant and draw.variant.unit
        own = draw.sentence.text if unit in ("char", "subword") else texts[id(draw.sentence)]
        found.append(Shown(*draw, own))
    return found


class Measures(NamedTuple):
    """What a reordering did; `displacement` and `moved` count units, `idc` characters."""

    idc: float
    bigram_f: float
    displacement: float
    moved: float


def measured(draws: Sequence[Draw | Shown]) -> list[Measures | None]:
    """The measures of each variant that a reordering made.

    Spaces belong to no word, so they count in the IDC of characters and subwords only.
    """
    from hyperbaton.metrics.structure import bigramF, displacement, idc, moved

    found = [
        (place, draw, draw.variant, draw.variant.order)
        for place, draw in enumerate(draws)
        if draw.variant is not None and draw.variant.order is not None
    ]
    orders = [order for *_, order in found]
    columns = zip(
        idc([expand(order, _lengths(draw)) for _, draw, _, order in found]).tolist(),
        bigramF()
        .sentence_scores(
            [variant.text for _, _, variant, _ in found],
            [draw.sentence.text for _, draw, _, _ in found],
        )
        .tolist(),
        displacement(orders).tolist(),
        moved(orders).tolist(),
        strict=True,
    )
    measures: list[Measures | None] = [None] * len(draws)
    for (place, *_), values in zip(found, columns, strict=True):
        measures[place] = Measures(*values)
    return measures


def _lengths(draw: Draw | Shown) -> list[int]:
    perturbation = draw.perturbation
    units = perturbation.units(draw.sentence) if isinstance(perturbation, Reordering) else ()
    return [len(unit) for unit in units]


def records(
    draws: Sequence[Shown],
    seed: int,
    parsers: Mapping[str, str],
    others: Sequence[Shown] | None = None,
    typed: bool = False,
) -> Iterator[dict[str, object]]:
    """A row for each draw; what a perturbation that does not apply has not got is null.

    `others` are the same draws of the references: a pair counts where the perturbation applies to
    both. `typed` rows have the types of errors.
    """
    pairs = others if others is not None else [None] * len(draws)
    for draw, measures, other in zip(draws, measured(draws), pairs, strict=True):
        yield _record(draw, measures, seed, parsers[draw.sentence.id], other, typed)


def _record(
    draw: Shown,
    measures: Measures | None,
    seed: int,
    parser: str,
    other: Shown | None,
    typed: bool,
) -> dict[str, object]:
    sentence, perturbation, variant = draw.sentence, draw.perturbation, draw.variant
    values = (
        sentence.id,
        str(perturbation),
        draw.draw,
        seed,
        variant is not None and (other is None or other.variant is not None),
        variant and variant.changed,
        draw.written,
        draw.varied,
        variant and variant.unit,
        variant and variant.order,
        *([round(value, 6) for value in measures] if measures else [None] * 4),
        perturbation.category,
        perturbation.possible,
        sentence.scheme,
        parser,
    )
    whole: dict[str, object] = dict(zip(FIELDS, values, strict=True))
    if typed:
        whole[TYPES] = variant and variant.types
    if other is not None:
        varied = other.variant
        pair = (other.written, other.varied, varied and varied.order)
        whole.update(zip(PAIR_FIELDS, pair, strict=True))
    return whole


def row_text(record: Mapping[str, object], style: str) -> str:
    """The record as a line of JSON or TSV."""
    if style == "jsonl":
        return json.dumps(record, ensure_ascii=False)
    return "\t".join(map(_cell, record.values()))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value).replace("\t", "\\t")
