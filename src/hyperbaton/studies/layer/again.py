"""The control of a system: what it makes of a sentence that comes again, though nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from hyperbaton.base.wording import counted, decimal
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.stats import Bootstrap, ratios
from hyperbaton.studies.layer.aggregate import Aggregate, of_sums
from hyperbaton.studies.layer.sources import Source, is_recorded, sources

SURE = 0.99
"""A system that is certainly below this share of equal translations changes by itself."""


def again(runs: Sequence[Run]) -> dict[str, Aggregate]:
    """How many sentences that came again each system translated as before, as a share."""
    tables: dict[str, list[np.ndarray]] = {}
    for source in sources(runs):
        if not source.pole and not source.control and not source.run.record.cells:
            tables.setdefault(source.system, []).append(_table(source))
    stacked = {system: np.concatenate(found) for system, found in tables.items()}
    return {
        system: of_sums(table, ratios, Bootstrap()).as_share()
        for system, table in stacked.items()
        if len(table)
    }


def _table(source: Source) -> np.ndarray:
    """A row for each control sentence that was translated twice: the same or not, and 1."""
    same = []
    for part in source.run.parts(
        source.pair, source.name, columns=("variant", "output", "varied_output")
    ):
        rows = part.filter(pl.col("variant") == IDENTITY).drop_nulls()
        same.append((rows["output"] == rows["varied_output"]).to_numpy())
    equal = np.concatenate(same) if same else np.zeros(0)
    return np.column_stack([equal, np.ones(len(equal))]).astype(np.float64)


def changes_by_itself(found: Aggregate) -> bool:
    """Whether a share of equal translations is certainly not all of them."""
    return found.high < SURE


def own_noise_sentences(runs: Sequence[Run]) -> dict[str, str]:
    """What is to be known of systems whose differences may hold noise of their own."""
    repeated, marks = again(runs), {}
    for source in sources(runs):
        found = repeated.get(source.system)
        if found is not None and changes_by_itself(found):
            marks[source.system] = (
                f"translates {decimal(1 - found.value, '.0%')} of {counted(found.n, 'sentence')} "
                "that come again in another way, though nothing changed: its numbers hold that too."
            )
        elif found is None and is_recorded(source.name):
            marks[source.system] = (
                "is recorded, and no sentence comes again: how much it changes by itself is not "
                "known."
            )
    return marks


def recorded_cautions(runs: Sequence[Run]) -> Iterator[str]:
    """What recorded outputs cannot say, for the first screen."""
    recorded = {source.system for source in sources(runs) if is_recorded(source.name)}
    if not recorded:
        return
    marks = {name: why for name, why in own_noise_sentences(runs).items() if name in recorded}
    silent = [name for name, why in marks.items() if why.startswith("is recorded")]
    for name, why in marks.items():
        if name not in silent:
            yield f"{name} {why}"
    if silent:
        named = ", ".join(silent[:3]) + (f" and {len(silent) - 3} more" if len(silent) > 3 else "")
        yield (
            f"{named}: recorded translations, and no sentence comes again. A system that samples "
            "or reranks mixes its own noise in, and nobody can tell how much."
        )
