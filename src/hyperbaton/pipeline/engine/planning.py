"""What each part of a run takes: the same on every engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.design import Pair
from hyperbaton.pipeline.engine.progress import Stage
from hyperbaton.pipeline.engine.starting import forget_silent, is_worthless
from hyperbaton.pipeline.job import Job, recorded
from hyperbaton.pipeline.run.completeness import has_answers
from hyperbaton.pipeline.run.layout import Layout
from hyperbaton.pipeline.run.record import OtherConfiguration, Record
from hyperbaton.pipeline.run.record_reading import read_record
from hyperbaton.pipeline.stages.scoring import Judging, Scoring, Target

__all__ = ["Plan", "begun"]


class Plan:
    """A job, where its parts lie, and its record, which learns the signatures of systems."""

    def __init__(self, job: Job, layout: Layout, record: Record) -> None:
        self.job = job
        self.layout = layout
        self.record = record

    @property
    def totals(self) -> Mapping[Stage, int]:
        """Items of each stage, those of every system where a stage has to do with one."""
        sizes = {str(c.pair): self.record.progress[str(c.pair)].items for c in self.job.corpora}
        per_system = sum(n * len(self.job.systems_of(pair)) for pair, n in sizes.items())
        return {"probes": sum(sizes.values()), "translations": per_system, "scores": per_system}

    def parts(self, pair: Pair) -> int:
        """The number of parts of a pair."""
        return self.record.progress[str(pair)].parts

    def items(self, pair: Pair, part: int) -> int:
        """The items of a part; the last one may have fewer."""
        items = self.record.progress[str(pair)].items
        return min(self.job.options.part, items - part * self.job.options.part)

    def made_of_outputs(self, system: str, pair: Pair, part: int) -> tuple[Path, ...]:
        """What must go before outputs change: their scores by whatever metric."""
        scores = (self.layout.scores(system, pair, m, part) for m in self.record.metrics)
        whole = self.layout.whole(system, pair, part if self.record.by_parts else 0)
        return (*scores, whole)

    def sign(self, system: str, pair: Pair, signature: str, batch_free: bool) -> None:
        """Enter the signature of a system, or refuse outputs of two systems under one name.

        What an earlier one of the name failed at is dropped, where it answered nothing.
        """
        known = self.record.systems[system].get(str(pair))
        silent = known != signature and not has_answers(self.layout, self.record, system, pair)
        if known is not None and silent:
            self.layout.drop_answers(system, pair)
        if known is None or silent:
            self.record = self._signed(system, str(pair), signature, batch_free)
            self.record.write(self.layout.record)
        elif known != signature:
            raise HyperbatonError(
                f"{self.layout.root} holds outputs of another {system} ({known}, now "
                f"{signature}): choose another folder with --out, or delete this one"
            )

    def _signed(self, system: str, pair: str, signature: str, batch_free: bool) -> Record:
        """The record with one more signature; it stands where it would on any other engine."""
        record = self.record
        found = {**record.systems[system], pair: signature}
        signatures = {p: found[p] for p in record.corpora if p in found}
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

    def scoring(self, system: str | None, pair: Pair, part: int) -> Scoring:
        """What is scored of a part; without a system, what belongs to the probes."""
        targets = {}
        for metric, signatures in self.record.metrics.items():
            comparisons = self.record.compared(metric, system is not None)
            path = (
                self.layout.measures(pair, metric, part)
                if system is None
                else self.layout.scores(system, pair, metric, part)
            )
            configuration = self.record.configuration(pair, system, metric)
            if comparisons:
                targets[metric] = Target(path, comparisons, configuration, signatures)
        outputs = None if system is None else self.layout.outputs(system, pair, part)
        return Scoring(pair, self.layout.probes(pair, part), outputs, targets)

    def judging(self, system: str, pair: Pair, part: int | None = None) -> Judging:
        """The stage over the whole corpus, or over a part of it."""
        return Judging(
            self.layout.whole(system, pair, part or 0),
            self.record.whole_configuration(pair, system),
            self.job.design,
            self.layout.root,
            pair,
            system,
            part,
        )


def begun(job: Job, layout: Layout) -> Plan:
    """The record of a job, written down; parts that nobody knows the origin of are refused."""
    if layout.has_parts and not layout.record.exists():
        raise HyperbatonError(
            f"{layout.root} holds parts of a run but no run.json that says which: "
            "choose another folder with --out, or delete this one"
        )
    before = read_record(layout.record) if layout.record.exists() else None
    try:
        before = before and forget_silent(layout, before, job)
        record = recorded(job, before, layout.root)
    except OtherConfiguration:
        if before is None or not is_worthless(layout, before):
            raise
        layout.clear()
        before, record = None, recorded(job, None, layout.root)
    layout.sweep()
    if before is not None:
        _drop_narrower(before, record, layout)
    record.write(layout.record)
    return Plan(job, layout, record)


def _drop_narrower(before: Record, record: Record, layout: Layout) -> None:
    """Remove the scores of a metric that compares more than before: they are made anew."""
    for metric in before.metrics:
        for of_outputs in (False, True):
            now = record.compared(metric, of_outputs)
            if len(now) > len(before.compared(metric, of_outputs)) > 0:
                layout.drop(metric, of_outputs)
