"""What a run still lacks, what failed in it and what helps: told from its record and its files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.spec import split
from hyperbaton.base.wording import counted
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.parts import DamagedPart, read_part, read_stamp
from hyperbaton.pipeline.run.record import Record
from hyperbaton.systems.faults import NO_TRANSLATION
from hyperbaton.systems.system import SYSTEMS

_PART = re.compile(r"part-(\d{5,15})\.parquet", re.ASCII)


def missing_parts(layout: Layout, record: Record) -> Iterator[str]:
    """A sentence for each stage of each pair and system that is not done."""
    for what, parts, path in _stages(layout, record):
        lacking = parts - len(_there(path, parts))
        if not parts:
            yield what
        elif lacking:
            yield what if lacking == parts else f"{what} for {lacking:,} of {parts:,} parts"


def parts_done(layout: Layout, record: Record) -> tuple[int, int]:
    """How many parts of a run are there, and how many there will be."""
    stages = [(max(parts, 1), path) for _, parts, path in _stages(layout, record)]
    done = sum(len(_there(path, parts)) for parts, path in stages)
    return done, sum(parts for parts, _ in stages)


_Stage = tuple[str, int, Callable[[int], Path]]
"""What is said where a stage is not done, how many parts it has, and where they lie."""


def _stages(layout: Layout, record: Record) -> Iterator[_Stage]:
    for name in record.corpora:
        pair = Pair.parse(name)
        parts = record.progress[name].parts if name in record.progress else 0
        if record.cells:
            for system in record.asked.get(name, ()):
                path = partial(layout.cells, system, pair)
                yield f"{system}, {pair}: no cells", parts, path
            continue
        yield f"{pair}: no probes", parts, partial(layout.probes, pair)
        for metric in record.metrics:
            if record.compared(metric, of_outputs=False):
                path = partial(layout.scores, None, pair, metric)
                yield f"{pair}: no {metric} of the probes", parts, path
        for system in record.asked.get(name, ()):
            yield from _of_system(layout, record, pair, system, parts)


def _of_system(
    layout: Layout, record: Record, pair: Pair, system: str, parts: int
) -> Iterator[_Stage]:
    yield f"{system}, {pair}: no outputs", parts, partial(layout.outputs, system, pair)
    for metric in record.metrics:
        if record.compared(metric, of_outputs=True):
            path = partial(layout.scores, system, pair, metric)
            yield f"{system}, {pair}: no {metric}", parts, path
    if record.whole:
        scores = "further scores" if record.by_parts else "scores of the whole corpus"
        kept = record.whole_parts(pair) if parts else 0
        yield f"{system}, {pair}: no {scores}", kept, partial(layout.whole, system, pair)


def _there(path: Callable[[int], Path], parts: int) -> dict[int, Path]:
    """Parts that there are, by number: as many steps as files, however many there should be."""
    folder = path(0).parent
    names = {file.name for file in folder.iterdir()} if folder.is_dir() else set()
    numbers = sorted(int(found[1]) for name in names if (found := _PART.fullmatch(name)))
    return {n: path(n) for n in numbers if n < parts and path(n).name in names}


class Failures(NamedTuple):
    """The rows of a system in a language pair that have no answer, and why."""

    failed: int
    rows: int
    """All rows that it was asked for."""
    reasons: Mapping[str, int]
    """Rows by their fault, the most frequent first."""

    def said(self, pair: Pair | str) -> str:
        """How many failed, and the most frequent reason."""
        head = f"failed on {self.failed:,} of {counted(self.rows, 'row')} in {pair}"
        reason, times = next(iter(self.reasons.items()), ("", 0))
        if not reason:
            return head
        often = "" if times == self.failed else f"; {counted(times, 'time')}"
        return f"{head}{often}: {reason}"


def failed_rows(layout: Layout, record: Record) -> dict[tuple[str, Pair], int]:
    """How many rows have a fault, of each system and pair where there are any."""
    counts = {}
    for system, pair in _asked(record):
        parts = _answers(layout, record, system, pair).values()
        counts[system, pair] = sum(read_stamp(path).failed for path in parts)
    return {key: count for key, count in counts.items() if count}


def failures(layout: Layout, record: Record) -> dict[tuple[str, Pair], Failures]:
    """The same with their reasons, which stand beside the outputs."""
    found = {}
    for (system, pair), failed in failed_rows(layout, record).items():
        paths = _answers(layout, record, system, pair)
        if record.cells:
            cells = [read_part(path, ["scores", "faults"]) for path in paths.values()]
            reasons = Counter(fault for part in cells for fault in part["faults"].explode())
            rows = sum(part["scores"].explode().len() for part in cells)
        else:
            parts = [read_part(path, ["fault"]) for path in paths.values()]
            reasons = Counter(fault for part in parts for fault in part["fault"])
            rows = sum(part.height for part in parts)
        del reasons[None]
        found[system, pair] = Failures(failed, rows, dict(reasons.most_common()))
    return found


def has_answers(layout: Layout, record: Record, system: str, pair: Pair) -> bool:
    """Whether a system answered anything in a pair; a part that cannot be read may hold answers."""
    try:
        return any(
            record.cells or read_stamp(path).failed < read_part(path, ["fault"]).height
            for path in _answers(layout, record, system, pair).values()
        )
    except DamagedPart:
        return True


def _asked(record: Record) -> Iterator[tuple[str, Pair]]:
    for name, systems in record.asked.items():
        yield from ((system, Pair.parse(name)) for system in systems)


def _answers(layout: Layout, record: Record, system: str, pair: Pair) -> dict[int, Path]:
    """The parts that hold what a system answered, by number, as far as they are there."""
    place = layout.cells if record.cells else layout.outputs
    known = record.progress.get(str(pair))
    return _there(partial(place, system, pair), known.parts if known else 0)


_SHOWN = 3


def remedy(system: str, failures: Failures, command: str = "the same command") -> str:
    """What to do about the rows of a system, or nothing where nothing helps.

    A system that answers with nothing, or without end, would do so again, and the store knows it.
    """
    if NO_TRANSLATION.issuperset(failures.reasons):
        return ""
    if split(system).name in SYSTEMS.names():
        return SYSTEMS.parse(system).remedy(command)
    return f"run {command} again to ask for them"


def remedies(found: Mapping[tuple[str, Pair], Failures]) -> str:
    """What to do about all rows that failed, in one sentence."""
    said: dict[str, list[str]] = {}
    for (system, _), failures in found.items():
        named = said.setdefault(remedy(system, failures), [])
        named.extend([system] if system not in named else [])
    helping = {text: systems for text, systems in said.items() if text}
    if len(said) == 1:
        return next(iter(helping), "")
    told = [f"for {', '.join(some)}, {text}" for text, some in helping.items()]
    more = ["and so on for the others"] if len(told) > _SHOWN else []
    return "; ".join([*told[:_SHOWN], *more])
