"""The page on learners' errors: the tables of the report on several corpora, beside the paper's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.replication import reading
from benchmarks.replication.text import (
    Row,
    by_system,
    claims_table,
    made,
    measured,
    of,
    percent,
    reasons,
    signatures,
    span,
    table,
    tallies,
)
from hyperbaton.studies.grammar.tables import PUBLISHED

RUNS = {"grammar-jfleg": "JFLEG", "grammar-cweb-G": "CWEB-G", "grammar-cweb-S": "CWEB-S"}
"""The folder of each run, and the corpus."""
FEWEST = 10
"""Pairs behind a number of a table, at least."""
_ABOUT = ("system", "pair", "run", "sentences")
_SHOWN = {
    "T1": ("corrections", "RB", "f-BLEU changed", "f-METEOR changed", "NR", "NR discounted"),
    "F1": ("errors", "RB", "f-BLEU changed"),
    "length of one error": ("words", "RB"),
    "noise": ("BLEU of the source", "NR"),
    "T2 kinds": ("type", "RB", "marked"),
    "F5": ("errors", *(f"{kind} {name}" for kind in ("figure", "formula") for name in "µσγ")),
}
_QUARTERS = ("all", *(f"error in quarter {n}" for n in range(1, 5)))


def read(folder: Path) -> None:
    """Draw the numbers from the runs that are in a folder."""
    there = [name for name in RUNS if (folder / name).is_dir()]
    every = [folder / name for name in there]
    groups = {"all corpora": reading.group("grammar", every, [*_SHOWN])} if len(there) > 1 else {}
    for name in there:
        group = reading.group("grammar", [folder / name], ())
        groups[RUNS[name]] = group
    first = next(iter(groups.values()))
    if len(there) == 1:
        first["tables"] = reading.group("grammar", every, [*_SHOWN])["tables"]
    for title, group in groups.items():
        if title != "all corpora" and len(there) > 1:
            group["signatures"] = []
    first["tables"] = {name: _shown_only(name, rows) for name, rows in first["tables"].items()}
    meaning = folder / "meaning.json"
    reading.store("grammar", groups, meaning=reading.loaded(meaning) if meaning.is_file() else None)


def _shown_only(name: str, rows: Sequence[Row]) -> list[Row]:
    """Of a table what the page shows: its columns, and groups of ten pairs or more."""
    kept = [*_ABOUT, *(f"{one}{end}" for one in _SHOWN[name] for end in ("", " low", " high"))]
    return [
        {column: row[column] for column in kept if column in row}
        for row in rows
        if row["sentences"] >= FEWEST and (name != "F5" or row["errors"] in _QUARTERS)
    ]


def parts() -> dict[str, str]:
    """What stands between the marks of the page."""
    record = reading.stored("grammar")
    groups = record["groups"]
    first = next(iter(groups.values()))
    tables = first["tables"]
    return {
        "tally": tallies(groups),
        "claims": claims_table("grammar", groups),
        "reasons": reasons("grammar", groups),
        "measured": measured("grammar", groups),
        "systems": "\n\n".join(
            f"**{title}**\n\n{by_system('grammar', groups[title], _systems(tables['T1']))}"
            for title in RUNS.values()
            if title in groups
        ),
        "corpora": corpora(tables["T1"]),
        "paper": table(
            [
                name.replace("f-BLEU", "f-BLEU changed").replace("f-METEOR", "f-METEOR changed")
                for name in PUBLISHED.columns
            ],
            PUBLISHED.rows(),
        ),
        "errors": grouped(tables["F1"], "errors", "RB", "f-BLEU changed"),
        "length": grouped(tables["length of one error"], "words", "RB"),
        "noise": grouped(tables["noise"], "BLEU of the source", "NR"),
        "types": types(tables["T2 kinds"]),
        "damage": damage(tables["F5"], "figure"),
        "formula": damage(tables["F5"], "formula"),
        "meaning": meaning(record["meaning"]),
        "made": made(record),
        "signatures": signatures(record),
    }


def _system(row: Row) -> str:
    """The system of a row without the name of its run."""
    return str(row["system"]).partition(" in ")[0]


def _systems(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(map(_system, rows)))


def _column(row: Row) -> str:
    """The system of a row, and the language that it writes."""
    return f"`{_system(row)}`, {str(row['pair']).partition('-')[2]}"


def _corpus(row: Row) -> str:
    name = str(row.get("run", ""))
    return RUNS.get(name, name)


def corpora(rows: Sequence[Row]) -> str:
    """RB, f-scores and NR of every corpus and system."""
    scores = ("RB", "f-BLEU changed", "f-METEOR changed", "NR", "NR discounted")
    body = [
        [_corpus(row), _column(row), f"{row['sentences']:,}", span(row["corrections"])]
        + [span(*of(row, name)) for name in scores]
        for row in rows
    ]
    return table(["corpus", "system, into", "pairs", "corrections", *scores], body)


def beside(rows: Sequence[Row], by: str, cell: Callable[[Row], str]) -> str:
    """A number of groups of sentences, the systems beside one another."""
    columns = list(dict.fromkeys(map(_column, rows)))
    found = {(_corpus(row), row[by], _column(row)): cell(row) for row in rows}
    groups = list(dict.fromkeys((_corpus(row), row[by]) for row in rows))
    groups.sort(key=lambda one: [*RUNS.values()].index(one[0]))
    return table(
        ["corpus", by, *columns],
        [[*group, *(found.get((*group, one), "–") for one in columns)] for group in groups],
    )


def grouped(rows: Sequence[Row], by: str, *scores: str) -> str:
    """Scores of groups of sentences, a table each."""
    tables = [f"**{score}**\n\n{beside(rows, by, partial(_score, score))}" for score in scores]
    return "\n\n".join(tables)


def _score(name: str, row: Row) -> str:
    return span(*of(row, name))


def types(rows: Sequence[Row]) -> str:
    """RB of single errors by type, with the mark of those beyond two deviations."""

    def cell(row: Row) -> str:
        mark = f", {row['marked']}" if row["marked"] else ""
        return f"{span(*of(row, 'RB'))} ({row['sentences']}{mark})"

    return beside(rows, "type", cell)


def damage(rows: Sequence[Row], kind: str) -> str:
    """µ, σ and γ1 of the damage by the place of the error."""

    def cell(row: Row) -> str:
        return " / ".join(span(row[f"{kind} {name}"]) for name in ("µ", "σ", "γ"))

    return beside(rows, "errors", cell)


def meaning(record: Row | None) -> str:
    """RB by letter and by meaning, and how often the detector is right."""
    if not record:
        return "Not measured."
    body = [
        [f"`{row['system']}`, {row['language']}", f"{row['pairs']:,}", percent(*row["RB"])]
        + [f"{row['judged']:,}"]
        + [percent(*row[name]) for name in ("same", "chance")]
        for row in record["rows"]
    ]
    head = ["system, into", "pairs", "y = ỹ", "judged", "y ≈ ỹ", "y ≈ another ỹ"]
    rates = [
        [row["language"], percent(*row["hits"]), percent(*row["false alarms"])]
        for row in record["rates"]
    ]
    right = table(["the detector on labelled pairs", "hits", "false alarms"], rates)
    return f"{table(head, body)}\n\n{right}"
