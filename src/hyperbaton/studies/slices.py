"""The columns of a corpus, kept beside its probes, so that sentences can be chosen by them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl

__all__ = ["SLICES", "kept", "sliced"]

SLICES = "slices"
"""The column of a probe that holds those of its item."""
_LONGEST = 40
"""A text that is longer is no class."""
_MOST = 40
"""Values of a column that a reader can choose from."""


def kept(columns: Mapping[str, str]) -> str | None:
    """What is kept of an item's further columns.

    >>> kept({"domain": "news", "note": "x" * 99}), kept({})
    ('{"domain": "news"}', None)
    """
    short = {name: value for name, value in columns.items() if 0 < len(value) <= _LONGEST}
    return json.dumps(short, ensure_ascii=False) if short else None


def sliced(rows: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, str]]:
    """Rows with a column for each that has several values but not many, and their labels.

    >>> rows, labels = sliced(pl.DataFrame({"slices": ['{"domain": "news"}', '{"domain": "law"}']}))
    >>> labels, rows["slice:domain"].to_list()
    ({'slice:domain': 'domain'}, ['news', 'law'])
    """
    if SLICES not in rows.columns:
        return rows, {}
    texts = rows[SLICES].drop_nulls().unique(maintain_order=True).to_list()
    known: dict[str, dict[str, str]] = {text: json.loads(text) for text in texts}
    labels = {}
    for name in dict.fromkeys(name for values in known.values() for name in values):
        values = {text: found.get(name) for text, found in known.items()}
        if 1 < len(set(values.values())) <= _MOST:
            labels[f"slice:{name}"] = name
            column = rows[SLICES].replace_strict(values, default=None, return_dtype=pl.String)
            rows = rows.with_columns(column.alias(f"slice:{name}"))
    return rows.drop(SLICES), labels
