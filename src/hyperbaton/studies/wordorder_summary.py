"""All that tables, figures and findings are drawn from, read once from the runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import Perturbation
from hyperbaton.pipeline import IDENTITY, Pair, Run
from hyperbaton.pipeline.labels import system_labels
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.wordorder_cells import Cells, Cube, cube

__all__ = ["BINS", "Profile", "Summary", "leading", "summarise"]

Floats = NDArray[np.float64]
BINS = np.linspace(-1.025, 1.025, 42)
"""Where the distributions of β2 − β1 are cut; the middle bin lies around 0."""
_SHOWN = 300


@dataclass(frozen=True)
class Profile:
    """One system on one pair, item by item, under the leading metric."""

    length: Floats
    """In words of the source."""
    beta: Floats
    beta1: Floats
    """The mean over the perturbations that apply to the item; likewise beta2 and alpha."""
    beta2: Floats
    alpha: Floats
    histograms: dict[str, NDArray[np.int64]]
    """How often β2 − β1 falls into each bin, by perturbation."""
    samples: pl.DataFrame
    """Some single samples, for scatter plots."""


@dataclass
class Summary:
    """The numbers of one or several runs."""

    variants: tuple[Perturbation, ...]
    sources: Mapping[str, tuple[Run, str]]
    """Where each system comes from: its label to a run and its name there."""
    poles: tuple[str, ...]
    pairs: tuple[str, ...]
    metrics: tuple[str, ...]
    leading: str
    """The metric of findings and of most figures: the first that is a similarity."""
    cells: dict[str, Cells] = field(default_factory=dict)
    profiles: dict[tuple[str, str], Profile] = field(default_factory=dict)
    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    """N by joint applicability: items of (pair, perturbation)."""
    items: dict[str, int] = field(default_factory=dict)
    faults: dict[tuple[str, str], int] = field(default_factory=dict)
    """Outputs that failed, by system and pair."""

    @property
    def systems(self) -> tuple[str, ...]:
        """The labels of the systems."""
        return tuple(self.sources)

    @property
    def names(self) -> tuple[str, ...]:
        """The perturbations as they print."""
        return tuple(map(str, self.variants))

    def of_category(self, *categories: str) -> list[str]:
        """The perturbations of some categories."""
        return [str(v) for v in self.variants if v.category in categories]

    @property
    def lead(self) -> Cells:
        """The means under the leading metric."""
        return self.cells[self.leading]


def leading(metrics: Sequence[str]) -> str:
    """The metric that findings are about: the first that is a similarity, if any is.

    >>> leading(["LevenshteinDistance", "chrF", "BLEU"])
    'chrF'
    """
    return next((m for m in metrics if METRICS.parse(m).higher_is_better), metrics[0])


def summarise(
    runs: Sequence[Run],
    variants: Sequence[Perturbation],
    bootstrap: Bootstrap | None = None,
    metrics: Sequence[str] | None = None,
) -> Summary:
    """Read the scores of runs; a system that two runs have is told apart by the run's name."""
    metrics = metrics or [m for m in runs[0].metrics if all(m in run.metrics for run in runs)]
    if not metrics:
        raise HyperbatonError("the runs have no metric in common: add one with -m")
    summary = Summary(
        variants=tuple(variants),
        sources=_labels(runs),
        poles=tuple(dict.fromkeys(pole for run in runs for pole in run.poles)),
        pairs=tuple(dict.fromkeys(str(pair) for run in runs for pair in run.pairs)),
        metrics=tuple(metrics),
        leading=leading(metrics),
    )
    for metric in metrics:
        summary.cells[metric] = Cells(bootstrap or Bootstrap())
        for (label, pair), (run, system) in _sources(runs).items():
            # The poles mark the ends of the leading metric's scale.
            if label in summary.systems or metric == summary.leading:
                _read(summary, metric, label, system, run, pair)
    return summary


def _read(summary: Summary, metric: str, label: str, system: str, run: Run, pair: str) -> None:
    """Enter one system on one pair; a function of its own, so that one cube is held at a time."""
    found = cube(run, Pair.parse(pair), system, metric, summary.names)
    summary.cells[metric].add(label, pair, found)
    if metric == summary.leading and label in summary.systems:
        summary.profiles[label, pair] = _profile(run, pair, found)
        _count(summary, label, pair, found)


def _labels(runs: Sequence[Run]) -> dict[str, tuple[Run, str]]:
    """The systems of all runs under names that tell them apart."""
    owners = Counter(system for run in runs for system in run.systems)
    names = Counter(run.folder.name for run in runs)
    short = system_labels(owners)
    labels = {}
    for run in runs:
        folder = run.folder.name if names[run.folder.name] == 1 else str(run.folder)
        for system in run.systems:
            label = short[system] if owners[system] == 1 else f"{short[system]} in {folder}"
            labels[label] = (run, system)
    return labels


def _sources(runs: Sequence[Run]) -> dict[tuple[str, str], tuple[Run, str]]:
    found = {
        (label, str(pair)): (run, system)
        for label, (run, system) in _labels(runs).items()
        for pair in run.pairs_of(system)
    }
    for run in runs:
        for pole in run.poles:
            for pair in run.pairs_of(pole):
                found.setdefault((pole, str(pair)), (run, pole))
    return found


def _count(summary: Summary, system: str, pair: str, found: Cube) -> None:
    summary.items[pair] = len(found.items)
    applies = (~np.isnan(found.scores["alpha"])).sum(axis=0)
    for variant, count in zip(found.variants, applies.tolist(), strict=True):
        summary.counts[pair, variant] = count
    gaps = np.isnan(found.scores["beta1"]) & ~np.isnan(found.scores["alpha"])
    summary.faults[system, pair] = int(gaps.sum())


def _profile(run: Run, pair: str, found: Cube) -> Profile:
    lengths = {
        item: length
        for part in run.parts(Pair.parse(pair), columns=["item", "variant", "words"])
        for item, length in part.filter(pl.col("variant") == IDENTITY)
        .select("item", pl.col("words").list.len())
        .iter_rows()
    }
    difference = found.scores["difference"]
    return Profile(
        length=np.array([lengths[item] for item in found.items], dtype=np.float64),
        beta=found.beta,
        beta1=_row_means(found.perturbed("beta1")),
        beta2=_row_means(found.perturbed("beta2")),
        alpha=_row_means(found.perturbed("alpha")),
        histograms={
            variant: np.histogram(column[~np.isnan(column)], BINS)[0]
            for variant, column in zip(found.variants, difference.T, strict=True)
            if variant != IDENTITY
        },
        samples=_samples(found),
    )


def _row_means(table: Floats) -> Floats:
    known = ~np.isnan(table)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(known, table, 0).sum(axis=1) / known.sum(axis=1))


def _samples(found: Cube) -> pl.DataFrame:
    """Samples spread evenly over items and perturbations."""
    columns = {name: found.perturbed(name).ravel() for name in ("beta1", "beta2", "alpha")}
    known = np.flatnonzero(~np.isnan(columns["beta1"]))
    # An odd step meets all of 16 perturbations in turn.
    some = known[:: len(known) // _SHOWN | 1][:_SHOWN]
    return pl.DataFrame({name: values[some].round(4) for name, values in columns.items()})
