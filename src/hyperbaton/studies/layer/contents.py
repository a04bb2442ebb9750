"""The report of a study that says no more than what it compares: means, differences, sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from hyperbaton.base.wording import counted
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.pipeline.run.record import MACHINE
from hyperbaton.report.charts import charts
from hyperbaton.report.charts.vegalite import Spec
from hyperbaton.report.contents import Contents, Figure, Headline
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.layer.aggregate import FEWEST, Aggregate
from hyperbaton.studies.layer.answers import left_out
from hyperbaton.studies.layer.claims import CHANCE, CORRECTED
from hyperbaton.studies.layer.own_noise import repeats
from hyperbaton.studies.layer.ranking import Measure, rank_systems
from hyperbaton.studies.layer.sentences import TEXTS, explorer
from hyperbaton.studies.layer.sources import sources
from hyperbaton.studies.layer.summary import Summary, summarise
from hyperbaton.studies.layer.tables import differences_table, mean_rows, means_table

if TYPE_CHECKING:
    from hyperbaton.studies.layer.experiment import ProbeStudy


def read(study: ProbeStudy, runs: Sequence[Run], metrics: Sequence[str] | None = None) -> Summary:
    """The means of everything that a study measures; those read last are at hand."""
    return _read(study, tuple(runs), None if metrics is None else tuple(metrics))


@lru_cache(maxsize=1)
def _read(study: ProbeStudy, runs: tuple[Run, ...], metrics: tuple[str, ...] | None) -> Summary:
    names = study.order or _variants(runs)
    return summarise(runs, study.measures, names, study.again, metrics)


def _variants(runs: Sequence[Run]) -> tuple[str, ...]:
    """The variants as they come."""
    found: dict[str, None] = {}
    for source in sources(runs):
        for part in source.run.parts(source.pair, columns=["variant"]):
            found.update(dict.fromkeys(part["variant"].unique(maintain_order=True)))
    return tuple(name for name in found if name != IDENTITY)


def brief(study: ProbeStudy, runs: Sequence[Run]) -> Contents:
    """The answer for each system, and the rankings."""
    summary = read(study, runs)
    labels = _labels(study, summary)
    items = counted(sum(summary.items.values()), "item")
    pairs = counted(len(summary.pairs), "language pair")
    return Contents(
        title=study.title,
        summary=f"{study.question} {', '.join(summary.named)} on {items} in {pairs}.",
        cautions=left_out(summary.silent),
        headlines=_headlines(study, summary, list(labels)),
        glossary=glossary(study.name),
        contests=rank_systems(
            summary,
            [
                Measure(
                    shown.label, None, name, shown.first == "lowest", shown.leads, share=shown.share
                )
                for name, shown in study.shown.items()
                if shown.first and name in labels
            ],
        ),
    )


def outline(study: ProbeStudy, runs: Sequence[Run]) -> Contents:
    """A table of all means, the differences of systems, a figure per metric, single sentences."""
    summary = read(study, runs)
    labels = _labels(study, summary)
    differences = [differences_table(summary, labels)] if len(summary.named) > 1 else []
    shares = [shown.label for shown in study.shown.values() if shown.share]
    contents = replace(
        brief(study, runs),
        tables=[means_table(summary, labels, percent=shares), *differences],
        figures=_figures(study, summary, labels),
        explorer=explorer(summary.tested, summary.leading, labels, study.measures, texts=TEXTS),
    )
    further = [*repeats(summary.tested), *notes(summary)]
    return signed(contents, runs, summary.lead.bootstrap, further)


def _figures(study: ProbeStudy, summary: Summary, labels: Mapping[str, str]) -> list[Figure]:
    """The shares, which are of no metric, and the means under each metric."""
    note = "95 % intervals by bootstrap over items"
    shares = {n: label for n, label in labels.items() if n in study.shown and study.shown[n].share}
    means = {name: label for name, label in labels.items() if name not in shares}
    drawn = (
        [("F shares", "Shares of the outputs", summary.leading, _SHARE, shares)] if shares else []
    )
    drawn += [(f"F {m}", f"Means under {m}", m, m, means) for m in summary.metrics]
    return [
        Figure(name, title, _dots(summary, metric, some, axis), note)
        for name, title, metric, axis, some in drawn
        if some
    ]


def _labels(study: ProbeStudy, summary: Summary) -> dict[str, str]:
    """What the measures that there are numbers of are called."""
    known = [name for name in study.measures if summary.lead.count(name)]
    return {name: study.shown[name].label if name in study.shown else name for name in known}


def _headlines(study: ProbeStudy, summary: Summary, known: Sequence[str]) -> list[Headline]:
    """What each system does, where the study has a sentence for it."""
    headlines = []
    for system in summary.named:
        where = {"system": system, "variant": summary.variants}
        means = {name: summary.lead.mean(name, **where) for name in known}
        finite = {name: mean for name, mean in means.items() if np.isfinite(mean.value)}
        each = {} if summary.unsaid(system) else _each(summary, system, known)
        said = summary.unsaid(system) or study.answer(system, finite)
        if said and each:
            said = " ".join(filter(None, (said, study.details(each))))
        shares = study.by_variant(each)
        headlines.append(Headline(system, said, numbers=shares, percent=list(shares)))
    return [headline for headline in headlines if headline.sentence]


def _each(
    summary: Summary, system: str, known: Sequence[str]
) -> Mapping[str, Mapping[str, Aggregate]]:
    """The means of a system by variant, those that there are."""
    found = {}
    for variant in summary.variants:
        means = {name: summary.lead.mean(name, system=system, variant=(variant,)) for name in known}
        found[variant] = {name: one for name, one in means.items() if np.isfinite(one.value)}
    return {variant: means for variant, means in found.items() if means}


def _dots(summary: Summary, metric: str, labels: Mapping[str, str], axis: str) -> Spec:
    rows, panels = mean_rows(summary, metric, labels), summary.panels
    names = list(panels.values())
    given = rows, "perturbation", summary.variants, "language", axis, names
    return charts.dots(*given, percent=axis == _SHARE)


_NAMED = 12
_SHARE = "share"
"""The axis of a figure of shares, which is in per cent."""


def signatures(runs: Sequence[Run], bootstrap: Bootstrap) -> list[str]:
    """Everything that the numbers depend on, each line once."""
    lines: dict[str, None] = {bootstrap.signature: None}
    for run in runs:
        record = run.record
        lines[f"study: {record.study}"] = None
        for pair, corpus in record.corpora.items():
            lines[f"{pair}: {corpus}"] = None
        for side, parser in record.parsers.items():
            lines[f"{side}: {parser}"] = None
        for pair, signature in record.whole.items():
            lines.update({f"{pair}: {signature}": None} if signature else {})
        for by_key in (record.systems, record.metrics):
            for found in by_key.values():
                lines.update(dict.fromkeys(found.values()))
        versions = {name: v for name, v in record.versions.items() if name != MACHINE}
        lines[", ".join(f"{name} {number}" for name, number in versions.items())] = None
    return list(lines)


def commands(runs: Sequence[Run]) -> str:
    """The command lines that made the runs."""
    return "\n".join(dict.fromkeys(run.record.command for run in runs if run.record.command))


def facts(runs: Sequence[Run]) -> dict[str, str]:
    """When each run was made, how long it took, where, and of which files."""
    found: dict[str, str] = {}
    for run in runs:
        of = f"{run.folder.name}: " if len(runs) > 1 else ""
        times = [path.stat().st_mtime for path in run.folder.rglob("*.parquet")]
        if times:
            last = datetime.fromtimestamp(max(times), UTC)
            found[f"{of}finished"] = f"{last:%Y-%m-%d %H:%M} UTC"
            apart = timedelta(seconds=round(max(times) - min(times)))
            found[f"{of}duration"] = f"{apart} from the first part to the last"
        if MACHINE in run.record.versions:
            found[f"{of}machine"] = run.record.versions[MACHINE]
        for pair, corpus in run.record.corpora.items():
            found[f"{of}input {pair}"] = corpus
    return found


def signed(
    contents: Contents, runs: Sequence[Run], bootstrap: Bootstrap, notes: Iterable[str] = ()
) -> Contents:
    """A report with the signatures and commands of its runs, and further notes."""
    return replace(
        contents,
        signatures=signatures(runs, bootstrap),
        command=commands(runs),
        facts=facts(runs),
        notes=[*notes, *contents.notes],
    )


def notes(summary: Summary) -> list[str]:
    """What a reader should know of intervals, weights, verdicts, few samples and gaps."""
    lines = [
        "Intervals are paired bootstraps over items (95 %), corrected for bias, skew and few "
        "items.",
        "In a mean over perturbations, languages or systems each of their cells has the same "
        f"weight; a cell of fewer than {FEWEST} items weighs less, in proportion to its items, "
        "since its mean is mostly chance.",
        CORRECTED,
        CHANCE,
    ]
    if summary.controls:
        lines.append(f"No mean over systems includes a control: {', '.join(summary.controls)}.")
    few = [
        f"{variant} {pair} ({count})"
        for pair, variant in product(summary.pairs, summary.variants)
        if 0 < (count := summary.counts.get((pair, variant), 0)) < FEWEST
    ]
    if few:
        more = f" and {len(few) - _NAMED} more" if len(few) > _NAMED else ""
        named = ", ".join(few[:_NAMED])
        lines.append(f"Few samples (under {FEWEST}), whose means say little: {named}{more}.")
    failed = sum(summary.faults.values())
    if failed:
        lines.append(f"{failed:,} translations of perturbed sources failed and are left out.")
    return lines
