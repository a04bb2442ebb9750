"""Items to a part of probes: what a worker does with a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.design import Design, Pair, Parse, Probe
from hyperbaton.pipeline.run.layout import PROBES
from hyperbaton.pipeline.run.parts import Stamp, write_part

__all__ = ["make_probes"]


def make_probes(
    path: Path,
    configuration: str,
    design: Design,
    items: Sequence[Item],
    pair: Pair,
    parse: Parse,
) -> None:
    """Write the probes of some items."""
    write_part(path, _frame(design, design.probes(items, pair, parse)), Stamp(configuration))


def _frame(design: Design, probes: Iterable[Probe]) -> pl.DataFrame:
    rows = list(probes)
    columns = []
    for name, kind in PROBES.items():
        values = [getattr(probe, name) for probe in rows]
        if isinstance(kind, pl.List):
            columns.append(_lists(name, values, kind))
        else:
            columns.append(pl.Series(name, values, dtype=kind))
    for name, kind in design.columns.items():
        own = [(probe.columns or {}).get(name) for probe in rows]
        columns.append(_typed(design, name, own, kind))
    return pl.DataFrame(columns)


def _typed(design: Design, name: str, values: Sequence[object], kind: pl.DataType) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=kind)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise HyperbatonError(
            f"the column {name} of {design.name} holds values that are not {kind}: {error}"
        ) from None


def _lists(name: str, values: Sequence[Sequence[object] | None], kind: pl.List) -> pl.Series:
    """A column of lists, made of one long column: row by row it takes four times as long.

    A row without a list, or with an empty one, is null.
    """
    sizes = pl.Series([len(value or ()) for value in values], dtype=pl.UInt32)
    rows = pl.int_range(len(values), dtype=pl.UInt32, eager=True)
    flat = pl.Series(name, list(chain.from_iterable(value or () for value in values)), kind.inner)
    owners = rows.repeat_by(sizes).explode().drop_nulls()
    grouped = pl.DataFrame({"row": owners, name: flat}).group_by("row", maintain_order=True).all()
    there = pl.DataFrame({"row": rows}).join(grouped, on="row", how="left", maintain_order="left")
    return there[name]
