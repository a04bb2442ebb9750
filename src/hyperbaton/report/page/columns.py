"""The explorer's rows as columns: each text once, and the rows as numbers of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.report.contents import Explorer

if TYPE_CHECKING:
    import polars

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
            {
                "name": name,
                "label": label,
                "metric": explorer.metrics.get(name, ""),
                "values": _numbers(rows[name]),
            }
            for name, label in explorer.scores.items()
        ],
        "filters": [
            {"name": name, "label": label, "listed": listed, **_dictionary(_named(rows[name]))}
            for (name, label), listed in _filters(explorer)
        ],
        "fields": dict(explorer.fields),
        **_sentences(explorer),
    }


def _filters(explorer: Explorer) -> Iterator[tuple[tuple[str, str], bool]]:
    """The filters, then the columns that only figures name, which have no control of their own."""
    for named in explorer.filters.items():
        yield named, True
    for label, name in explorer.fields.items():
        if name not in explorer.filters:
            yield (name, label), False


def _sentences(explorer: Explorer) -> Encoded:
    """Which rows belong to one sentence, and how they differ."""
    import polars

    rows, filters, texts = explorer.rows, list(explorer.filters), list(explorer.texts)
    found: Encoded = {
        "item": None,
        "sentence": None,
        "along": [filters.index(name) for name in explorer.along],
        "rivals": filters.index(explorer.rivals) if explorer.rivals else None,
        "lead": list(explorer.scores).index(explorer.lead) if explorer.lead else None,
        "compared": explorer.compared and [texts.index(name) for name in explorer.compared],
    }
    if explorer.item:
        key = [polars.col(name).cast(polars.String) for name in (*explorer.within, explorer.item)]
        whole = rows.select(polars.concat_str(key, separator=_BETWEEN_WORDS, ignore_nulls=True))
        found["item"] = _dictionary(_text(rows[explorer.item]))
        found["sentence"] = _dictionary(whole.to_series())["steps"]
    return found


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
    named += [*explorer.within, *filter(None, [explorer.item]), *explorer.fields.values()]
    for column in named:
        if column not in explorer.rows.columns:
            hint = did_you_mean(column, explorer.rows.columns)
            raise HyperbatonError(f"the sentences of the report have no column '{column}'.{hint}")
    for what, columns, known in (
        ("filter", [*explorer.along, *filter(None, [explorer.rivals])], explorer.filters),
        ("score", [*explorer.metrics, *filter(None, [explorer.lead])], explorer.scores),
        ("text", explorer.compared or (), explorer.texts),
    ):
        for column in columns:
            if column not in known:
                hint = did_you_mean(column, known)
                raise HyperbatonError(
                    f"the sentences of the report have no {what} '{column}'.{hint}"
                )


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
