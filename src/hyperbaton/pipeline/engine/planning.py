"""The plan of a run of probes: from a corpus to translations, their scores and what follows.

A plan begins with a record, joined to that of the folder where a run is there already.
"""

from __future__ import annotations

import logging
import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.engine.stages import Key, Lane, Plan, Stage, Work
from hyperbaton.pipeline.job import Job, recorded
from hyperbaton.pipeline.run.completeness import has_answers
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.record import OtherConfiguration, Record
from hyperbaton.pipeline.run.results import Run
from hyperbaton.pipeline.stages.probing import ensure_probes
from hyperbaton.pipeline.stages.scoring import ensure_judged, ensure_scores
from hyperbaton.pipeline.stages.translating import Desk, Outputs, Signed, complete
from hyperbaton.systems.controls import Control
from hyperbaton.systems.system import SYSTEMS

_log = logging.getLogger(__name__)


class ProbePlan(Plan):
    """The stages of a design's probes."""

    def __init__(self, job: Job, layout: Layout, record: Record) -> None:
        super().__init__(job, layout, record)
        self._corpora = {corpus.pair: corpus for corpus in job.corpora}
        self._items: dict[Pair, Iterator[Item]] = {}
        self._scored: Counter[tuple[Pair, str]] = Counter()
        self._controls: set[str] = set()
        self._lanes: dict[tuple[Pair, str], Lane] = {}
        for pair in self._corpora:
            for system in job.systems_of(str(pair)):
                known, parts = str(pair) in record.systems[system], record.progress[str(pair)].parts
                self._lanes[pair, system] = Lane(system, parts, known, pair=pair)
                if isinstance(SYSTEMS.parse(system), Control):
                    self._controls.add(system)
                    self._sign(system, pair, f"{system}|{pair}", batch_free=True)
        self.lanes = list(self._lanes.values())
        self.stages = [
            Stage("probes", self._parts, self._probes),
            Stage("measures", _same, self._scores, "probes"),
            Stage("translations", self._for_systems, self._outputs, "probes", self._lane_of),
            Stage("scores", _same, self._scores, "translations"),
        ]
        if record.whole:
            self.stages.append(Stage("further scores", self._for_whole, self._judging, "scores"))

    def _lane_of(self, key: Key) -> Lane:
        return self._lanes[key.pair, key.system]

    @property
    def totals(self) -> Mapping[str, int]:
        """Items of each stage, those of every system where a stage has to do with one."""
        sizes = {pair: self.record.progress[str(pair)].items for pair in self._corpora}
        per_system = sum(n * len(self.job.systems_of(str(pair))) for pair, n in sizes.items())
        return {"probes": sum(sizes.values()), "translations": per_system, "scores": per_system}

    def size(self, key: Key) -> int:
        """The items of a part; the last one may have fewer."""
        items, most = self.record.progress[str(key.pair)].items, self.job.options.part
        return 0 if key.part is None else min(most, items - key.part * most)

    def _parts(self, _: Key | None) -> Iterator[Key]:
        for pair, corpus in self._corpora.items():
            self._items[pair] = corpus.items()
            yield from (Key(pair, n) for n in range(self.record.progress[str(pair)].parts))

    def _for_systems(self, key: Key | None) -> Iterator[Key]:
        if key is not None:
            yield from (key._replace(system=s) for s in self.job.systems_of(str(key.pair)))

    def _for_whole(self, key: Key | None) -> Iterator[Key]:
        """The same part, or all of them once they are scored."""
        if key is not None and self.record.by_parts:
            yield key
        elif key is not None:
            self._scored[key.pair, key.system] += 1
            if self._scored[key.pair, key.system] == self.record.progress[str(key.pair)].parts:
                yield key._replace(part=None)

    def _probes(self, key: Key) -> Work:
        """Probes are made of the next items of a corpus: keys come in their order."""
        pair, part, _ = key
        items = [
            replace(item, columns=dict(item.columns))  # which can go to another process
            for item in islice(self._items[pair], self.record.part)
        ]
        path, configuration = self.layout.probes(pair, part or 0), self.record.configuration(pair)
        of_items = (self.job.design, items, pair, self.job.parse)
        return ensure_probes, (path, configuration, *of_items, self.record.parsers, platform.node())

    def given(self, key: Key) -> Outputs:
        """A part of outputs, as a translator is asked for it."""
        pair, part, system = key.pair, key.part or 0, key.system
        scores = (self.layout.scores(system, pair, m, part) for m in self.record.metrics)
        return Outputs(
            self.layout.probes(pair, part),
            self.layout.outputs(system, pair, part),
            self.record.configuration(pair, system),
            (*scores, self.layout.whole(system, pair, part if self.record.by_parts else 0)),
        )

    def _outputs(self, key: Key) -> Work | None:
        if self._lane_of(key).known or key.system in self._controls:
            return complete, (self.given(key), key.system, key.pair)
        return None

    def _scores(self, key: Key) -> Work:
        return ensure_scores, (self.layout, self.record, key)

    def _judging(self, key: Key) -> Work:
        return ensure_judged, (self.layout, self.record, self.job.design, key)

    def resident(self, lane: Lane) -> Desk:
        """A translator of a lane."""
        assert lane.pair is not None
        return Desk(lane.system, lane.pair, self.job.options.retry_failed)

    def signed(self, lane: Lane, value: Signed) -> None:
        """Enter the signature of a translator."""
        assert lane.pair is not None
        self._sign(lane.system, lane.pair, *value)

    def _sign(self, system: str, pair: Pair, signature: str, batch_free: bool) -> None:
        """Enter the signature of a system, or refuse outputs of two systems under one name.

        What an earlier one of the name failed at is dropped, where it answered nothing.
        """
        known = self.record.systems[system].get(str(pair))
        silent = known != signature and not has_answers(self.layout, self.record, system, pair)
        if known is not None and silent:
            self.layout.drop_answers(system, pair)
        if known is None or silent:
            self.record = self._with_signature(system, str(pair), signature, batch_free)
            self.record.write(self.layout.record)
        elif known != signature:
            raise HyperbatonError(
                f"{self.layout.root} holds outputs of another {system} ({known}, now "
                f"{signature}): choose another folder with --out, or delete this one"
            )

    def _with_signature(self, system: str, pair: str, signature: str, batch_free: bool) -> Record:
        """The record with one more signature; it stands where it would on any other engine."""
        record = self.record
        known = {**record.systems[system], pair: signature}
        signatures = {p: known[p] for p in record.corpora if p in known}
        bound = {name: set(pairs) for name, pairs in record.batch_bound.items()}
        if not batch_free:
            bound.setdefault(system, set()).add(pair)
        return replace(
            record,
            systems={**record.systems, system: signatures},
            batch_bound={
                name: tuple(p for p in record.corpora if p in bound[name])
                for name in record.systems
                if name in bound
            },
        )


def _same(key: Key | None) -> list[Key]:
    """The part of the same key."""
    return [] if key is None else [key]


def started(job: Job, layout: Layout, parts: int | None = None) -> Record:
    """The record of a job, written down; parts that nobody knows the origin of are refused.

    `parts` of each system and pair are known beforehand where no probes are made.
    """
    if layout.has_parts and not layout.record.exists():
        raise HyperbatonError(
            f"{layout.root} holds parts of a run but no run.json that says which: "
            "choose another folder with --out, or delete this one"
        )

    def joined(before: Record | None) -> Record:
        return recorded(job, before, layout.root, parts)

    before = Run(layout.root).record if layout.record.exists() else None
    try:
        before = before and _without_silent(layout, before, job)
        record = joined(before)
    except OtherConfiguration:
        if before is None or not _is_worthless(layout, before):
            raise
        layout.clear()
        before, record = None, joined(None)
    layout.sweep()
    if before is not None:
        _drop_narrower(before, record, layout)
    record.write(layout.record)
    return record


def _drop_narrower(before: Record, record: Record, layout: Layout) -> None:
    """Remove the scores of a metric that compares more than before: they are made anew."""
    for metric in before.metrics:
        for of_outputs in (False, True):
            now = record.compared(metric, of_outputs)
            if len(now) > len(before.compared(metric, of_outputs)) > 0:
                layout.drop(metric, of_outputs)


def _without_silent(layout: Layout, record: Record, job: Job) -> Record:
    """The record without systems that a job no longer names and that never answered.

    A misspelt or dead system of an earlier command would leave the run incomplete for ever.
    """
    for corpus in job.corpora:
        pair = corpus.pair
        for system in record.asked.get(str(pair), ()):
            named = system in job.systems_of(str(pair)) or system in record.poles
            if not named and not has_answers(layout, record, system, pair):
                _log.warning(
                    "hyperbaton: %s: %s never answered in %s and is left out now",
                    *(layout.root, system, pair),
                )
                layout.drop_answers(system, pair)
                record = record.without(system, pair)
    return record


def _is_worthless(layout: Layout, record: Record) -> bool:
    """Whether no system but the poles answered anything, so that nothing is lost by a new start."""
    return not any(
        has_answers(layout, record, system, Pair.parse(pair))
        for pair, systems in record.asked.items()
        for system in systems
        if system not in record.poles
    )
