"""The page on structure: what explains the losses of each encoder, beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.replication import reading
from benchmarks.replication.text import (
    Row,
    by_system,
    claims_table,
    made,
    measured,
    of,
    only,
    percent,
    reasons,
    signatures,
    single_numbers,
    span,
    table,
    tallies,
)
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.studies.structure.tables import task_of

BESIDE = "PAWS-X beside Tatoeba"
GROUPS = {
    "Tatoeba": ("structure-e5", "structure-use", "structure-chars"),
    BESIDE: ("structure-pawsx", "structure-e5"),
    "the paper's protocol": ("structure-paper",),
    "encoders of translators": ("structure-bundled", "structure-opus"),
}
"""What the page calls some runs, and their folders."""
TABLES = ("F3", "F4", "F5", "F6", "T1", "T2")
MEASURES = ("chrF-2", "Comp", "IDC")
NUMBERED = ("L1", "L3", "L4", "L5", "L6", "L7")
"""The claims that several numbers decide: of some settings, tasks, scripts, families."""
_LEFT = {
    "clean": IDENTITY,
    "characters shuffled": "FullShuffle",
    "subwords shuffled": "FullShuffle(unit=subword)",
    "every second neighbour flipped": "NeighbourFlip(p=0.5)",
}
"""The settings whose scores are shown."""


def read(folder: Path) -> None:
    """Draw the numbers from the runs that are in a folder."""
    groups = {}
    for title, names in GROUPS.items():
        if there := [folder / name for name in names if (folder / name).is_dir()]:
            runs = list(map(Run, there))
            groups[title] = reading.group("structure", there, TABLES)
            tables = groups[title]["tables"]
            tables["T1"] = [r for r in tables["T1"] if r["perturbation"] in _LEFT.values()]
            if title == BESIDE:  # what is of Tatoeba stands in the first group
                tables |= {name: only(tables[name], task="pawsx") for name in ("T1", "T2")}
                tables |= {name: [] for name in ("F3", "F5", "F6")}
            groups[title]["scores"] = {task_of(run).name: task_of(run).score for run in runs}
    reading.store("structure", groups)


def parts() -> dict[str, str]:
    """What stands between the marks of the page."""
    record = reading.stored("structure")
    groups = record["groups"]
    first = next(iter(groups.values()))
    tables = first["tables"]
    every = [name for group in groups.values() for name in _encoders(group)]
    return {
        "tally": tallies(groups),
        "sizes": sizes(groups),
        "claims": claims_table("structure", groups),
        "reasons": reasons("structure", groups),
        "measured": measured("structure", groups),
        "systems": by_system("structure", first, list(_encoders(first))),
        "numbers": single_numbers(groups, NUMBERED, every),
        "explained": explained(groups),
        "tasks": matrix(groups[BESIDE]["tables"]["F4"] if BESIDE in groups else [], "task"),
        "scripts": matrix(tables["F5"], "script"),
        "families": families(tables["F6"]),
        "left": left(groups),
        "languages": languages(groups),
        "made": made(record),
        "signatures": signatures(record),
    }


def sizes(groups: Mapping[str, Any]) -> str:
    """How many languages each encoder was given at each task, and how many examples of them."""
    body = []
    for title, group in groups.items():
        rows = group["tables"]["T2"]
        for task, encoder in dict.fromkeys((row["task"], row["encoder"]) for row in rows):
            some = only(rows, task=task, encoder=encoder)
            examples = sorted({row["examples"] for row in some})
            counts = " to ".join(f"{n:,}" for n in dict.fromkeys((examples[0], examples[-1])))
            languages = ", ".join(row["language"] for row in some)
            score = group["scores"][task]
            body.append([title, task, score, f"`{encoder}`", len(some), counts, languages])
    head = ["runs", "task", "score", "encoder", "languages", "examples of each", "which"]
    return table(head, body)


def _encoders(group: Row) -> Mapping[str, Row]:
    return {row["encoder"]: row for row in group["tables"]["F3"]}


def _measures(row: Row) -> list[str]:
    return [span(*of(row, name)) for name in MEASURES]


def explained(groups: Mapping[str, Any]) -> str:
    """ρ of each measure, encoder by encoder."""
    rows = [
        [title, f"`{name}`", row["languages"], *_measures(row)]
        for title, group in groups.items()
        for name, row in _encoders(group).items()
    ]
    return table(["runs", "encoder", "languages", *(f"ρ of {m}" for m in MEASURES)], rows)


def matrix(rows: list[Row], by: str) -> str:
    """ρ of each measure by task or by script."""
    if not rows:
        return "There is one task alone."
    body = [[row[by], f"`{row['encoder']}`", row["languages"], *_measures(row)] for row in rows]
    return table([by, "encoder", "languages", *(f"ρ of {m}" for m in MEASURES)], body)


def families(rows: list[Row]) -> str:
    """ρ of each measure by family, beside the paper's Figure 6."""
    body = []
    for row in rows:
        cells = []
        for name in MEASURES:
            paper = row.get(f"{name}, paper")
            cells += ["–" if paper is None else f"{paper:.2f}".lstrip("0"), span(*of(row, name))]
        body.append([row["family"], f"`{row['encoder']}`", row["languages"], *cells])
    heads = [head for name in MEASURES for head in (f"{name}, paper", f"{name}, here")]
    return table(["family", "encoder", "languages", *heads], body)


def left(groups: Mapping[str, Any]) -> str:
    """The score on clean text and under a few settings."""
    rows = []
    for title, group in groups.items():
        some = group["tables"]["T1"]
        for task, system in dict.fromkeys((row["task"], row["encoder"]) for row in some):
            found = {row["perturbation"]: row for row in only(some, task=task, encoder=system)}
            score = group["scores"][task]
            cells = [
                percent(*of(found[name], score)) if name in found else "–"
                for name in _LEFT.values()
            ]
            rows.append([title, task, f"`{system}`", score, *cells])
    return table(["runs", "task", "encoder", "score", *_LEFT], rows)


def languages(groups: Mapping[str, Any]) -> str:
    """Every language: what is left of it, and what explains the loss."""
    rows = [
        [title, row["task"], f"`{row['encoder']}`", row["language"], row["script"], row["family"]]
        + [f"{row['examples']:,}", percent(row["clean"]), percent(row["full shuffle"])]
        + [span(row[name]) for name in MEASURES]
        for title, group in groups.items()
        for row in group["tables"]["T2"]
    ]
    head = ["runs", "task", "encoder", "language", "script", "family", "examples", "clean"]
    return table([*head, "shuffled", *(f"ρ of {m}" for m in MEASURES)], rows)
