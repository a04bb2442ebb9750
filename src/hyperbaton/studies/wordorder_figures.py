"""The figures of the wordorder paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from hyperbaton.pipeline import Pair, Run
from hyperbaton.report.contents import Figure
from hyperbaton.stats import spearman
from hyperbaton.studies import wordorder_charts as charts
from hyperbaton.studies.wordorder_cells import Aggregate
from hyperbaton.studies.wordorder_similarity import similarities
from hyperbaton.studies.wordorder_summary import BINS, Profile, Summary

__all__ = ["figures"]

Row = dict[str, str | float | int | None]

_LENGTH_BINS = 10
_FEWEST = 5
"""Items that a mean by length is taken over; fewer say nothing."""
_LABELS = {"beta1": "β1", "beta2": "β2", "alpha": "α", "beta": "β"}


def figures(summary: Summary, runs: Sequence[Run]) -> list[Figure]:
    """F1 to F15, where the data give them."""
    return [
        _by_language(summary),
        _by_perturbation(summary),
        _alike(summary, runs),
        _by_length(summary),
        _with_quality(summary),
        *_means(summary),
        _difficulty(summary),
        _heat(summary),
        _scatter(summary),
    ]


def _language(pair: str) -> str:
    return Pair.parse(pair).target


def _languages(summary: Summary) -> list[str]:
    return list(dict.fromkeys(map(_language, summary.pairs)))


def _profiles(summary: Summary) -> Iterator[tuple[str, str, Profile]]:
    for (system, pair), profile in summary.profiles.items():
        yield system, _language(pair), profile


def _shares(counts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[float]:
    return [round(float(share), 5) for share in counts / max(1, counts.sum())]


def _by_language(summary: Summary) -> Figure:
    rows: list[Row] = []
    for system, language, profile in _profiles(summary):
        total = np.sum(list(profile.histograms.values()), axis=0)
        for start, end, share in zip(BINS[:-1], BINS[1:], _shares(total), strict=True):
            row: Row = {"system": system, "language": language, "share": share}
            leans = "robust" if end < 0 else "faithful" if start > 0 else "neither"
            rows.append(row | {"from": round(start, 3), "to": round(end, 3), "leans": leans})
    chart = charts.distributions(rows, _languages(summary), summary.systems)
    note = (
        f"{summary.leading}; all perturbations. Left of 0 the order is repaired (robust), right of "
        "it carried over (faithful); grey: a difference below 0.025. Shares of samples, on a "
        "square-root scale."
    )
    return Figure("F1", "β2 − β1 of all samples, per system and language", chart, note)


def _by_perturbation(summary: Summary) -> Figure:
    rows: list[Row] = []
    middles = (BINS[:-1] + BINS[1:]) / 2
    for system in summary.systems:
        mine = [p for s, _, p in _profiles(summary) if s == system]
        for name in summary.names:
            total = np.sum([profile.histograms[name] for profile in mine], axis=0)
            if not total.any():
                continue
            for middle, share in zip(middles, _shares(total), strict=True):
                row: Row = {"system": system, "perturbation": name, "share": share}
                rows.append(row | {"middle": round(float(middle), 3)})
    chart = charts.overlays(rows, summary.names, summary.systems)
    note = f"{summary.leading}; all languages. Shares of samples, on a square-root scale."
    return Figure("F2", "β2 − β1 of all samples, per perturbation", chart, note)


def _alike(summary: Summary, runs: Sequence[Run]) -> Figure:
    rows: list[Row] = []
    alike = similarities(runs, summary.leading, summary.names)
    for language, found in alike.items():
        for (one, other), value in found.items():
            row: Row = {"language": language, "a": one, "b": other}
            rows.append(row | {"value": round(value, 4)})
    orders = (summary.names, summary.names)
    chart = charts.heat(rows, "a", "b", orders, "similarity", ("language", list(alike)), cell=13)
    note = f"Mean {summary.leading} between two perturbations of the same sentences, per language."
    return Figure("F5", "How alike two perturbations are (F5, F14)", chart, note)


def _by_length(summary: Summary) -> Figure:
    rows: list[Row] = []
    for system, language, profile in _profiles(summary):
        relative = profile.length / (profile.length.max(initial=0) + 1)
        place = np.floor(relative * _LENGTH_BINS).astype(int)
        for score in ("beta1", "beta2", "alpha"):
            values = getattr(profile, score)
            for number in range(_LENGTH_BINS):
                some = values[(place == number) & np.isfinite(values)]
                if len(some) >= _FEWEST:
                    row: Row = {"system": system, "language": language, "score": _LABELS[score]}
                    row["length"] = (number + 0.5) / _LENGTH_BINS
                    rows.append(row | {"value": round(float(some.mean()), 4)})
    chart = charts.lines(rows, _languages(summary), summary.systems, f"mean {summary.leading}")
    note = (
        "Means over items of similar length, which is in words and divided by that of the longest "
        "item + 1. Spearman's ρ of each is in the table of rank correlations."
    )
    return Figure("F6", "β1, β2 and α by length of the source", chart, note)


def _with_quality(summary: Summary) -> Figure:
    rows: list[Row] = []
    for system, language, profile in _profiles(summary):
        for score in ("beta1", "beta2"):
            known = np.isfinite(profile.beta) & np.isfinite(getattr(profile, score))
            if known.sum() < 4:
                continue
            found = spearman(getattr(profile, score)[known], profile.beta[known])
            row: Row = {"system": system, "language": language, "score": f"ρ({_LABELS[score]}, β)"}
            rows.append(
                row | {"value": found.r, "low": found.interval.low, "high": found.interval.high}
            )
    known_rows = [row for row in rows if np.isfinite(float(row["value"] or 0))]
    languages = _languages(summary)
    chart = charts.dots(known_rows, "language", languages, "system", "ρ", summary.systems, 2)
    note = "Spearman over items; β1 and β2 of an item averaged over its perturbations."
    return Figure("F7", "How robustness and faithfulness go with quality", chart, note)


def _cell_rows(
    summary: Summary, metric: str, scores: Sequence[str], label: Callable[[str], str]
) -> list[Row]:
    """The mean of scores over the systems, per perturbation and language."""
    cells = summary.cells[metric]
    rows: list[Row] = []
    for pair in summary.pairs:
        for name in summary.names:
            where = cells.where(pair=pair, variants=[name], systems=summary.systems)
            for score in scores:
                found: Aggregate = cells.mean(score, where)
                if np.isfinite(found.value):
                    row: Row = {"language": _language(pair), "perturbation": name}
                    row["score"] = label(score)
                    row |= {"value": round(found.value, 5), "low": round(found.low, 5)}
                    rows.append(row | {"high": round(found.high, 5)})
    return rows


def _averaged(summary: Summary) -> str:
    return f"Mean over {len(summary.systems)} systems. " if len(summary.systems) > 1 else ""


def _means(summary: Summary) -> Iterator[Figure]:
    for metric in summary.metrics:
        rows = _cell_rows(summary, metric, ("beta1", "beta2"), _LABELS.__getitem__)
        chart = charts.dots(
            rows, "perturbation", summary.names, "language", metric, _languages(summary)
        )
        note = f"{_averaged(summary)}95 % intervals by bootstrap over items."
        title = f"β1 and β2 per perturbation and language under {metric}"
        yield Figure(f"F8-11 {metric}", title, chart, note)


def _difficulty(summary: Summary) -> Figure:
    names = {"alpha": "α of the source", "alpha_target": "α of the reference"}
    rows = _cell_rows(summary, summary.leading, tuple(names), names.__getitem__)
    chart = charts.dots(rows, "perturbation", summary.names, "language", "α", _languages(summary))
    note = f"{summary.leading} between a text and its perturbation: how much of the order is left."
    return Figure("F12", "α per perturbation and language", chart, note)


def _heat(summary: Summary) -> Figure:
    rows = _cell_rows(summary, summary.leading, ("beta1", "beta2"), _LABELS.__getitem__)
    orders = (summary.names, _languages(summary))
    panels = ("score", ["β1", "β2"])
    chart = charts.heat(
        rows, "perturbation", "language", orders, summary.leading, panels, columns=1
    )
    note = f"{_averaged(summary)}All cells are on one scale."
    return Figure("F13", "β1 and β2 by language and perturbation", chart, note)


def _scatter(summary: Summary) -> Figure:
    most = max(20, 2000 // max(1, len(summary.profiles)))
    rows: list[Row] = [
        {"system": system, "language": language, **sample}
        for system, language, profile in _profiles(summary)
        for sample in profile.samples.head(most).iter_rows(named=True)
    ]
    axes = (("beta1", "beta2"), ("alpha", "beta1"), ("alpha", "beta2"))
    chart = charts.scatter(rows, axes, _LABELS)
    note = f"{summary.leading} of {len(rows):,} samples spread over items and perturbations."
    return Figure("F15", "β1, β2 and α against each other", chart, note)
