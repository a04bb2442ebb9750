"""The page on learners' errors: the tables of the report on several corpora, beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.replication import reading
from benchmarks.replication.text import (
    Row,
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

RUNS = {"grammar-jfleg": "JFLEG", "grammar-cweb-G": "CWEB-G", "grammar-cweb-S": "CWEB-S"}
"""The folder of each run, and the corpus."""
TABLES = ("T1", "F1", "length of one error", "noise", "T2 kinds", "F5", "r")
_QUARTERS = ("all", *(f"error in quarter {n}" for n in range(1, 5)))


def read(folder: Path) -> None:
    """Draw the numbers from the runs that are in a folder."""
    there = [name for name in RUNS if (folder / name).is_dir()]
    every = [folder / name for name in there]
    groups = {"all corpora": reading.group("grammar", every, TABLES)} if len(there) > 1 else {}
    for name in there:
        group = reading.group("grammar", [folder / name], ())
        groups[RUNS[name]] = group
    first = next(iter(groups.values()))
    if len(there) == 1:
        first["tables"] = reading.group("grammar", every, TABLES)["tables"]
    for title, group in groups.items():
        if title != "all corpora" and len(there) > 1:
            group["signatures"] = []
    meaning = folder / "meaning.json"
    reading.store("grammar", groups, meaning=reading.loaded(meaning) if meaning.is_file() else [])


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
        "corpora": corpora(tables["T1"]),
        "corrections": table(
            ["measure", "the paper's rows", "here"],
            [
                [row["measure"], span(row["r of the paper"]), span(row["r"])]
                for row in tables.get("r", ())
            ],
        ),
        "errors": grouped(tables["F1"], "errors"),
        "length": grouped(tables["length of one error"], "words"),
        "noise": grouped(tables["noise"], "BLEU of the source"),
        "types": types(tables["T2 kinds"]),
        "damage": damage(tables["F5"]),
        "meaning": meaning(record["meaning"]),
        "made": made(record),
        "signatures": signatures(record),
    }


def _label(row: Row) -> str:
    """A system without the name of its run, which has a column."""
    return f"`{str(row['system']).partition(' in ')[0]}`"


def _corpus(row: Row) -> str:
    name = str(row.get("run", ""))
    return RUNS.get(name, name)


def corpora(rows: Iterable[Row]) -> str:
    """RB, f-scores and NR of every corpus and system."""
    body = []
    for row in rows:
        scores = [name for name in row if name.endswith("changed") and name.startswith("f-")]
        cells = [span(*of(row, name)) for name in ("RB", *scores, "NR", "NR discounted")]
        body.append([_corpus(row), _label(row), f"{row['sentences']:,}",
                     span(row["corrections"]), *cells])  # fmt: skip
    named = [name for name in ("f-BLEU changed", "f-METEOR changed") if name in next(iter(rows))]
    head = ["corpus", "system", "pairs", "corrections", "RB", *named, "NR", "NR discounted"]
    return table(head, body)


def corrections(rows: Iterable[Row]) -> str:
    """r of the corrections a sentence with each measure, over corpora."""
    body = [[row["measure"], span(row["r of the paper"]), span(row["r"])] for row in rows]
    return table(["measure", "ours, of the paper's printed rows", "here"], body)


def grouped(rows: Iterable[Row], by: str) -> str:
    """RB, f-BLEU and NR of groups of sentences."""
    body = [
        [_corpus(row), _label(row), row[by], f"{row['sentences']:,}"]
        + [span(*of(row, name)) for name in ("RB", "f-BLEU", "NR")]
        for row in rows
    ]
    return table(["corpus", "system", by, "pairs", "RB", "f-BLEU", "NR"], body)


def types(rows: Iterable[Row]) -> str:
    """RB of single errors by type."""
    body = [
        [
            _corpus(row),
            _label(row),
            row["type"],
            f"{row['sentences']:,}",
            span(*of(row, "RB")),
            row["marked"],
        ]
        for row in rows
    ]
    return table(["corpus", "system", "type", "pairs", "RB", "beyond 2 σ"], body)


def damage(rows: Iterable[Row]) -> str:
    """µ, σ and γ1 of the damage by the place of the error, drawn and by the formula."""
    some = [row for row in rows if row["errors"] in _QUARTERS]
    body = []
    for row in some:
        cells = [
            " / ".join(span(row[f"{kind} {name}"]) for name in ("µ", "σ", "γ"))
            for kind in ("figure", "formula")
        ]
        body.append([_corpus(row), _label(row), row["errors"], f"{row['sentences']:,}", *cells])
    return table(
        ["corpus", "system", "errors", "pairs", "µ / σ / γ1, as drawn", "by the formula"], body
    )


def meaning(rows: Sequence[Row]) -> str:
    """RB by letter and by meaning."""
    if not rows:
        return "Not measured."
    body = [
        [row["corpus"], f"`{row['system']}`", f"{row['pairs']:,}"]
        + [percent(*row[name]) for name in ("RB", "by meaning", "chance")]
        for row in rows
    ]
    return table(["corpus", "system", "pairs", "y = ỹ", "y ≈ ỹ", "y ≈ another ỹ"], body)
