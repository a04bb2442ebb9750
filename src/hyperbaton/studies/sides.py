"""What metrics say of a pair of sentences before translation and after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.randomness import Rng
from hyperbaton.detectors.scoring import quality
from hyperbaton.studies.layer.aggregate import Floats
from hyperbaton.studies.layer.sources import Source

__all__ = ["Sides", "dataset_name", "judge_quality", "read_sides", "surest"]


_SHIPPED = re.compile(r"^paraphrases(?=,|$)")
_HASH = re.compile(r" \([^()]*\)$")


class Sides(NamedTuple):
    """The rows of one variant that were translated, and each metric on both sides of them."""

    rows: pl.DataFrame
    scores: dict[str, Floats]
    """Rows × (before, after), by metric."""


def dataset_name(source: Source) -> str:
    """The corpus of a run by its own name, with the pair where there are several."""
    known = source.corpus[1]
    name = _SHIPPED.sub("shipped pairs", _HASH.sub("", known))
    return name if len(source.run.pairs) == 1 else f"{name} {source.pair}"


def read_sides(source: Source, variant: str, metrics: Sequence[str]) -> Sides:
    """Read the comparisons `before` and `after`, without pairs that lack a translation or score."""
    rows = source.run.table(source.pair, source.name)
    kept = (rows["variant"] == variant) & rows["output"].is_not_null()
    kept &= rows["varied_output"].is_not_null()
    rows, scores = rows.filter(kept), {}
    for metric in metrics:
        names = ("before", "after")
        found = source.run.table(source.pair, source.name, metric, columns=names)
        scores[metric] = found.filter(kept).select(names).to_numpy().astype(np.float64)
    scored = np.all([np.isfinite(values).all(axis=1) for values in scores.values()], axis=0)
    return Sides(rows.filter(scored), {name: values[scored] for name, values in scores.items()})


def judge_quality(
    gold: Sequence[int | None], names: Sequence[str], probabilities: Floats, epsilon: float
) -> list[dict[str, object]]:
    """Macro-F1 of judges (items × judges) where labels are known and differ."""
    known = np.array([label is not None for label in gold], dtype=bool)
    labels = np.array([label or 0 for label in gold])
    if len(set(labels[known])) < 2:
        return []
    rows: list[dict[str, object]] = []
    for number, name in enumerate(names):
        found = quality(probabilities[known, number], labels[known], epsilon)
        row: dict[str, object] = {"detector": name, "macro-F1": found.macro_f1}
        row |= {"accuracy": found.accuracy, "pairs": found.pairs}
        rows.append({**row, "share of paraphrases": found.positive})
    return rows


def surest(sure: Floats, places: NDArray[np.intp], rng: Rng, most: int) -> list[int]:
    """The place that is surest, then others drawn at random."""
    order = places[np.argsort(-sure[places], kind="stable")]
    rest = order[1:]
    return [*order[:1].tolist(), *rest[sorted(rng.permutation(len(rest))[: most - 1])].tolist()]
