"""Every number of a report as plain JSON, so that reports can be compared with stored ones.

`python -m tests.studies.numbers` writes the stored files anew; do that only where a change of the
numbers is meant, and say in the commit why they change.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hyperbaton.pipeline import Job, Pair, Run, RunOptions, Starter, execute
from hyperbaton.report.charts.specs import describe
from hyperbaton.report.contents import Contents
from hyperbaton.studies.isometry.study import Isometry
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.wordorder import WordOrder

from .predictions import SHARED, write_random_predictions

STORED = Path(__file__).parent / "stored"
Json = Mapping[str, object]


def wordorder_run(folder: Path, convention: str = "default") -> Run:
    """A dictionary and a copier on a few sentences: no processor answers otherwise."""
    job = Job(
        WordOrder(draws=2, convention="paper" if convention == "paper" else "default"),
        tuple(Starter(Pair("en", target), 24) for target in ("de", "fr")),
        ("gloss", "copy"),
        () if convention == "paper" else ("BLEU", "chrF"),
        options=RunOptions(workers=0, cached=False),
    )
    return execute(job, folder)


def recorded_contents(paths: Sequence[Path]) -> Contents:
    """The report on predictions in the published form."""
    return Isometry().recorded(paths).contents


def published() -> list[Path]:
    """The published predictions, where they are beside the checkout."""
    names = ("fair-wmt19.wmt.wmtp.json", "standard-wmt16.wmt.wmtp.json")
    return [path for path in (SHARED / "isometry" / name for name in names) if path.exists()]


def numbers(contents: Contents) -> Json:
    """Findings and tables whole; of figures and sentences the sum of every column."""
    return {
        "findings": [
            {"claim": f.claim, "value": f.value, "low": f.low, "high": f.high, "is": f.verdict}
            for f in contents.findings
        ],
        "tables": {
            table.id: {name: table.data[name].to_list() for name in table.data.columns}
            for table in contents.tables
        },
        "figures": {figure.id: _sums(_rows(describe(figure))) for figure in contents.figures},
        "sentences": _sums(contents.explorer.rows.to_dicts() if contents.explorer else []),
    }


def scores(run: Run) -> Json:
    """The sum of every column of scores, by system, pair and metric."""
    return {
        f"{system} {pair} {metric}": {
            name: run.table(pair, system, metric)[name].sum()
            for name in ("beta", "beta1", "beta2", "alpha", "alpha_target")
        }
        for system in run.record.systems
        for pair in run.pairs_of(system)
        for metric in run.metrics
    }


def _rows(spec: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The rows of a chart, wherever its description keeps them."""
    datasets = spec.get("datasets")
    if isinstance(datasets, dict):
        for rows in datasets.values():
            yield from rows
    data = spec.get("data")
    if isinstance(data, dict):
        yield from data.get("values", ())
    for inner in ("spec", "layer", "hconcat"):
        parts = spec.get(inner, ())
        for part in parts if isinstance(parts, list) else [parts]:
            if isinstance(part, dict):
                yield from _rows(part)


def _sums(rows: Iterator[Mapping[str, object]] | Sequence[Mapping[str, object]]) -> Json:
    found: dict[str, float] = {"rows": 0}
    for row in rows:
        found["rows"] += 1
        for name, value in row.items():
            if isinstance(value, int | float) and math.isfinite(value):
                found[name] = found.get(name, 0.0) + value
    return found


def plain(value: object) -> object:
    """What JSON can hold: no number is null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def reports(folder: Path) -> Iterator[tuple[str, Json]]:
    """Every stored report by the name of its file."""
    for convention in ("default", "paper"):
        run = wordorder_run(folder / convention, convention)
        yield (
            f"wordorder-{convention}",
            {"scores": scores(run), **numbers(load_contents([run.folder]))},
        )
    made = [write_random_predictions(folder / f"{name}.made.json") for name in ("good", "weak")]
    yield "isometry-made", numbers(recorded_contents(made))
    if published():
        yield "isometry-published", _without_examples(numbers(recorded_contents(published())))


def _without_examples(found: Json) -> Json:
    """Without the texts of others."""
    tables = found["tables"]
    assert isinstance(tables, dict)
    return {**found, "tables": {name: t for name, t in tables.items() if name != "T4"}}


if __name__ == "__main__":
    STORED.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        for name, report in reports(Path(folder)):
            text = json.dumps(plain(report), ensure_ascii=False, indent=0)
            (STORED / f"{name}.json").write_text(text + "\n", encoding="utf-8")
