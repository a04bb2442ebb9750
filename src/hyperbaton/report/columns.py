"""The explorer's rows as columns: each text once, and the rows as numbers of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hyperbaton.errors import HyperbatonError, did_you_mean
from hyperbaton.report.contents import Explorer

if TYPE_CHECKING:
    import polars

__all__ = ["encode"]

_BETWEEN_WORDS = "\x1f"
_DIGITS = 4

Encoded = dict[str, object]


def encode(explorer: Explorer) -> Encoded:
    """What the page's explorer reads."""
    _check(explorer)
    rows = explorer.rows
    lists = sorted({*explorer.words.values()}), sorted({*explorer.orders.values()})
    marks, labels, languages = (
        sorted({*role.values()}) for role in (explorer.marks, explorer.labels, explorer.languages)
    )
    return {
        "size": rows.height,
        "texts": [
            {
                "label": label,
                **_dictionary(_text(rows[name])),
                "words": _place(explorer.words.get(name), lists[0]),
                "order": _place(explorer.orders.get(name), lists[1]),
                "language": _place(explorer.languages.get(name), languages),
                "marks": _place(explorer.marks.get(name), marks),
                "labels": _place(explorer.labels.get(name), labels),
            }
            for name, label in explorer.texts.items()
        ],
        "words": [_dictionary(_joined(rows[name], _BETWEEN_WORDS)) for name in lists[0]],
        "orders": [_dictionary(_joined(rows[name], " ")) for name in lists[1]],
        "languages": [_dictionary(_text(rows[name])) for name in languages],
        "marks": [_dictionary(_joined(rows[name], " ")) for name in marks],
        "labels": [_dictionary(_joined(rows[name], _BETWEEN_WORDS)) for name in labels],
        "scores": [
            {"label": label, "values": _numbers(rows[name])}
            for name, label in explorer.scores.items()
        ],
        "filters": [
            {"label": label, **_dictionary(_named(rows[name]))}
            for name, label in explorer.filters.items()
        ],
    }


def _check(explorer: Explorer) -> None:
    roles: Sequence[Mapping[str, str]] = (
        explorer.words,
        explorer.orders,
        explorer.languages,
        explorer.marks,
        explorer.labels,
    )
    named = [*explorer.texts, *explorer.scores, *explorer.filters]
    named += [column for role in roles for column in role.values()]
    for column in named:
        if column not in explorer.rows.columns:
            hint = did_you_mean(column, explorer.rows.columns)
            raise HyperbatonError(f"the sentences of the report have no column '{column}'.{hint}")


def _place(name: str | None, names: list[str]) -> int | None:
    return None if name is None else names.index(name)


def _dictionary(column: polars.Series) -> Encoded:
    """The texts in the order they come up, and the steps from each row's number to the next.

    Rows of one item stand together, so most steps are 0 or 1 and cost next to nothing packed.
    """
    import polars

    texts = column.drop_nulls().unique(maintain_order=True)
    if not len(texts):
        return {"strings": [], "steps": [-1] + [0] * (len(column) - 1) if len(column) else []}
    numbers = polars.int_range(len(texts), eager=True)
    codes = column.replace_strict(texts, numbers, default=-1, return_dtype=polars.Int64)
    return {"strings": texts.to_list(), "steps": _steps(codes.to_list())}


def _steps(codes: list[int]) -> list[int]:
    return codes[:1] + [after - before for before, after in pairwise(codes)]


def _text(column: polars.Series) -> polars.Series:
    import polars

    return column.cast(polars.String)


def _named(column: polars.Series) -> polars.Series:
    import polars

    if column.dtype != polars.Boolean:
        return _text(column)
    names = ["no", "yes"]
    return column.replace_strict([False, True], names, default=None, return_dtype=polars.String)


def _joined(column: polars.Series, between: str) -> polars.Series:
    import polars

    return column.cast(polars.List(polars.String)).list.join(between)


def _numbers(column: polars.Series) -> list[float | None]:
    import polars

    return column.cast(polars.Float64).fill_nan(None).round(_DIGITS).to_list()
