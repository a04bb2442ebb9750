"""The control of a system: what it makes of a sentence that comes again, though nothing changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from hyperbaton.base.wording import counted, decimal
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.stats import Bootstrap, ratios
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, of_sums
from hyperbaton.studies.layer.sources import Source, is_recorded, sources

_BATCH_BOUND = (
    ", in other batches; this system does not promise that a translation is the same whatever "
    "else is in its batch"
)
SURE = 0.99
"""A system that is certainly below this share of equal translations changes by itself."""


def again(runs: Sequence[Run]) -> dict[str, Aggregate]:
    """How many sentences that came again each system translated as before, as a share."""
    tables: dict[str, list[np.ndarray]] = {}
    for source in sources(runs):
        if not source.pole and not source.control and not source.run.record.cells:
            same = _same(source)
            tables.setdefault(source.system, []).append(np.column_stack([same, same >= 0]))
    stacked = {system: np.concatenate(parts) for system, parts in tables.items()}
    return {
        system: of_sums(table, ratios, Bootstrap()).as_share()
        for system, table in stacked.items()
        if len(table)
    }


def _same(source: Source) -> Floats:
    """1 for each control sentence that was translated twice alike, 0 for the others."""
    columns = ("variant", "output", "varied_output")
    parts = source.run.parts(source.pair, source.name, columns=columns)
    rows = (part.filter(pl.col("variant") == IDENTITY).drop_nulls() for part in parts)
    same = [(part["output"] == part["varied_output"]).to_numpy() for part in rows]
    return np.concatenate([np.zeros(0), *same])


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


def repeats(sources: Iterable[Source]) -> Iterator[str]:
    """How often each system gives the same answer to a source again, and what it promises.

    Language pairs of which the same is to be said share a line.
    """
    shares: dict[tuple[str, bool], dict[str, list[str]]] = {}
    for source in sources:
        if not source.pole and len(same := _same(source)):
            pair = str(source.pair)
            bound = pair in source.run.record.batch_bound.get(source.name, ())
            by_share = shares.setdefault((source.system, bound), {})
            by_share.setdefault(f"{100 * same.mean():.1f} %", []).append(pair)
    for (system, bound), by_share in shares.items():
        each = "; ".join(f"{share} ({', '.join(pairs)})" for share, pairs in by_share.items())
        yield (
            f"{system}: sources that came out the same when they were translated again"
            f"{_BATCH_BOUND if bound else ''}: {each}."
        )
