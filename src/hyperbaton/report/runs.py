"""Several runs in one report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.report.contents import Contents, Explorer, Figure, Finding, Headline, Table

_RUN = "run"
_T = TypeVar("_T")
_Part = TypeVar("_Part", Finding, Figure)


def side_by_side(runs: Mapping[str, Contents]) -> Contents:
    """One report of several runs: claims side by side, tables and sentences with a column `run`."""
    if not runs:
        raise HyperbatonError("a report needs at least one run")
    if len(runs) == 1:
        return next(iter(runs.values()))
    parts = list(runs.items())
    return Contents(
        title=_title(runs),
        summary="\n\n".join(f"{name}: {contents.summary}" for name, contents in parts),
        findings=[one for name, c in parts for one in _of_run(name, c.findings)],
        tables=_tables(runs),
        figures=[one for name, c in parts for one in _of_run(name, c.figures)],
        explorer=_explorer(runs),
        signatures=[f"{name}: {line}" for name, contents in parts for line in contents.signatures],
        command="\n".join(contents.command for _, contents in parts if contents.command),
        notes=list(dict.fromkeys(note for contents in runs.values() for note in contents.notes)),
        facts={f"{name}: {fact}": said for name, c in parts for fact, said in c.facts.items()},
        cautions=[f"{name}: {caution}" for name, c in parts for caution in c.cautions],
        headlines=[
            replace(one, run=name)
            for name, c in parts
            for one in c.headlines or [Headline("", c.summary)]
        ],  # one at least
        contests=[replace(contest, run=name) for name, c in parts for contest in c.contests],
        opening=_opening(runs),
        glossary={term: said for _, c in parts for term, said in c.glossary.items()},
    )


def _opening(runs: Mapping[str, Contents]) -> str:
    """What the runs open with, where one says more than who comes first."""
    if not any(contents.opening for contents in runs.values()):
        return ""
    return " ".join(f"{name}: {one}" for name, c in runs.items() for one in c.openings)


def _title(runs: Mapping[str, Contents]) -> str:
    titles = list(dict.fromkeys(contents.title for contents in runs.values()))
    return titles[0] if len(titles) == 1 else " · ".join(t.partition(":")[0] for t in titles)


def _of_run(run: str, parts: Sequence[_Part]) -> list[_Part]:
    """Findings or figures that say which run they are of."""
    return [replace(one, run=f"{run} · {one.run}" if one.run else run) for one in parts]


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

    def union(role: str) -> dict[str, str]:
        roles: list[Mapping[str, str]] = [getattr(explorer, role) for explorer in explorers]
        return {column: label for columns in roles for column, label in columns.items()}

    return Explorer(
        rows=polars.concat(frames, how="diagonal_relaxed"),
        texts=union("texts"),
        scores=union("scores"),
        filters={_RUN: "run", **union("filters")},
        words=union("words"),
        orders=union("orders"),
        languages=union("languages"),
        marks=union("marks"),
        labels=union("labels"),
        metrics=union("metrics"),
        fields=union("fields"),
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
