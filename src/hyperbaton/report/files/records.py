"""Records for collections of results: a JSON file for each system, as every_eval_ever has them.

The fields are those of its schema 0.2.1 (github.com/evaleval/every_eval_ever, eval.schema.json).
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from hyperbaton import __version__
from hyperbaton.base.files import write_text
from hyperbaton.report.board import Board, Cell, Column
from hyperbaton.report.page.markup import unique_slugs

SCHEMA = "0.2.1"
_NO_BOUND = 1e9
"""The schema asks for a greatest score of everything continuous; a ratio has none."""


def write_records(board: Board, corpora: Sequence[str], folder: Path) -> list[Path]:
    """Write a record for each system of a board; `corpora` are what it was measured on."""
    names = unique_slugs(list(board.systems))
    paths = []
    for system, name in zip(board.systems, names, strict=True):
        path = folder / f"{name}.json"
        write_text(path, json.dumps(record(board, system, corpora), ensure_ascii=False, indent=2))
        paths.append(path)
    return paths


def record(board: Board, system: str, corpora: Sequence[str]) -> dict[str, object]:
    """All that a board knows of a system."""
    now = str(int(time.time()))
    identity = json.dumps(corpora)
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"hyperbaton/{system}/{now}",
        "retrieved_timestamp": now,
        "dedupe_identity": {
            "run_fingerprint": hashlib.sha256(identity.encode()).hexdigest(),
            "hash_algorithm": "sha256",
        },
        "source_metadata": {
            "source_name": "Hyperbaton",
            "source_type": "evaluation_run",
            "source_organization_name": "unknown",
            "evaluator_relationship": "third_party",
            "additional_details": {"note": board.marks.get(system, "")},
        },
        "eval_library": {"name": "hyperbaton", "version": __version__},
        "model_info": {"name": system, "id": f"unknown/{system}"},
        "evaluation_results": list(_results(board, system, "; ".join(corpora))),
    }


def _results(board: Board, system: str, corpus: str) -> Iterator[dict[str, object]]:
    for column in board.columns:
        cell = column.cells.get(system)
        if cell is not None:
            yield _result(column, cell, corpus)


def _result(column: Column, cell: Cell, corpus: str) -> dict[str, object]:
    value, low, high = cell.value
    details = {"rank": str(cell.rank)}
    if cell.own is not None:
        details["where nothing changed"] = repr(cell.own[0])
    score: dict[str, object] = {"score": value, "details": details}
    if math.isfinite(low) and math.isfinite(high):
        score["uncertainty"] = {
            "confidence_interval": {
                "lower": low,
                "upper": high,
                "confidence_level": 0.95,
                "method": "bootstrap over sentences, or Wilson for shares",
            }
        }
    return {
        "evaluation_name": f"{column.kind}: {column.label}",
        "source_data": {"dataset_name": corpus or "unknown", "source_type": "other"},
        "metric_config": {
            "evaluation_description": column.plain or column.label,
            "lower_is_better": column.lower,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": _NO_BOUND,
            "additional_details": {"max_score": "stands for no upper bound"},
        },
        "score_details": score,
    }
