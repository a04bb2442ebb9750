"""Items to a part of probes: what a worker does with a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.design import Design, Pair, Parse, Probe
from hyperbaton.pipeline.layout import PROBES, write_part

__all__ = ["make_probes"]


def make_probes(
    path: Path, design: Design, items: Sequence[Item], pair: Pair, parse: Parse
) -> None:
    """Write the probes of some items."""
    write_part(path, _frame(design, design.probes(items, pair, parse)))


def _frame(design: Design, probes: Iterable[Probe]) -> pl.DataFrame:
    rows = list(probes)
    data: dict[str, list[object]] = {
        name: [getattr(probe, name) for probe in rows] for name in PROBES
    }
    for name in design.columns:
        data[name] = [(probe.columns or {}).get(name) for probe in rows]
    schema = {**PROBES, **dict.fromkeys(design.columns, pl.String())}
    return pl.DataFrame(data, schema=schema)
