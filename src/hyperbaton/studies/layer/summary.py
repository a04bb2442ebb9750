"""All that the tables, figures and findings of a study are drawn from, read once from its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.studies.layer.answers import unrelated_systems
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.layer.means import Means, Ratios, SharedSamples
from hyperbaton.studies.layer.samples import Measures, Samples, read_samples
from hyperbaton.studies.layer.sources import Source, sources, systems_of_claims

WHOLE = "whole"
"""Stands for the metric in a study that has none, whose scores come from the whole corpus."""


@dataclass
class Summary:
    """The numbers of one or several runs of a study."""

    sources: tuple[Source, ...]
    variants: tuple[str, ...]
    metrics: tuple[str, ...]
    leading: str
    """The metric of findings and of most figures: the first that is a similarity."""
    unrelated: dict[str, str] = field(default_factory=dict)
    """The systems whose answers do not belong to their sentences, controls too: the reason."""
    means: dict[str, Means] = field(default_factory=dict)
    """The means of all cells, by metric."""
    common: dict[str, Means] = field(default_factory=dict)
    """The means over the samples that all rivals have, by metric, where that is not all of them."""
    noise: dict[tuple[str, str, str], float] = field(default_factory=dict)
    """How far the scores of two translations of the same source lie apart: metric, system, pair."""
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    """Items by pair and variant, whether they were translated or not."""
    unchanged: dict[tuple[str, str], float] = field(default_factory=dict)
    """The share of draws that left the source as it was, by pair and variant."""
    items: dict[str, int] = field(default_factory=dict)
    """All items by pair."""
    faults: dict[tuple[str, str], int] = field(default_factory=dict)
    """Outputs that failed, by system and pair."""

    @cached_property
    def tested(self) -> tuple[Source, ...]:
        """The systems that were asked for, pair by pair."""
        return tuple(source for source in self.sources if not source.pole)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Those that means are taken over: without controls, unless there is nothing else."""
        real = [s for s in self.tested if not s.control and s.system not in self.unrelated]
        return _systems(real or self.tested)

    @cached_property
    def controls(self) -> tuple[str, ...]:
        """The controls that were asked for beside other systems."""
        return _systems([s for s in self.tested if s.system not in self.systems])

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The labels of the systems that were asked for, controls last."""
        return (*self.systems, *self.controls)

    @cached_property
    def silent(self) -> dict[str, str]:
        """Those of which nothing is said; a control is what it is meant to be."""
        controls = {source.system for source in self.tested if source.control}
        return {name: why for name, why in self.unrelated.items() if name not in controls}

    def unsaid(self, system: str) -> str:
        """Why nothing is said of a system whose answers do not belong to their sentences."""
        why = self.silent.get(system)
        return f"{system}: there is no translation to judge, since {why}." if why else ""

    @cached_property
    def rivals(self) -> tuple[str, ...]:
        """Those that are ranked: controls never are, nor what does not translate."""
        return _systems([s for s in self.tested if not s.control and s.system not in self.silent])

    @cached_property
    def claimed(self) -> tuple[str, ...]:
        """Those that claims are tested on."""
        short = {source.system: source.name for source in self.tested}
        names = systems_of_claims(short.values())
        claimed = tuple(system for system, name in short.items() if name in names)
        return tuple(system for system in claimed if system not in self.silent) or claimed

    @cached_property
    def poles(self) -> tuple[str, ...]:
        """The systems with known answers."""
        return _systems([source for source in self.sources if source.pole])

    @cached_property
    def pairs(self) -> tuple[str, ...]:
        """The language pairs, in the order of the runs."""
        runs = dict.fromkeys(source.run for source in self.sources)
        return tuple(dict.fromkeys(str(pair) for run in runs for pair in run.pairs))

    @cached_property
    def targets(self) -> list[str]:
        """The target languages."""
        return list(dict.fromkeys(Pair.parse(pair).target for pair in self.pairs))

    @cached_property
    def panels(self) -> dict[str, str]:
        """The name of each pair's panel in a figure: its target, where that is its own."""
        targets = {pair: Pair.parse(pair).target for pair in self.pairs}
        alone = len(set(targets.values())) == len(targets)
        return targets if alone else {pair: pair for pair in targets}

    @property
    def lead(self) -> Means:
        """The means under the leading metric."""
        return self.means[self.leading]

    def shared(self, metric: str | None = None) -> Means:
        """The means over the samples that all rivals have, which alone can be compared."""
        metric = metric or self.leading
        return self.common.get(metric, self.means[metric])

    def wanted(self, variant: str) -> tuple[str, ...]:
        """The variants of a row: one of them, or all."""
        return self.variants if variant == ALL else (variant,)


def _systems(some: Sequence[Source]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source.system for source in some))


def leading(metrics: Sequence[str]) -> str:
    """The metric that findings are about: the first that is a similarity, if any is.

    >>> leading(["LevenshteinDistance", "chrF", "BLEU"])
    'chrF'
    """
    known = [metric for metric in metrics if metric != WHOLE]
    return next((m for m in known if METRICS.parse(m).higher_is_better), metrics[0])


def summarise(
    runs: Sequence[Run],
    measures: Measures,
    variants: Sequence[str],
    again: tuple[str, str] | None = None,
    metrics: Sequence[str] | None = None,
    each: Callable[[Source, Samples], None] | None = None,
    ratios: Ratios | None = None,
) -> Summary:
    """Read the scores of runs; `ratios` of them are known for what is a similarity.

    `again` names two scores whose distance on the identity is the noise: of the translation, and
    of the second translation of the same source. `each` is handed the scores item by item, under
    the leading metric; those of one system and pair are held at a time.
    """
    if not any(run.metrics for run in runs) and all(run.record.whole for run in runs):
        metrics = [WHOLE]
    else:
        metrics = _common(runs, measures, metrics)
    every = tuple(sources(runs))
    unrelated = unrelated_systems(source for source in every if not source.pole)
    summary = Summary(every, tuple(variants), tuple(metrics), leading(metrics), unrelated)
    groups = [(IDENTITY,), *((variant,) for variant in variants)]
    compared = [source for source in summary.tested if not source.control]
    for metric in metrics:
        known = ratios if metric != WHOLE and METRICS.parse(metric).higher_is_better else None
        means = summary.means[metric] = Means(tuple(measures), ratios=known)
        shared = SharedSamples()
        for source in every:
            # The poles mark the ends of the leading metric's scale.
            if source.pole and metric != summary.leading:
                continue
            samples = read_samples(source, metric, measures, groups=groups)
            means.add(source, samples)
            if source in compared and len(_systems(compared)) > 1:
                shared.add(source, samples)
            if again is not None:
                summary.noise[metric, source.system, str(source.pair)] = _noise(samples, again)
            if metric == summary.leading and not source.pole:
                _count(summary, source)
                if each is not None:
                    each(source, samples)
        if not shared.is_all:
            some = summary.common[metric] = Means(means.scores, ratios=known)
            for source in summary.tested:
                samples = read_samples(source, metric, measures, groups=groups)
                part = shared.only(source, samples)
                if part is not None:
                    some.add(source, part)
    return summary


def _common(
    runs: Sequence[Run], measures: Measures, metrics: Sequence[str] | None
) -> Sequence[str]:
    """The metrics that were named, or all that the runs share and that the measures are made of.

    A metric may belong to one comparison alone, which is no measure.
    """
    roots = {root for measure in measures.values() for root in measure.meta.root_names()}
    compared = [c for run in runs for name, c in run.record.comparisons.items() if name in roots]
    metrics = metrics or [
        metric
        for metric in runs[0].metrics
        if all(metric in run.metrics for run in runs)
        and all(metric in (comparison.metrics or ()) for comparison in compared)
    ]
    if not metrics:
        raise HyperbatonError("the runs have no metric in common: add one with -m")
    missing = [m for m in metrics if not all(m in run.metrics for run in runs)]
    if missing:
        known = ", ".join(runs[0].metrics)
        raise HyperbatonError(f"{runs[0].folder} has no scores of {missing[0]}: it has {known}")
    return metrics


def _noise(samples: Samples, again: tuple[str, str]) -> float:
    """The mean distance between the scores of two translations of the same source."""
    first, second = (samples.column(score) for score in again)
    distance = np.abs(second - first)
    return float(np.nanmean(distance)) if np.isfinite(distance).any() else 0.0


def _count(summary: Summary, source: Source) -> None:
    """How many items each variant applies to, and how many outputs are missing."""
    pair, faults = str(source.pair), 0
    items: Counter[str] = Counter()
    rows: Counter[str] = Counter()
    unchanged: Counter[str] = Counter()
    columns = ["item", "variant", "source", "varied", "varied_output"]
    for part in source.run.parts(source.pair, source.name, columns=columns):
        items.update(part.select("item", "variant").unique()["variant"].to_list())
        rows.update(part["variant"].to_list())
        unchanged.update(part.filter(part["source"] == part["varied"])["variant"].to_list())
        faults += part["varied_output"].null_count()
    summary.items[pair] = items[IDENTITY]
    summary.counts |= {(pair, variant): count for variant, count in items.items()}
    shares = {(pair, variant): unchanged[variant] / count for variant, count in rows.items()}
    summary.unchanged |= shares
    summary.faults[source.system, pair] = faults
