"""`hyperbaton export`: the texts that a system elsewhere is to translate."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from hyperbaton.errors import HyperbatonError
from hyperbaton.files import write_text
from hyperbaton.systems.answers import read_lines, written

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = "Write the distinct texts to translate, each with an id, for a system elsewhere."
EXAMPLES = """\
  hyperbaton export news.en -o sources.jsonl
  hyperbaton export runs/wordorder --format tsv -o sources.tsv
  hyperbaton export probes.jsonl --columns source,varied --format text > sources.txt

JSONL has the fields id and text; add a field translation to each line and read the file back
with hyperbaton import, or use it at once as --system file:sources.jsonl."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "files", nargs="+", type=Path, help="text, JSONL, Parquet, or a run's folder"
    )
    parser.add_argument("--columns", default="source,varied", help="of JSONL and Parquet")
    parser.add_argument("--format", choices=("jsonl", "tsv", "text"), default="jsonl")
    parser.add_argument("-o", "--output", type=Path, help="a file instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Write each text once, in the order of its first appearance."""
    columns = [name.strip() for name in args.columns.split(",")]
    texts = (text for path in args.files for text in _texts(path, columns))
    distinct = dict.fromkeys(text for text in texts if text.strip())
    lines = "".join(f"{line}\n" for line in written(distinct, args.format))
    if args.output:
        write_text(args.output, lines)
    else:
        sys.stdout.write(lines)
    print(f"{len(distinct):,} texts", file=sys.stderr)
    return 0


def _texts(path: Path, columns: list[str]) -> Iterator[str]:
    if path.is_dir():
        parts = sorted(path.glob("probes/*.parquet"))
        if not parts:
            raise HyperbatonError(f"{path} is not the folder of a run: it has no probes/*.parquet")
        for part in parts:
            yield from _from_parquet(part, columns)
    elif path.suffix == ".parquet":
        yield from _from_parquet(path, columns)
    elif path.suffix == ".jsonl":
        yield from _from_json(path, columns)
    else:
        yield from read_lines(path)


def _from_json(path: Path, columns: list[str]) -> Iterator[str]:
    for number, line in enumerate(read_lines(path), 1):
        try:
            row = json.loads(line)
            values = [row.get(column) for column in columns]
        except (ValueError, AttributeError):
            raise HyperbatonError(f"{path}, line {number}: not a JSON object") from None
        if not any(isinstance(value, str) for value in values):
            raise HyperbatonError(
                f"{path}, line {number}: no text in {_or(columns)}; name others with --columns"
            )
        yield from (value for value in values if isinstance(value, str))


def _from_parquet(path: Path, columns: list[str]) -> Iterator[str]:
    import polars as pl

    try:
        present = pl.read_parquet_schema(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise HyperbatonError(f"{path} cannot be read as Parquet: {error}") from None
    chosen = [column for column in columns if column in present]
    if not chosen:
        raise HyperbatonError(
            f"{path} has no column {_or(columns)} (it has: {', '.join(present)}); "
            "name others with --columns"
        )
    for row in pl.read_parquet(path, columns=chosen).iter_rows():
        yield from (value for value in row if isinstance(value, str))


def _or(columns: Iterable[str]) -> str:
    return " or ".join(columns)
