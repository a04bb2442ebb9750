"""The page on isometry: the published predictions read again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.replication import reading
from benchmarks.replication.text import (
    Row,
    claims_table,
    made,
    measured,
    only,
    percent,
    reasons,
    signatures,
    span,
    table,
    tallies,
)
from hyperbaton.studies.isometry.study import Isometry

SETS = {
    "WMT19 references and their paraphrases (Legacy)": "wmt.wmtp",
    "additional references and their paraphrases (AR)": "ar.arp",
}
"""The two published data sets: what they are, and how their files are called."""
SYSTEMS = ("fair-wmt19", "standard-wmt16")
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
    reading.store("isometry", groups, missing=missing, epsilon=sizes)


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
        "frequencies": frequencies(groups),
        "agreement": agreement(groups),
        "correlations": correlations(groups),
        "epsilon": epsilon(record["epsilon"]),
        "made": made(record),
        "signatures": signatures(record),
    }


def halves(record: Row) -> str:
    """Which of the published data sets were there."""
    there = " and ".join(record["groups"])
    missing = record["missing"]
    gone = f" The files of the other half, the {', '.join(missing)}, were not at hand." * bool(
        missing
    )
    return f"These numbers are of the {there}.{gone}"


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
        for row in group["tables"]["F5"]:
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
