"""The report of a study that says no more than what it compares: means, differences, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from hyperbaton.base.wording import counted
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.report.charts import charts
from hyperbaton.report.contents import Contents, Figure, Headline
from hyperbaton.studies.drawing import languages, mean_rows
from hyperbaton.studies.layer.ranking import Measure, rank_systems
from hyperbaton.studies.layer.sources import sources
from hyperbaton.studies.layer.summary import Summary, summarise
from hyperbaton.studies.provenance import notes, repeats, signed
from hyperbaton.studies.relation import told, unrelated_systems
from hyperbaton.studies.sentences import TEXTS, explorer
from hyperbaton.studies.tables import differences_table, means_table

if TYPE_CHECKING:
    from hyperbaton.studies.study import Study

__all__ = ["outline", "read"]


def read(study: Study, runs: Sequence[Run], metrics: Sequence[str] | None = None) -> Summary:
    """The means of everything that a study measures."""
    names = study.order or _variants(runs)
    summary = summarise(runs, study.measures, names, study.again, metrics)
    summary.unrelated = unrelated_systems(summary.tested)
    return summary


def _variants(runs: Sequence[Run]) -> tuple[str, ...]:
    """The variants as they come."""
    found: dict[str, None] = {}
    for source in sources(runs):
        for part in source.run.parts(source.pair, columns=["variant"]):
            found.update(dict.fromkeys(part["variant"].unique(maintain_order=True)))
    return tuple(name for name in found if name != IDENTITY)


def outline(study: Study, runs: Sequence[Run]) -> Contents:
    """A table of all means, the differences of systems, a figure per metric, single sentences."""
    summary = read(study, runs)
    known = [name for name in study.measures if summary.lead.count(name)]
    labels = {name: study.labels.get(name, name) for name in known}
    differences = [differences_table(summary, labels)] if len(summary.named) > 1 else []
    note = "95 % intervals by bootstrap over items"
    contents = Contents(
        title=study.title,
        summary=f"{study.question} {_scope(summary)}",
        findings=[],
        tables=[means_table(summary, labels), *differences],
        figures=[
            Figure(f"F {metric}", f"Means under {metric}", _dots(summary, metric, labels), note)
            for metric in summary.metrics
        ],
        explorer=explorer(summary.tested, summary.leading, labels, study.measures, texts=TEXTS),
        signatures=[],
        command="",
        cautions=told(summary.silent),
        headlines=_headlines(study, summary, known),
        contests=rank_systems(
            summary,
            [
                Measure(labels[name], None, name, not more, study.leads.get(name, ""))
                for name, more in study.ranked.items()
                if name in labels
            ],
        ),
    )
    further = [*repeats(summary.tested), *notes(summary)]
    return signed(contents, runs, summary.lead.bootstrap, further)


def _headlines(study: Study, summary: Summary, known: Sequence[str]) -> list[Headline]:
    """What each system does, where the study has a sentence for it."""
    found = []
    for system in summary.named:
        where = {"system": system, "variant": summary.variants}
        means = {name: summary.lead.mean(name, **where) for name in known}
        finite = {name: mean for name, mean in means.items() if np.isfinite(mean.value)}
        why = summary.silent.get(system)
        nothing = f"{system}: there is no translation to judge, since {why}." if why else ""
        found.append(Headline(system, nothing or study.answer(system, finite)))
    return [headline for headline in found if headline.sentence]


def _scope(summary: Summary) -> str:
    items, pairs = sum(summary.items.values()), len(summary.pairs)
    return (
        f"{', '.join(summary.named)} on {counted(items, 'item')} in "
        f"{counted(pairs, 'language pair')}."
    )


def _dots(summary: Summary, metric: str, labels: dict[str, str]) -> charts.Chart:
    rows, panels = mean_rows(summary, metric, labels), languages(summary)
    return charts.dots(rows, "perturbation", summary.variants, "language", metric, panels)
