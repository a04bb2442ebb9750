"""The figures of the grammar study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hyperbaton.report.charts.charts import bars, bubbles, dots
from hyperbaton.report.contents import Figure
from hyperbaton.studies.damage import distances
from hyperbaton.studies.grammar.tables import (
    FEWEST,
    by_errors,
    by_length,
    by_quarter,
    by_type,
    single,
)
from hyperbaton.studies.pools import Pool

__all__ = ["figures"]

Row = dict[str, str | float | int | None]
_FARTHEST = 12
"""Damage farther from the error than so many words is taken together."""
_SHOWN = 8
"""Types of error in the figure of distributions."""


def figures(found: Sequence[Pool], metric: str) -> list[Figure]:
    """Those for which the corpus has errors enough."""
    return [*_spans(found, metric), _by_length(found), *_damage(found)]


def _spans(found: Sequence[Pool], metric: str) -> Iterator[Figure]:
    rows = [
        _span(part, score, errors=name)
        for pool in found
        for name, part in pool.groups(by_errors(pool), 2)
        for score in ("RB", f"f-{metric}")
    ]
    panels = [str(pool) for pool in found]
    order = list(by_errors(found[0]))
    note = "RB: share of sentences whose translation the errors do not change."
    chart = dots(rows, "errors", order, "panel", "share", panels)
    yield Figure("F1", "Robustness by number of errors", chart, note)
    kinds = [group for pool in found for group in single(pool).groups(by_type(pool))]
    rows = [_span(part, "RB", type=name) for name, part in kinds]
    if rows:
        ordered = sorted(rows, key=lambda row: -float(row["value"] or 0))
        order = list(dict.fromkeys(str(row["type"]) for row in ordered))
        chart = dots(rows, "type", order, "panel", "RB", panels)
        note = "Sentences with a single error."
        yield Figure("T2", "Robustness by type of error", chart, note)


def _span(pool: Pool, score: str, **names: str) -> Row:
    metric = score.removeprefix("f-")
    found = pool.share("same") if score == "RB" else pool.score(metric, "translations")
    row: Row = {"score": score, "panel": str(pool), **names}
    return row | {k: round(getattr(found, k), 4) for k in ("value", "low", "high")}


def _by_length(found: Sequence[Pool]) -> Figure:
    rows: list[Row] = [
        {
            "length": length,
            "errors": errors,
            "sentences": len(part),
            "RB": round(part.share("same").value, 4),
            "panel": str(pool),
        }
        for pool in found
        for length, short in by_length(pool).items()
        for errors, some in by_errors(pool).items()
        if len(part := pool.where(short & some)) > 0.01 * len(pool)
    ]
    orders = (list(by_length(found[0])), list(by_errors(found[0])))
    return Figure(
        "F2",
        "Robustness by length and number of errors",
        bubbles(rows, ("length", "errors"), orders, "sentences", "RB", "panel"),
        "Length in words. Large: many sentences (bins over 1 %); dark: robust.",
    )


def _damage(found: Sequence[Pool]) -> Iterator[Figure]:
    ones = [single(pool) for pool in found if "figure" in pool.rows.columns]
    note = (
        "Words of the clean translation that the other lacks, counted from the word that stands "
        f"for the error: below 0 lies to its left; the outermost bars hold all from {_FARTHEST} "
        "words on. All systems together."
    )
    for number, title, groups in (
        ("F4", "Where the damage lies, by type of error", by_type),
        ("F5", "Where the damage lies, by place of the error in the sentence", by_quarter),
    ):
        chosen = {name: e for pool in ones for name, e in [*groups(pool).items()][:_SHOWN]}
        rows: list[Row] = [
            {"distance": at, "share": round(share, 5), "panel": name}
            for name, expression in chosen.items()
            for lists in [[pool.where(expression).rows["figure"] for pool in ones]]
            for at, share in distances(lists, _FARTHEST, FEWEST)
        ]
        if rows:
            chart = bars(rows, "distance", "share", "panel", list(chosen))
            yield Figure(number, title, chart, note)
