"""What a run still lacks, and what failed in it: told from its record and the files it has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.layout import Layout
from hyperbaton.pipeline.parts import read_stamp
from hyperbaton.pipeline.record import Record

__all__ = ["failed_rows", "missing_parts"]

_PART = re.compile(r"part-(\d{5,15})\.parquet", re.ASCII)


def missing_parts(layout: Layout, record: Record) -> Iterator[str]:
    """A sentence for each stage of each pair and system that is not done."""
    for name in record.corpora:
        pair = Pair.parse(name)
        parts = record.progress[name].parts if name in record.progress else 0
        if record.cells:
            for system in record.asked.get(name, ()):
                path = partial(layout.cells, system, pair)
                yield from _lacking(f"{system}, {pair}: no cells", parts, path)
            continue
        yield from _lacking(f"{pair}: no probes", parts, partial(layout.probes, pair))
        for metric in record.metrics:
            if record.compared(metric, of_outputs=False):
                yield from _lacking(
                    f"{pair}: no {metric} of the probes",
                    parts,
                    partial(layout.measures, pair, metric),
                )
        for system in record.asked.get(name, ()):
            yield from _of_system(layout, record, pair, system, parts)


def _of_system(
    layout: Layout, record: Record, pair: Pair, system: str, parts: int
) -> Iterator[str]:
    yield from _lacking(
        f"{system}, {pair}: no outputs", parts, partial(layout.outputs, system, pair)
    )
    for metric in record.metrics:
        if record.compared(metric, of_outputs=True):
            yield from _lacking(
                f"{system}, {pair}: no {metric}",
                parts,
                partial(layout.scores, system, pair, metric),
            )
    if record.whole:
        scores = "further scores" if record.by_parts else "scores of the whole corpus"
        yield from _lacking(
            f"{system}, {pair}: no {scores}",
            record.whole_parts(pair) if parts else 0,
            partial(layout.whole, system, pair),
        )


def _lacking(what: str, parts: int, path: Callable[[int], Path]) -> Iterator[str]:
    lacking = parts - len(_there(path, parts))
    if not parts:
        yield what
    elif lacking:
        yield what if lacking == parts else f"{what} for {lacking:,} of {parts:,} parts"


def _there(path: Callable[[int], Path], parts: int) -> list[Path]:
    """Those of the parts that there are: as many steps as files, however many there should be."""
    folder = path(0).parent
    names = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
    numbers = sorted(int(found[1]) for name in names if (found := _PART.fullmatch(name)))
    return [path(n) for n in dict.fromkeys(numbers) if n < parts and path(n).name in names]


def failed_rows(layout: Layout, record: Record) -> dict[tuple[str, Pair], int]:
    """How many rows have a fault, of each system and pair where there are any."""
    found = {}
    for name, systems in record.asked.items():
        pair = Pair.parse(name)
        for system in systems:
            there = _there(partial(layout.outputs, system, pair), record.progress[name].parts)
            failed = sum(read_stamp(path).failed for path in there)
            if failed:
                found[system, pair] = failed
    return found
