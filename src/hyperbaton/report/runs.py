"""Several runs in one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.report.contents import Contents, Explorer, Figure, Finding, Headline, Table

__all__ = ["side_by_side"]

_RUN = "run"
_T = TypeVar("_T")


def side_by_side(runs: Mapping[str, Contents], title: str = "") -> Contents:
    """One report of several runs: claims side by side, tables and sentences with a column `run`."""
    if not runs:
        raise HyperbatonError("a report needs at least one run")
    if len(runs) == 1:
        return next(iter(runs.values()))
    parts = list(runs.items())
    return Contents(
        title=title or _title(runs),
        summary="\n\n".join(f"{name}: {contents.summary}" for name, contents in parts),
        findings=_findings(runs),
        tables=_tables(runs),
        figures=_figures(runs),
        explorer=_explorer(runs),
        signatures=[f"{name}: {line}" for name, contents in parts for line in contents.signatures],
        command="\n".join(contents.command for _, contents in parts if contents.command),
        notes=list(dict.fromkeys(note for contents in runs.values() for note in contents.notes)),
        facts={f"{name}: {fact}": said for name, c in parts for fact, said in c.facts.items()},
        cautions=[f"{name}: {caution}" for name, c in parts for caution in c.cautions],
        headlines=[replace(one, run=name) for name, c in parts for one in _headlines(c)],
        contests=[replace(contest, run=name) for name, c in parts for contest in c.contests],
        glossary={term: said for _, c in parts for term, said in c.glossary.items()},
    )


def _headlines(contents: Contents) -> Sequence[Headline]:
    """The answers of a run; what it says in short, where it has no answer for each system."""
    return contents.headlines or [Headline("", contents.summary)]


def _title(runs: Mapping[str, Contents]) -> str:
    titles = list(dict.fromkeys(contents.title for contents in runs.values()))
    return titles[0] if len(titles) == 1 else " · ".join(titles)


def _findings(runs: Mapping[str, Contents]) -> Sequence[Finding]:
    return [
        replace(finding, run=_named(name, finding.run))
        for name, contents in runs.items()
        for finding in contents.findings
    ]


def _figures(runs: Mapping[str, Contents]) -> Sequence[Figure]:
    return [
        replace(figure, run=_named(name, figure.run))
        for name, contents in runs.items()
        for figure in contents.figures
    ]


def _named(run: str, inner: str) -> str:
    return f"{run} · {inner}" if inner else run


def _tables(runs: Mapping[str, Contents]) -> Sequence[Table]:
    """A table that several runs have becomes one, with the run in front."""
    import polars

    found: dict[tuple[str, str], list[tuple[str, Table]]] = {}
    for name, contents in runs.items():
        for table in contents.tables:
            found.setdefault((table.id, table.title), []).append((name, table))
    tables = []
    for group in found.values():
        frames = [
            table.data.select(polars.lit(name).alias(_RUN), polars.exclude(_RUN))
            for name, table in group
        ]
        joined = polars.concat(frames, how="diagonal_relaxed")
        notes = dict.fromkeys(table.note for _, table in group if table.note)
        controls = sorted({control for _, table in group for control in table.controls})
        first = group[0][1]
        tables.append(replace(first, data=joined, note="\n\n".join(notes), controls=controls))
    return tables


def _explorer(runs: Mapping[str, Contents]) -> Explorer | None:
    """All sentences, with the run as the first thing to filter by."""
    import polars

    there = {name: run.explorer for name, run in runs.items() if run.explorer is not None}
    if not there:
        return None
    frames = [
        explorer.rows.with_columns(polars.lit(name).alias(_RUN)) for name, explorer in there.items()
    ]
    explorers = list(there.values())
    return Explorer(
        rows=polars.concat(frames, how="diagonal_relaxed"),
        texts=_union([explorer.texts for explorer in explorers]),
        scores=_union([explorer.scores for explorer in explorers]),
        filters=_union([{_RUN: "run"}, *(explorer.filters for explorer in explorers)]),
        words=_union([explorer.words for explorer in explorers]),
        orders=_union([explorer.orders for explorer in explorers]),
        languages=_union([explorer.languages for explorer in explorers]),
        marks=_union([explorer.marks for explorer in explorers]),
        labels=_union([explorer.labels for explorer in explorers]),
        metrics=_union([explorer.metrics for explorer in explorers]),
        fields=_union([explorer.fields for explorer in explorers]),
        item=_common([explorer.item for explorer in explorers], ""),
        within=(_RUN, *dict.fromkeys(name for e in explorers for name in e.within)),
        along=list(dict.fromkeys(name for e in explorers for name in e.along)),
        rivals=_common([explorer.rivals for explorer in explorers], ""),
        lead=_common([explorer.lead for explorer in explorers], ""),
        compared=_common([explorer.compared for explorer in explorers], None),
        note="\n\n".join(f"{n}: {explorer.note}" for n, explorer in there.items() if explorer.note),
    )


def _common(values: Sequence[_T], otherwise: _T) -> _T:
    """What all have in common."""
    return values[0] if all(value == values[0] for value in values) else otherwise


def _union(parts: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {column: label for part in parts for column, label in part.items()}
