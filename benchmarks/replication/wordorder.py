"""The page on word order: quality, flips and orders of each system beside the paper's numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.replication import reading
from benchmarks.replication.text import (
    Row,
    Span,
    by_system,
    claims_table,
    made,
    measured,
    of,
    only,
    percent,
    reasons,
    signatures,
    span,
    table,
    tallies,
)
from hyperbaton.pipeline import Run
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.aggregate import NOTHING, Aggregate, gap
from hyperbaton.studies.layer.claims import with_claims
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.layer.means import Means
from hyperbaton.studies.layer.register import claims
from hyperbaton.studies.layer.sources import sources
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.wordorder.measures import CLEAN_MOVED, MEASURES

GROUPS = {
    "wordorder-fr": "English to French",
    "wordorder-fr-paper": "English to French, paper's convention",
    "wordorder-languages": "seven languages",
    "wordorder-languages-paper": "seven languages, paper's convention",
}
"""The folder of each run, and what the page calls it."""
NEURAL = "wordorder-neural"
"""The run with a metric that reads with a model, for the claim about metrics alone."""
MEMORY = ("memory-trained", "memory-held-out")
TABLES = ("T1", "T2", "T3", "outcomes", "scores", "rho")
PAPERS = ("OPUS-MT", "mBART-50", "M2M-100 418M", "M2M-100 1.2B")
"""The systems of the paper's Table 2, in its order."""
_TREES = ("treeMirrorPre", "treeMirrorPost", "treeMirrorIn", "rotateAroundRoot")
_RANDOM = ("wordShuffle", "reversed", "shuffleHalvesFirst", "shuffleHalvesLast")
_MEASURED = ("beta", "beta1", "beta2", "difference", "flip", "flip_half")
_SHOWN = {"β1": "beta1", "β2": "beta2", "β2 − β1": "difference"}
_VERB_LAST = ("ja",)
_CORRELATED = [("β1", "length"), ("β2", "length"), ("α", "length"), ("β1", "β"), ("β2", "β"),
               ("β1", "β2"), ("α", "β1"), ("α", "β2")]  # fmt: skip


def read(folder: Path) -> None:
    """Draw the numbers from the runs that are in a folder."""
    there = {name: title for name, title in GROUPS.items() if (folder / name).is_dir()}
    groups = {
        title: reading.group("wordorder", [folder / name], TABLES) for name, title in there.items()
    }
    for title, found in groups.items():
        _shown_only(found["tables"], french="French" in title)
    languages = folder / "wordorder-languages"
    reading.store(
        "wordorder",
        groups,
        neural=_neural(folder / NEURAL),
        memory=_memory(folder),
        trees=_trees(languages) if languages.is_dir() else [],
    )


def _shown_only(tables: dict[str, list[Row]], french: bool) -> None:
    """Leave of the tables what the page shows."""
    scores = tables.pop("scores")
    if french:
        apart = [f"β2 − β1{end}" for end in ("", " low", " high")]
        names = ["system", "perturbation", "α source", *apart]
        tables["scores"] = [
            {name: row[name] for name in names}
            for row in scores
            if row["metric"].startswith("BLEU")
        ]
    tables["outcomes"] = only(tables["outcomes"], perturbation=ALL)
    tables["rho"] = [
        {name: row[name] for name in ("system", "pair", "of", "and", "ρ", "low", "high")}
        for row in tables["rho"]
        if (row["of"], row["and"]) in _CORRELATED
    ]


def parts() -> dict[str, str]:
    """What stands between the marks of the page."""
    record = reading.stored("wordorder")
    groups = record["groups"]
    french = {title: one for title, one in groups.items() if "French" in title}
    return {
        "tally": tallies(groups),
        "claims": claims_table("wordorder", groups),
        "reasons": reasons("wordorder", groups),
        "measured": measured("wordorder", groups),
        "systems": "\n\n".join(
            f"**{title}**\n\n{by_system('wordorder', one, _systems(one))}"
            for title, one in french.items()
        ),
        "quality": quality(groups),
        "flips": flips(groups),
        "orders": orders(french),
        "length": length(groups),
        "outcomes": outcomes(groups),
        "counts": counts(groups),
        "neural": neural(record.get("neural")),
        "memory": memory(record["memory"]),
        "trees": trees(record["trees"]),
        "made": made(_every(record)),
        "signatures": signatures(_every(record)),
    }


def _every(record: Row) -> Row:
    """The record with the run for one claim among its groups."""
    found = record.get("neural")
    return {**record, "groups": {**record["groups"], "for W17": found}} if found else record


def _systems(group: Row) -> list[str]:
    poles = ("oracle", "literal")
    named = dict.fromkeys(row["system"] for row in group["tables"]["T2"])
    return [name for name in named if name not in poles]


def published(target: str) -> list[str]:
    """The paper's β into a language, system by system, from the register.

    >>> published("fr")
    ['.45', '.35', '.30', '.37']
    """
    found = re.search(rf"\b{target} ((?:\.\d+ ?)+)", claims("wordorder")["W15"].published)
    return found[1].split() if found else []


def _signed(number: Span) -> str:
    value, low, high = number
    return span(value, low, high, sign=True)


def quality(groups: Mapping[str, Any]) -> str:
    """β, β1, β2 and their difference, of every system and pair."""
    rows = []
    for title, group in groups.items():
        for row in group["tables"]["T2"]:
            if row["system"] in _systems(group):
                cells = [span(*of(row, name)) for name in ("β", "β1", "β2")]
                lead = span(row["β1"] - row["β2"], sign=True)
                rows.append([title, row["pair"], f"`{row['system']}`", *cells, lead])
    ours = table(["run", "pair", "system", "β", "β1", "β2", "β1 − β2"], rows)
    targets = dict.fromkeys(row[1].partition("-")[2] for row in rows)
    print_ = table(
        ["β in the paper's Table 2, into", *PAPERS], [[t, *published(t)] for t in targets]
    )
    return f"{ours}\n\n{print_}"


def flips(groups: Mapping[str, Any]) -> str:
    """The samples that were translated better out of order."""
    rows = [
        [
            title,
            row["pair"],
            f"`{row['system']}`",
            f"{row['N']:,}",
            percent(*of(row, "share β1 > β")),
            percent(row["β ≤ .5 < β1"] / row["N"] if row["N"] else None),
        ]
        for title, group in groups.items()
        for row in group["tables"]["T3"]
    ]
    return table(["run", "pair", "system", "samples", "β1 > β", "β ≤ .5 < β1"], rows)


def orders(groups: Mapping[str, Any]) -> str:
    """β1 − β2 of every perturbation and system, into French."""
    found = []
    for title, group in groups.items():
        systems = _systems(group)
        named = dict.fromkeys(row["perturbation"] for row in group["tables"]["scores"])
        rows = []
        for name in named:
            some = {
                row["system"]: row for row in only(group["tables"]["scores"], perturbation=name)
            }
            apart = [_signed(of(some[s], "β2 − β1", turned=True)) for s in systems]
            alpha = next(iter(some.values()))["α source"]
            rows.append((some[systems[-1]]["β2 − β1"], [name, span(alpha), *apart]))
        body = [row for _, row in sorted(rows, key=lambda one: one[0])]
        head = ["perturbation", "α source", *(f"`{system}`" for system in systems)]
        found.append(f"**{title}**, β1 − β2\n\n{table(head, body)}")
    return "\n\n".join(found)


def length(groups: Mapping[str, Any]) -> str:
    """Spearman's ρ of the scores, system by system."""
    rows = []
    for title, group in groups.items():
        for system, pair in dict.fromkeys(
            (row["system"], row["pair"]) for row in group["tables"]["rho"]
        ):
            cells = []
            for one, other in _CORRELATED:
                some = [
                    row
                    for row in only(group["tables"]["rho"], system=system, pair=pair)
                    if (row["of"], row["and"]) == (one, other)
                ]
                cells.append(span(some[0]["ρ"], some[0]["low"], some[0]["high"]) if some else "–")
            rows.append([title, pair, f"`{system}`", *cells])
    return table(["run", "pair", "system", *(f"ρ({a}, {b})" for a, b in _CORRELATED)], rows)


def outcomes(groups: Mapping[str, Any]) -> str:
    """What became of the samples, by the rule that looks at content and order apart."""
    names = ("repaired", "carried", "lost", "mixed", "untranslated")
    rows = [
        [title, row["pair"], f"`{row['system']}`", f"{row['N']:,}"]
        + [percent(*of(row, name)) for name in names]
        for title, group in groups.items()
        for row in only(group["tables"].get("outcomes", ()), perturbation=ALL)
        if row["system"] in _systems(group) and "convention" not in title
    ]
    return table(["run", "pair", "system", "samples", *names], rows)


def counts(groups: Mapping[str, Any]) -> str:
    """To how many sentences each perturbation applies."""
    group = groups.get("seven languages") or next(iter(groups.values()))
    rows = group["tables"]["T1"]
    pairs = [name for name in rows[0] if re.fullmatch(r"\w\w-\w\w", name)]
    return table(
        ["perturbation", "possible", "draws that change nothing", *pairs],
        [
            [
                row["perturbation"],
                {True: "yes", False: "no"}.get(row["possible"], ""),
                percent(row["unchanged"]),
                *(row[pair] for pair in pairs),
            ]
            for row in rows
        ],
    )


def _neural(folder: Path) -> dict[str, Any] | None:
    """What each metric of a run sees of the order, and the verdict on the claim about it."""
    if not folder.is_dir():
        return None
    contents = with_claims("wordorder", load_contents([folder]), ["W17"])
    rows = []
    for metric in Run(folder).metrics:
        means = _means(folder, metric)
        found = {name: means.mean(name) for name in (CLEAN_MOVED, "beta1", "beta2")}
        found["kept"] = found["beta1"] / found[CLEAN_MOVED]
        rows.append({"metric": metric} | {name: one.span for name, one in found.items()})
    return {**reading.of_contents("wordorder", contents, ()), "metrics": rows}


def neural(found: Row | None) -> str:
    """The table of the metrics, and every number behind the verdict."""
    if not found:
        return "Not measured."
    scores = (CLEAN_MOVED, "beta1", "beta2")
    body = [
        [f"`{row['metric']}`", *(span(*row[name]) for name in scores), percent(*row["kept"])]
        for row in found["metrics"]
    ]
    numbers = [
        [one["claim"].partition(": ")[2] or "**the claim**", _signed_verdict(one)]
        for one in found["findings"]
    ]
    seen = table(["metric", "β of the moved", "β1", "β2", "kept: β1 in % of it"], body)
    return f"{seen}\n\n{table(['W17', 'verdict'], numbers)}"


def _signed_verdict(one: Row) -> str:
    return f"{one['verdict']}, {span(one['value'], one['low'], one['high'], sign=True)}"


def _means(folder: Path, metric: str = "") -> Means:
    """The means of the systems of a run under a metric or its BLEU, order by order."""
    run = Run(folder)
    metric = metric or next(name for name in run.metrics if name.startswith("BLEU"))
    asked = [one for one in sources([run]) if not one.pole]
    some = {
        name: MEASURES[name]
        for name in ("beta", "beta1", "beta2", "difference", "flip", "flip_half", CLEAN_MOVED)
    }
    return Means.read(asked, metric, some, bootstrap=Bootstrap())


def _memory(folder: Path) -> list[dict[str, object]]:
    """Quality and flips on pairs that `bundled` was trained on and on those held out from it."""
    if not all((folder / name).is_dir() for name in MEMORY):
        return []
    trained, held = (_means(folder / name) for name in MEMORY)
    rows: list[dict[str, object]] = []
    for score, label in (
        ("beta", "β of the moved"),
        ("beta1", "β1"),
        ("beta2", "β2"),
        ("flip", "flips: β1 > β"),
        ("flip_half", "flips: β ≤ .5 < β1"),
    ):
        one, other = trained.mean(score), held.mean(score)
        apart = gap(one, other)
        rows.append({"score": label, "trained": one.span, "held out": other.span,
                     "apart": apart.span})  # fmt: skip
    return rows


def memory(rows: Sequence[Row]) -> str:
    """The table of pairs that were trained on and that were held out."""
    if not rows:
        return "Not measured."
    shares = ("flips",)
    body = []
    for row in rows:
        write = percent if row["score"].startswith(shares) else span
        body.append(
            [row["score"], *(write(*row[name]) for name in ("trained", "held out", "apart"))]
        )
    return table(["", "trained on", "held out", "trained on minus held out"], body)


def _trees(folder: Path) -> list[dict[str, object]]:
    """Orders of trees into each language; into Japanese minus the others, beside random orders."""
    means = _means(folder)
    pairs = list(dict.fromkeys(cell[1] for cell in means.cells))
    last = [pair for pair in pairs if pair.partition("-")[2] in _VERB_LAST]
    others = [pair for pair in pairs if pair not in last]

    def apart(score: str, orders: Sequence[str]) -> Aggregate:
        if not (last and others):
            return NOTHING
        where = {"system": "bundled", "variant": orders}
        return means.difference(score, {"pair": last}, {"pair": others}, **where)

    def row(label: str, of_score: Callable[[str], Aggregate]) -> dict[str, object]:
        return {"pairs": label} | {name: of_score(score).span for name, score in _SHOWN.items()}

    def into(pair: str) -> Callable[[str], Aggregate]:
        return lambda score: means.mean(score, system="bundled", pair=pair, variant=_TREES)

    return [
        *(row(pair, into(pair)) for pair in pairs),
        row("Japanese minus the mean of the others", lambda score: apart(score, _TREES)),
        row(
            "the same, minus what random orders give",
            lambda score: apart(score, _TREES) - apart(score, _RANDOM),
        ),
    ]


def trees(rows: Sequence[Row]) -> str:
    """The table of orders of trees by the target's language."""
    if not rows:
        return "Not measured."
    body = [[row["pairs"], *(_signed(row[name]) for name in _SHOWN)] for row in rows]
    return table(["orders of trees, `bundled`, into", *_SHOWN], body)
