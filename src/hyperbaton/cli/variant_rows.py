"""Variants as rows of JSON Lines or TSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hyperbaton.perturb import Draw, Reordering
from hyperbaton.sentence import expand

__all__ = ["PAIR_FIELDS", "Measures", "header", "measured", "records", "row"]

FIELDS = (
    *("item", "variant", "draw", "seed", "applies", "changed", "source", "varied", "unit"),
    *("order", "idc", "bigram_f", "displacement", "moved", "category", "possible", "scheme"),
    "parser",
)
PAIR_FIELDS = ("reference", "varied_reference", "reference_order")


def header(pair: bool) -> str:
    """The first line of a TSV file."""
    return "\t".join((*FIELDS, *PAIR_FIELDS * pair))


class Measures(NamedTuple):
    """What a reordering did; `displacement` and `moved` count units, `idc` characters."""

    idc: float
    bigram_f: float
    displacement: float
    moved: float


def measured(draws: Sequence[Draw]) -> list[Measures | None]:
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


def _lengths(draw: Draw) -> list[int]:
    perturbation = draw.perturbation
    units = perturbation.units(draw.sentence) if isinstance(perturbation, Reordering) else ()
    return [len(unit) for unit in units]


def records(
    draws: Sequence[Draw],
    seed: int,
    parsers: Mapping[str, str],
    others: Sequence[Draw] | None = None,
) -> Iterator[dict[str, object]]:
    """A row for each draw; what a perturbation that does not apply has not got is null.

    `others` are the same draws of the references: a pair counts where the perturbation applies to
    both.
    """
    pairs = others if others is not None else [None] * len(draws)
    for draw, measures, other in zip(draws, measured(draws), pairs, strict=True):
        yield _record(draw, measures, seed, parsers[draw.sentence.id], other)


def _record(
    draw: Draw, measures: Measures | None, seed: int, parser: str, other: Draw | None
) -> dict[str, object]:
    sentence, perturbation, variant = draw.sentence, draw.perturbation, draw.variant
    values = (
        sentence.id,
        str(perturbation),
        draw.draw,
        seed,
        variant is not None and (other is None or other.variant is not None),
        variant and variant.changed,
        sentence.text,
        variant and variant.text,
        variant and variant.unit,
        variant and variant.order,
        *([round(value, 6) for value in measures] if measures else [None] * 4),
        perturbation.category,
        perturbation.possible,
        sentence.scheme,
        parser,
    )
    whole: dict[str, object] = dict(zip(FIELDS, values, strict=True))
    if other is not None:
        varied = other.variant
        pair = (other.sentence.text, varied and varied.text, varied and varied.order)
        whole.update(zip(PAIR_FIELDS, pair, strict=True))
    return whole


def row(record: Mapping[str, object], style: str) -> str:
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
