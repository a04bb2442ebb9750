"""The figures of the wordorder paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hyperbaton.report.charts import charts
from hyperbaton.report.contents import Figure
from hyperbaton.studies import drawing
from hyperbaton.studies.alike import similarities
from hyperbaton.studies.layer.summary import Summary
from hyperbaton.studies.profiles import Profiled
from hyperbaton.studies.wordorder.tables import LABELS

__all__ = ["figures"]

_DIFFERENCE = LABELS["difference"]
_BETAS = {"beta1": "β1", "beta2": "β2"}
_SIDES = ("robust", "faithful")


def figures(found: Profiled) -> list[Figure]:
    """F1 to F15, where the data give them."""
    summary = found.summary
    return [
        _by_language(found),
        _by_perturbation(found),
        _alike(summary),
        *_by_length(found),
        *_with_quality(found),
        *_means(summary),
        _difficulty(summary),
        _heat(summary),
        _scatter(found),
    ]


def _by_language(found: Profiled) -> Figure:
    summary = found.summary
    rows, languages = drawing.histogram_rows(found, _SIDES), drawing.languages(summary)
    systems = summary.named
    chart = charts.distributions(rows, _DIFFERENCE, _SIDES, languages, systems, "difference")
    note = (
        f"{summary.leading}; all perturbations. Left of 0 the order is repaired (robust), right of "
        "it carried over (faithful); grey: a difference below 0.025. Shares of samples, on a "
        "square-root scale."
    )
    return Figure("F1", "β2 − β1 of all samples, per system and language", chart, note)


def _by_perturbation(found: Profiled) -> Figure:
    summary = found.summary
    rows = drawing.outline_rows(found)
    chart = charts.overlays(rows, _DIFFERENCE, summary.variants, summary.named)
    note = f"{summary.leading}; all languages. Shares of samples, on a square-root scale."
    return Figure("F2", "β2 − β1 of all samples, per perturbation", chart, note)


def _alike(summary: Summary) -> Figure:
    alike = similarities(summary)
    rows: list[drawing.Row] = [
        {"language": language, "a": one, "b": other, "value": round(value, 4)}
        for language, found in alike.items()
        for (one, other), value in found.items()
    ]
    orders = (summary.variants, summary.variants)
    chart = charts.heat(rows, "a", "b", orders, "similarity", ("language", list(alike)), cell=13)
    note = f"Mean {summary.leading} between two perturbations of the same sentences, per language."
    return Figure("F5", "How alike two perturbations are (F5, F14)", chart, note)


def _by_length(found: Profiled) -> Iterator[Figure]:
    summary = found.summary
    rows = drawing.length_rows(found, {**_BETAS, "alpha": "α"})
    if not rows:  # too few items of any length
        return
    title = f"mean {summary.leading}"
    chart = charts.lines(rows, drawing.languages(summary), summary.named, title)
    note = (
        "Means over items of similar length, which is in words and divided by that of the longest "
        "item + 1. Spearman's ρ of each is in the table of rank correlations."
    )
    yield Figure("F6", "β1, β2 and α by length of the source", chart, note)


def _with_quality(found: Profiled) -> Iterator[Figure]:
    rows = drawing.rank_rows(found, list(_BETAS), LABELS)
    panels, systems = drawing.languages(found.summary), found.summary.named
    chart = charts.dots(rows, "language", panels, "system", "ρ", systems, 2)
    title, note = "How robustness and faithfulness go with quality", f"Spearman over {found.unit}."
    yield from [Figure("F7", title, chart, note)] if rows else []  # none of too few items


def _averaged(summary: Summary) -> str:
    return f"Mean over {len(summary.systems)} systems. " if len(summary.systems) > 1 else ""


def _dots(summary: Summary, metric: str, scores: Mapping[str, str], title: str) -> charts.Chart:
    rows, panels = drawing.mean_rows(summary, metric, scores), drawing.languages(summary)
    return charts.dots(rows, "perturbation", summary.variants, "language", title, panels)


def _means(summary: Summary) -> Iterator[Figure]:
    for metric in summary.metrics:
        note = f"{_averaged(summary)}95 % intervals by bootstrap over items."
        title = f"β1 and β2 per perturbation and language under {metric}"
        yield Figure(f"F8-11 {metric}", title, _dots(summary, metric, _BETAS, metric), note)


def _difficulty(summary: Summary) -> Figure:
    names = {"alpha": "α of the source", "alpha_target": "α of the reference"}
    chart = _dots(summary, summary.leading, names, "α")
    note = f"{summary.leading} between a text and its perturbation: how much of the order is left."
    return Figure("F12", "α per perturbation and language", chart, note)


def _heat(summary: Summary) -> Figure:
    rows = drawing.mean_rows(summary, summary.leading, _BETAS)
    orders = (summary.variants, drawing.languages(summary))
    panels, lead = ("score", list(_BETAS.values())), summary.leading
    chart = charts.heat(rows, "perturbation", "language", orders, lead, panels, columns=1)
    note = f"{_averaged(summary)}All cells are on one scale."
    return Figure("F13", "β1 and β2 by language and perturbation", chart, note)


def _scatter(found: Profiled) -> Figure:
    rows = drawing.sample_rows(found)
    axes = (("beta1", "beta2"), ("alpha", "beta1"), ("alpha", "beta2"))
    lead = found.summary.leading
    note = f"{lead} of {len(rows):,} samples spread over items and perturbations."
    chart = charts.scatter(rows, axes, LABELS)
    return Figure("F15", "β1, β2 and α against each other", chart, note)
