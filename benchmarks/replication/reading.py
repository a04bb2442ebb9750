"""The numbers of a page of replication, drawn from the reports on its runs."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from hyperbaton import __version__
from hyperbaton.report.contents import Contents, Finding
from hyperbaton.studies.layer.claims import tally
from hyperbaton.studies.registry import load_contents

HERE = Path(__file__).parent
_DIGITS = 6
_OF_FINDING = ("id", "claim", "statistic", "value", "low", "high", "verdict", "adjusted", "n",
               "part_of", "run")  # fmt: skip


def stored(paper: str) -> Any:
    """The numbers of a page as they were stored."""
    return loaded(HERE / f"{paper}.json")


def loaded(path: Path) -> Any:
    """The numbers of another file."""
    return json.loads(path.read_text(encoding="utf-8"))


def store(paper: str, groups: Mapping[str, Any], **further: Any) -> None:
    """Keep the numbers of a page, with the commit that they were drawn with."""
    record = {
        "paper": paper,
        "commit": _commit(),
        "version": __version__,
        "groups": groups,
        **further,
    }
    text = json.dumps(plain(record), ensure_ascii=False, indent=1)
    (HERE / f"{paper}.json").write_text(f"{text}\n", encoding="utf-8")


def group(study: str, folders: Sequence[Path], tables: Sequence[str]) -> dict[str, Any]:
    """What the report on some runs says: findings, signatures, and some of its tables."""
    return of_contents(study, load_contents(folders), tables)


def of_contents(study: str, contents: Contents, tables: Sequence[str]) -> dict[str, Any]:
    """The same of a report that is there."""
    return {
        "commands": contents.command.splitlines(),
        "facts": dict(contents.facts),
        "signatures": list(contents.signatures),
        "summary": tally(study, contents.findings),
        "findings": [_finding(one) for one in contents.findings if one.id],
        "tables": {
            table.id: table.data.to_dicts() for table in contents.tables if table.id in tables
        },
    }


def _finding(found: Finding) -> dict[str, Any]:
    """The numbers of a claim, and why it was not asked where it was not."""
    row = {name: value for name, value in asdict(found).items() if name in _OF_FINDING}
    return row | ({"why": found.detail} if found.verdict == "not asked" else {})


def plain(value: Any, digits: int = _DIGITS) -> Any:
    """As JSON has it: numbers with so many digits, null for what is none."""
    if isinstance(value, Mapping):
        return {str(name): plain(one, digits) for name, one in value.items()}
    if isinstance(value, list | tuple | pl.Series):
        return [plain(one, digits) for one in value]
    if isinstance(value, float):
        return float(f"{value:.{digits}g}") if math.isfinite(value) else None
    return value


def _commit() -> str:
    """The commit of this checkout."""
    said = ["git", "-C", str(HERE), "log", "-1", "--format=%h of %cs"]
    return subprocess.run(said, check=True, capture_output=True, text=True).stdout.strip()
