"""The page on isometry: the published predictions read again, and translators that can be had."""

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
    only,
    percent,
    reasons,
    signatures,
    single_numbers,
    span,
    table,
    tallies,
)
from hyperbaton.pipeline import Run
from hyperbaton.studies.isometry.claims import bleu
from hyperbaton.studies.isometry.samples import read_pairs
from hyperbaton.studies.isometry.study import Isometry

SETS = {
    "published predictions, Legacy": "wmt.wmtp",
    "published predictions, AR": "ar.arp",
}
"""The two published data sets, and how their files are called."""
RUNS = {
    "isometry-fr": "PAWS-X into French",
    "isometry-es": "PAWS-X into Spanish",
    "isometry-ar": "the AR texts into English",
}
"""The folder of each run, and what the page calls it."""
SYSTEMS = ("fair-wmt19", "standard-wmt16")
RIVALS = ("I1", "I2", "I3", "I4", "I7")
"""The claims about two systems."""
TABLES = ("T2", "F5", "T3")
EPSILONS = (0.3, 0.5, 0.7, 0.9)


def read(folder: Path) -> None:
    """Draw the numbers from the published files that are in a folder."""
    groups, sizes = {}, []
    for title, ending in SETS.items():
        files = [folder / f"{system}.{ending}.json" for system in SYSTEMS]
        if not all(path.is_file() for path in files):
            continue
        words = f"hyperbaton isometry --recorded {' '.join(path.name for path in files)}"
        groups[title] = reading.of_contents(
            "isometry", Isometry().recorded(files, words).contents, TABLES
        )
        for epsilon in EPSILONS:
            contents = Isometry(epsilon=epsilon).recorded(files).contents
            some = next(one for one in contents.tables if one.id == "T2").data.to_dicts()
            for system in SYSTEMS:
                shares = {row["M"]: row["share"] for row in only(some, system=system)}
                sizes.append({"data": title, "system": system, "epsilon": epsilon,
                              "[1,1]": shares["[1,1]"], "[1,0]": shares["[1,0]"]})  # fmt: skip
    missing = [title for title in SETS if title not in groups]
    quality = {}
    for name, title in RUNS.items():
        if (folder / name).is_dir():
            groups[title] = reading.group("isometry", [folder / name], TABLES)
            pairs = read_pairs([Run(folder / name)], Isometry().epsilon)
            quality[title] = {one.label: bleu(one) for one in pairs}
    reading.store("isometry", groups, missing=missing, epsilon=sizes, quality=quality)


def parts() -> dict[str, str]:
    """What stands between the marks of the page."""
    record = reading.stored("isometry")
    groups = record["groups"]
    return {
        "halves": halves(record),
        "tally": tallies(groups),
        "claims": claims_table("isometry", groups),
        "reasons": reasons("isometry", groups),
        "measured": measured("isometry", groups),
        "systems": "\n\n".join(
            f"**{title}**\n\n{by_system('isometry', groups[title], list(systems))}"
            for title, systems in record["quality"].items()
            if len(systems) > 1
        ),
        "rivals": single_numbers(
            {title: groups[title] for title in record["quality"]}, RIVALS, _all(record["quality"])
        ),
        "quality": quality(record["quality"]),
        "frequencies": frequencies(groups),
        "agreement": agreement(groups),
        "correlations": correlations(groups),
        "epsilon": epsilon(record["epsilon"]),
        "made": made(record),
        "signatures": signatures(record),
    }


def _all(quality: Mapping[str, Mapping[str, float | None]]) -> list[str]:
    return [system for systems in quality.values() for system in systems]


def halves(record: Row) -> str:
    """Which of the published data sets were there."""
    there = [title for title in SETS if title in record["groups"]]
    lines = [f"- {title}: at hand, {_size(record, title)} pairs of each system" for title in there]
    lines += [f"- {title}: the files were not at hand" for title in record["missing"]]
    return "\n".join(lines)


def _size(record: Row, title: str) -> str:
    return f"{_pairs(record['groups'][title]):,}"


def _pairs(group: Row) -> int:
    """The pairs of each system of a group."""
    rows = group["tables"]["T2"]
    return sum(row["count"] for row in only(rows, system=rows[0]["system"]))


def quality(found: Mapping[str, Mapping[str, float | None]]) -> str:
    """BLEU of the systems where there are translations by people, which says which is better."""
    rows = [
        [title, f"`{system}`", "no translation by people" if score is None else span(score)]
        for title, systems in found.items()
        for system, score in systems.items()
    ]
    return table(["data", "system", "corpus BLEU"], rows)


def frequencies(groups: Mapping[str, Any]) -> str:
    """Table 2: how often each outcome came."""
    body = []
    for title, group in groups.items():
        rows = group["tables"]["T2"]
        for system in dict.fromkeys(row["system"] for row in rows):
            some = only(rows, system=system)
            cells = [
                f"{row['count']:,}: {percent(row['share'], row['low'], row['high'])}"
                for row in some
            ]
            head = ["data", "system", *(row["M"] for row in some)]
            body.append([title, f"`{system}`", *cells])
    return table(head, body)


def agreement(groups: Mapping[str, Any]) -> str:
    """Figure 5: who made the majority."""
    body = []
    for title, group in groups.items():
        rows = group["tables"]["F5"]
        several = {row["agreement"] for row in rows} > {"full", "none"}
        for row in rows if several else ():  # one detector always agrees with itself
            body.append([title, f"`{row['system']}`", row["agreement"], f"{row['count']:,}"])
    return table(["data", "system", "agreement", "pairs"], body)


def correlations(groups: Mapping[str, Any]) -> str:
    """Table 3: r of similarity and label, by both procedures."""
    body = []
    for title, group in groups.items():
        for row in group["tables"]["T3"]:
            r = span(row["r"], row["low"], row["high"])
            cells = [
                row["metric"],
                row["procedure"],
                f"{row['n']:,}",
                r,
                span(row["t"]),
                row["band"],
            ]
            body.append([title, f"`{row['system']}`", *cells])
    return table(["data", "system", "similarity", "procedure", "n", "r", "t", "band"], body)


def epsilon(rows: list[Row]) -> str:
    """How much hangs on the threshold of the detectors."""
    body = []
    for data, system in dict.fromkeys((row["data"], row["system"]) for row in rows):
        some = only(rows, data=data, system=system)
        cells = [f"{percent(row['[1,1]'])} / {percent(row['[1,0]'])}" for row in some]
        body.append([f"`{system}`", *cells])
    return table(["isometric / broken apart", *(f"ε = {one:g}" for one in EPSILONS)], body)
