"""The page of a search: how many sentences break by what, the shortest examples, every case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from hyperbaton.base.wording import counted
from hyperbaton.report import Contents, Explorer, Figure, Table
from hyperbaton.report.charts.charts import dots
from hyperbaton.report.contents import Example, Headline
from hyperbaton.search.cases import Case
from hyperbaton.search.searching import Search
from hyperbaton.search.summary import Share, Summary, brevity, share

PAGE = "report.html"


class Crossed(NamedTuple):
    """A case with what another system, or its own, makes of both sentences."""

    case: Case
    system: str
    output: str
    varied_output: str
    why: str
    """Why it breaks there; empty where it does not."""


def contents(
    told: Sequence[Summary], crossed: Sequence[Crossed], search: Search, command: str
) -> Contents:
    """The page of a search with one or several systems."""
    settings = search.settings()
    found = any(one.shortest for one in told)
    rows = _rows(crossed, search.languages)
    tables = [_kinds(told), _sizes(told)]
    if len(told) > 1 and found:
        tables.append(_across(told, crossed))
    if found:
        tables.append(_shortest(told))
    return Contents(
        title=f"The smallest change that breaks: {', '.join(one.system for one in told)}",
        tables=tables,
        figures=[_figure(told)] if found else [],
        explorer=_explorer(rows) if found else None,
        signatures=[f"{key}: {value}" for key, value in settings.items()],
        command=command,
        headlines=[_headline(one) for one in told],
        examples=[Example(0, "The shortest case:")] if found else (),
        notes=_notes(told, search),
        glossary=GLOSSARY,
    )


GLOSSARY: Mapping[str, str] = {
    "break": "After the change the translation no longer says the same.",
    "step": "A letter, a mark, a space, a word's case, a word typed twice, two neighbouring words "
    "that change places.",
    "mixed": "Several steps of different kinds; none of them can be undone.",
}


def _headline(told: Summary) -> Headline:
    if not told.broken.of:
        why = "; ".join(told.cautions())
        return Headline(told.system, f"{told.system}: nothing can be said of any sentence: {why}.")
    best = sorted(told.kinds.items(), key=lambda pair: -pair[1].hits)[:3]
    by = ", ".join(f"{100 * one.value:.0f} % by {kind}" for kind, one in best if one.hits)
    sentence = (
        f"{told.system}: a small change breaks {100 * told.broken.value:.0f} % of "
        f"{counted(told.broken.of, 'sentence')}" + (f" ({by})." if by else ".")
    )
    one = told.broken
    rest = Share(one.of - one.hits, one.of, 1 - one.high, 1 - one.low)
    whole = {"breaks": told.broken, "no break found": rest}
    return Headline(told.system, sentence, {k: (v.value, v.low, v.high) for k, v in whole.items()})


def _notes(told: Sequence[Summary], search: Search) -> list[str]:
    notes = [
        f"Each sentence was translated at most {search.budget:,} times, and some times more to "
        "undo steps. A sentence that did not break may break by a change that was not tried.",
        "Broken means: " + "; ".join(map(str, search.breaks)) + ".",
        "Shares have Wilson's 95 % interval, medians one made of the sizes themselves.",
    ]
    return notes + [f"{one.system}: {caution}." for one in told for caution in one.cautions()]


def _kinds(told: Sequence[Summary]) -> Table:
    rows = [
        {"by": kind}
        | {
            key: value
            for one in told
            for key, value in _columns(one.system, one.kinds[kind]).items()
        }
        for kind in told[0].kinds
    ]
    rows.append(
        {"by": "anything"}
        | {k: v for one in told for k, v in _columns(one.system, one.broken).items()}
    )
    note = "share of the sentences that a change of this kind breaks, with 95 % intervals"
    return Table("kinds", "Sentences that break, by kind of change", pl.DataFrame(rows), note)


def _columns(name: str, one: Share) -> dict[str, float]:
    return {name: one.value, f"{name} low": one.low, f"{name} high": one.high}


def _sizes(told: Sequence[Summary]) -> Table:
    rows = [
        {
            "system": one.system,
            "sentences": one.broken.of,
            "broken": one.broken.hits,
            "steps": one.size.value,
            "steps low": one.size.low,
            "steps high": one.size.high,
            "translations": one.trials,
        }
        for one in told
    ]
    note = "steps: median of the smallest change of each sentence that breaks"
    return Table("sizes", "How small the smallest change is", pl.DataFrame(rows), note)


def _across(told: Sequence[Summary], crossed: Sequence[Crossed]) -> Table:
    """Whether the cases of one system break the others."""
    rows = []
    for one in told:
        row: dict[str, object] = {"cases of": one.system}
        for other in told:
            both = [c for c in crossed if (c.case.system, c.system) == (one.system, other.system)]
            hits, sentences = [bool(c.why) for c in both], [c.case.item for c in both]
            row |= _columns(other.system, share(hits, sentences))
        rows.append(row)
    note = "share of the cases of one system by which each system breaks, with 95 % intervals"
    return Table("across", "The same cases through all systems", pl.DataFrame(rows), note)


def _shortest(told: Sequence[Summary]) -> Table:
    rows = [
        {
            "system": one.system,
            "by": kind,
            "steps": case.size,
            "sentence": case.source,
            "changed": case.varied,
            "translation": case.output,
            "then": case.varied_output,
            "why": case.why,
        }
        for one in told
        for kind, case in one.shortest.items()
    ]
    return Table("shortest", "The shortest example of each kind", pl.DataFrame(rows))


def _figure(told: Sequence[Summary]) -> Figure:
    rows: list[dict[str, str | float | int | None]] = [
        {
            "kind": kind,
            "score": one.system,
            "of": "sentences that break",
            "value": part.value,
            "low": part.low,
            "high": part.high,
        }
        for one in told
        for kind, part in one.kinds.items()
        if part.of
    ]
    kinds = list(told[0].kinds)
    chart = dots(rows, "kind", kinds, "of", "share of sentences", ["sentences that break"], 1)
    return Figure("kinds", "By what sentences break", chart)


def _rows(crossed: Sequence[Crossed], languages: tuple[str, str]) -> list[dict[str, object]]:
    ordered = sorted(crossed, key=lambda c: (not c.why, brevity(c.case)))
    return [
        {
            "item": one.case.item,
            "pair": one.case.pair,
            "system": one.system,
            "found with": one.case.system,
            "kind": one.case.kind,
            "breaks": "yes" if one.why else "no",
            "why": one.why or "says the same",
            "steps": one.case.size,
            "source": one.case.source,
            "varied": one.case.varied,
            "output": one.output,
            "varied_output": one.varied_output,
            "source_language": languages[0],
            "target_language": languages[1],
        }
        for one in ordered
    ]


def _explorer(rows: Sequence[Mapping[str, object]]) -> Explorer:
    filters = {"system": "system", "kind": "kind of change", "breaks": "breaks"}
    if len({row["found with"] for row in rows}) > 1:
        filters["found with"] = "found with"
    return Explorer(
        rows=pl.DataFrame(rows, infer_schema_length=None),
        texts={
            "source": "sentence",
            "varied": "changed",
            "output": "its translation",
            "varied_output": "translation of the changed one",
            "why": "why it breaks",
        },
        scores={"steps": "steps"},
        filters=filters,
        languages={
            "source": "source_language",
            "varied": "source_language",
            "output": "target_language",
            "varied_output": "target_language",
        },
        item="item",
        within=("pair",),
        along=("kind", "system"),
        compared=("output", "varied_output"),
    )
