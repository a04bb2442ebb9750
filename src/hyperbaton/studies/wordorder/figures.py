"""The figures of the wordorder paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.report.charts import charts
from hyperbaton.report.charts.vegalite import Spec
from hyperbaton.report.contents import Figure
from hyperbaton.studies.layer.samples import read_samples
from hyperbaton.studies.layer.sources import Source
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.layer.tables import Row, mean_rows
from hyperbaton.studies.wordorder.measures import LABELS, MEASURES, VARIED
from hyperbaton.studies.wordorder.profiles import LENGTH, Profiled, similarities

BINS = np.linspace(-1.025, 1.025, 42)
"""Where distributions of differences are cut; the middle bin lies around 0."""
_SHOWN = 300
_DIFFERENCE = LABELS["difference"]
_BETAS = {"beta1": "β1", "beta2": "β2"}
_SIDES = ("robust", "faithful")
_LENGTH_BINS = 10
_FEWEST = 5
"""Items that a mean by length is taken over; fewer say nothing."""
_SCATTERED = 600
"""Samples of all systems and languages in a scatter plot."""


def figures(profiled: Profiled) -> list[Figure]:
    """F1 to F15, where the data give them."""
    summary = profiled.summary
    spreads = [_spread(profile.source, summary) for profile in profiled.profiles.values()]
    return [
        _by_language(summary, spreads),
        _by_perturbation(summary, spreads),
        _similar(profiled),
        *_by_length(profiled),
        *_with_quality(profiled),
        *_means(summary),
        _scatter(summary, spreads),
    ]


class _Spread(NamedTuple):
    """How the single samples of one system on one pair spread, under the leading metric."""

    key: Row
    """The system and the language."""
    histograms: dict[str, NDArray[np.int64]]
    """How often the difference falls into each bin, by variant."""
    samples: pl.DataFrame
    """Some of them, evenly over items and variants."""


def _spread(source: Source, summary: Summary) -> _Spread:
    measures = {name: MEASURES[name] for name in ("difference", *VARIED)}
    groups = [(variant,) for variant in summary.variants]
    samples = read_samples(source, summary.leading, measures, groups=groups)
    columns = {name: samples.scores[name].ravel() for name in VARIED}
    known = np.flatnonzero(~np.isnan(columns[VARIED[0]]))
    # An odd step meets all of 16 variants in turn.
    some = known[:: len(known) // _SHOWN | 1][:_SHOWN]
    return _Spread(
        _key(source),
        {
            variant: np.histogram(column[~np.isnan(column)], BINS)[0]
            for variant, column in zip(
                summary.variants, samples.scores["difference"].T, strict=True
            )
        },
        pl.DataFrame({name: values[some].round(4) for name, values in columns.items()}),
    )


def _key(source: Source) -> Row:
    return {"system": source.system, "language": source.pair.target}


def _shares(counts: NDArray[np.int64]) -> list[float]:
    return [round(float(share), 5) for share in counts / max(1, counts.sum())]


def _by_language(summary: Summary, spreads: Sequence[_Spread]) -> Figure:
    """The distribution of the difference per system and language."""
    rows = []
    bins = list(zip(BINS[:-1].tolist(), BINS[1:].tolist(), strict=True))
    for key, histograms, _ in spreads:
        total = np.sum(list(histograms.values()), axis=0)
        for (start, end), share in zip(bins, _shares(total), strict=True):
            leans = _SIDES[0] if end < 0 else _SIDES[1] if start > 0 else "neither"
            row: Row = {"share": share, "from": round(start, 3), "to": round(end, 3)}
            rows.append(key | row | {"leans": leans})
    panels = summary.targets, summary.named
    chart = charts.distributions(rows, _DIFFERENCE, _SIDES, *panels, "difference")
    note = (
        f"{summary.leading}; all perturbations. Left of 0 the order is repaired (robust), right of "
        "it carried over (faithful); grey: a difference below 0.025. Shares of samples, on a "
        "square-root scale."
    )
    return Figure("F1", "β2 − β1 of all samples, per system and language", chart, note)


def _by_perturbation(summary: Summary, spreads: Sequence[_Spread]) -> Figure:
    """The distribution of the difference per system and variant."""
    rows = []
    middles = ((BINS[:-1] + BINS[1:]) / 2).round(3).tolist()
    for system in summary.named:
        mine = [spread for spread in spreads if spread.key["system"] == system]
        for name in summary.variants:
            total = np.sum([spread.histograms[name] for spread in mine], axis=0)
            for middle, share in zip(middles, _shares(total), strict=True) if total.any() else ():
                row: Row = {"system": system, "perturbation": name, "share": share}
                rows.append(row | {"middle": middle})
    chart = charts.overlays(rows, _DIFFERENCE, summary.variants, summary.named)
    note = f"{summary.leading}; all languages. Shares of samples, on a square-root scale."
    return Figure("F2", "β2 − β1 of all samples, per perturbation", chart, note)


def _similar(profiled: Profiled) -> Figure:
    summary, by_language = profiled.summary, similarities(profiled)
    rows: list[Row] = [
        {"language": language, "a": one, "b": other, "value": round(value, 4)}
        for language, values in by_language.items()
        for (one, other), value in values.items()
    ]
    orders, panels = (summary.variants, summary.variants), ("language", list(by_language))
    chart = charts.heat(rows, "a", "b", orders, "similarity", panels, cell=13)
    note = f"Mean {summary.leading} between two perturbations of the same sentences, per language."
    return Figure("F5", "How alike two perturbations are (F5, F14)", chart, note)


def _by_length(profiled: Profiled) -> Iterator[Figure]:
    """Means over items of similar length, relative to the longest + 1."""
    rows: list[Row] = []
    for profile in profiled.profiles.values():
        key, length = _key(profile.source), profile.scores[LENGTH]
        place = np.floor(length / (length.max(initial=0) + 1) * _LENGTH_BINS).astype(int)
        for score, label in {**_BETAS, "alpha": "α"}.items():
            values = profile.scores[score]
            for number in range(_LENGTH_BINS):
                some = values[(place == number) & np.isfinite(values)]
                if len(some) >= _FEWEST:
                    row: Row = {"score": label, "length": (number + 0.5) / _LENGTH_BINS}
                    rows.append(key | row | {"value": round(float(some.mean()), 4)})
    if not rows:  # too few items of any length
        return
    summary = profiled.summary
    chart = charts.lines(rows, summary.targets, summary.named, f"mean {summary.leading}")
    note = (
        "Means over items of similar length, which is in words and divided by that of the longest "
        "item + 1. Spearman's ρ of each is in the table of rank correlations."
    )
    yield Figure("F6", "β1, β2 and α by length of the source", chart, note)


def _with_quality(profiled: Profiled) -> Iterator[Figure]:
    """ρ of scores with that of the clean source, per system and language."""
    rows: list[Row] = []
    for key, score in product(profiled.profiles, _BETAS):
        rho = profiled.rank(key, score, "beta")
        row = _key(profiled.profiles[key].source)
        row |= {"score": f"ρ({LABELS[score]}, {LABELS['beta']})", "value": rho.value}
        rows += [row | {"low": rho.low, "high": rho.high}] if np.isfinite(rho.value) else []
    panels, systems = profiled.summary.targets, profiled.summary.named
    chart = charts.dots(rows, "language", panels, "system", "ρ", systems, 2)
    title, note = (
        "How robustness and faithfulness go with quality",
        f"Spearman over {profiled.observations}.",
    )
    yield from [Figure("F7", title, chart, note)] if rows else []  # none of too few items


def _means(summary: Summary) -> Iterator[Figure]:
    """The means of each metric, the difficulty of the perturbations, and all in one picture."""
    panels, lead = [*summary.panels.values()], summary.leading
    averaged = f"Mean over {len(summary.systems)} systems. " if len(summary.systems) > 1 else ""

    def dots(metric: str, scores: Mapping[str, str], title: str) -> Spec:
        rows = mean_rows(summary, metric, scores)
        return charts.dots(rows, "perturbation", summary.variants, "language", title, panels)

    for metric in summary.metrics:
        note = f"{averaged}95 % intervals by bootstrap over items."
        title = f"β1 and β2 per perturbation and language under {metric}"
        yield Figure(f"F8-11 {metric}", title, dots(metric, _BETAS, metric), note)
    names = {"alpha": "α of the source", "alpha_target": "α of the reference"}
    note = f"{lead} between a text and its perturbation: how much of the order is left."
    yield Figure("F12", "α per perturbation and language", dots(lead, names, "α"), note)
    rows, orders = mean_rows(summary, lead, _BETAS), (summary.variants, panels)
    scores = ("score", list(_BETAS.values()))
    chart = charts.heat(rows, "perturbation", "language", orders, lead, scores, columns=1)
    note = f"{averaged}All cells are on one scale."
    yield Figure("F13", "β1 and β2 by language and perturbation", chart, note)


def _scatter(summary: Summary, spreads: Sequence[_Spread]) -> Figure:
    """Single samples, equally many of each system and language."""
    each = max(20, _SCATTERED // max(1, len(spreads)))
    rows: list[Row] = [
        {**key, **sample}
        for key, _, samples in spreads
        for sample in samples.head(each).iter_rows(named=True)
    ]
    axes = (("beta1", "beta2"), ("alpha", "beta1"), ("alpha", "beta2"))
    lead = summary.leading
    note = f"{lead} of {len(rows):,} samples spread over items and perturbations."
    return Figure(
        "F15", "β1, β2 and α against each other", charts.scatter(rows, axes, LABELS), note
    )
