"""Variants as rows of JSON Lines or TSV."""

from __future__ import annotations

import json
from collections.abc import Mapping

from hyperbaton.perturb import Draw, Reordering
from hyperbaton.perturb.measures import measure

__all__ = ["PAIR_FIELDS", "header", "record", "row"]

FIELDS = (
    *("item", "variant", "draw", "seed", "applies", "changed", "source", "varied", "unit"),
    *("order", "idc", "bigram_f", "displacement", "moved", "category", "possible", "scheme"),
    "parser",
)
PAIR_FIELDS = ("reference", "varied_reference", "reference_order")


def header(pair: bool) -> str:
    """The first line of a TSV file."""
    return "\t".join((*FIELDS, *PAIR_FIELDS * pair))


def record(draw: Draw, seed: int, parser: str, other: Draw | None = None) -> dict[str, object]:
    """One row; what a perturbation that does not apply has not got is null.

    `other` is the same draw of the reference: a pair counts where the perturbation applies to both.
    """
    sentence, perturbation, variant = draw.sentence, draw.perturbation, draw.variant
    measures = None
    if variant is not None and isinstance(perturbation, Reordering):
        measures = measure(sentence, perturbation, variant)
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
