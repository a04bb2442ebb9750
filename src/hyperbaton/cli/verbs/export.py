"""`hyperbaton export`: the texts that a system elsewhere is to translate."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from hyperbaton.base.content import parse_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_path
from hyperbaton.base.wording import counted
from hyperbaton.cli.terminal import streams
from hyperbaton.corpus.opening import open_corpus, read_texts
from hyperbaton.language.languages import parse_pair, text_in
from hyperbaton.systems.store.exchange import read_lines, written
from hyperbaton.systems.store.store import recall_terms, working_store
from hyperbaton.systems.system import SYSTEMS

DESCRIPTION = "Write the distinct texts to translate, each with an id, for a system elsewhere."
EXAMPLES = """\
  hyperbaton export news.en -o sources.jsonl
  hyperbaton export runs/wordorder --format tsv -o sources.tsv
  hyperbaton export probes.jsonl --columns source,varied --format text > sources.txt
  hyperbaton export news.en --format openai --system openai:gpt-4o-mini -l en-de -o batch.jsonl

JSONL has the fields id and text; add a field translation to each line, then read the file with
hyperbaton import, or use it directly as --system file:sources.jsonl."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        help="text, JSONL, Parquet, TMX, XLIFF, SGM, or the folder of a run",
    )
    parser.add_argument(
        "--columns",
        default="source,varied",
        help="columns of JSONL, Parquet and runs that hold texts (default: %(default)s)",
    )
    parser.add_argument(
        "-l",
        "--languages",
        metavar="SRC-TGT",
        help="of a run: this pair only (default: all); of a file in several languages: its SRC",
    )
    parser.add_argument(
        "--format",
        choices=("jsonl", "tsv", "text", "openai", "anthropic", "gemini"),
        default="jsonl",
        help="the last three: requests for the batch interface of that company (default: jsonl)",
    )
    parser.add_argument("--system", help="the chat model that the requests of a batch are for")
    parser.add_argument("-o", "--output", type=Path, help="a file instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Write each text once, in the order of its first appearance."""
    columns = [name.strip() for name in args.columns.split(",")]
    texts = (text for path in args.files for text in _texts(path, columns, args.languages))
    lines_written = 0
    with _written_to(args.output) as file:
        for line in _lines(_distinct(texts), args):
            file.write(f"{line}\n")
            lines_written += 1
    streams.say(f"{counted(lines_written, 'text')} written")
    return 0


def _lines(texts: Iterable[str], args: argparse.Namespace) -> Iterator[str]:
    """What is written: the texts, or the requests of a batch as the server takes them."""
    if args.format in ("jsonl", "tsv", "text"):
        yield from written(texts, args.format)
        return
    from hyperbaton.systems.chat.batches import chat_translator, request_line

    if not (args.system and args.languages):
        raise HyperbatonError(
            "requests are for a chat model and a language pair: "
            f"--format {args.format} --system openai:MODEL -l en-de"
        )
    system = SYSTEMS.parse(args.system)
    with system.open(*parse_pair(args.languages)) as translator, working_store() as store:
        model = chat_translator(system, translator)
        recall_terms(model, store)
        for text in texts:
            yield request_line(model, text, args.format)


def _distinct(texts: Iterable[str]) -> Iterator[str]:
    """Each text once; digests are remembered, since a run may hold millions of texts."""
    seen: set[bytes] = set()
    for text in texts:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if text.strip() and digest not in seen:
            seen.add(digest)
            yield text


@contextmanager
def _written_to(output: Path | None) -> Iterator[IO[str]]:
    """A file whose content is there, or on standard output, only if all of it could be written."""
    if output is not None:
        with atomic_path(output) as path, path.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    with TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="") as file:
        yield file
        file.seek(0)
        shutil.copyfileobj(file, sys.stdout)


def _texts(path: Path, columns: list[str], languages: str | None) -> Iterator[str]:
    if path.is_dir():
        yield from _from_run(path, columns, languages)
    elif path.suffix == ".parquet":
        yield from _from_parquet(path, columns, languages)
    elif path.suffix == ".jsonl":
        yield from _from_json(path, columns, languages)
    else:
        yield from read_texts(path, parse_pair(languages)[0] if languages else None)


def _from_run(folder: Path, columns: list[str], languages: str | None) -> Iterator[str]:
    """The texts of a run's probes, pair by pair."""
    from hyperbaton.pipeline import Run

    run = Run(folder)
    pairs = [pair for pair in run.pairs if languages in (None, str(pair))]
    if not pairs:
        raise HyperbatonError(f"{folder} has no pair {languages}; it has: {_list(run.pairs)}")
    for pair in pairs:
        for part in run.parts(pair):
            chosen = _chosen(columns, part.columns, str(folder))
            for row in part.select(chosen).iter_rows():
                yield from (value for value in row if isinstance(value, str))


def _from_json(path: Path, columns: list[str], languages: str | None) -> Iterator[str]:
    for number, line in enumerate(read_lines(path), 1):
        row = parse_object(line, f"{path}, line {number}")
        values = [row.get(column) for column in columns]
        if isinstance(texts := row.get("translation"), dict) and languages:
            there = {code: text for code, text in texts.items() if isinstance(text, str)}
            values.append(text_in(parse_pair(languages)[0], there, f"{path}, line {number}"))
        if not any(isinstance(value, str) for value in values):
            raise HyperbatonError(
                f"{path}, line {number}: no text in {_or(columns)}; name others with --columns, "
                "or languages with -l"
            )
        yield from (value for value in values if isinstance(value, str))


def _from_parquet(path: Path, columns: list[str], languages: str | None) -> Iterator[str]:
    import polars as pl

    from hyperbaton.base.parquet import UnreadableParquet, parquet_schema, read_parquet, try_parquet

    if not path.is_file():
        raise HyperbatonError(f"there is no file {path}")
    try:
        try_parquet(path, columns)
        schema = parquet_schema(path)
        if languages and isinstance(schema.get("translation"), pl.Struct):
            found = open_corpus(path, languages=parse_pair(languages)[:1])
            yield from (item.source_text for item in found)
            return
        chosen = _chosen(columns, list(schema), str(path))
        rows = read_parquet(path, chosen)
    except UnreadableParquet as error:
        raise HyperbatonError(
            f"{path} cannot be read as Parquet ({error}): write or fetch the file again"
        ) from None
    for name, kind in rows.schema.items():
        if kind not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
            raise HyperbatonError(
                f"{path}: the column {name} holds {kind}, not text; name others with --columns"
            )
    for row in rows.iter_rows():
        yield from (value for value in row if value is not None)


def _chosen(columns: list[str], present: list[str], where: str) -> list[str]:
    chosen = [column for column in columns if column in present]
    if not chosen:
        raise HyperbatonError(
            f"{where} has no column {_or(columns)} (it has: {_list(present)}); "
            "name others with --columns"
        )
    return chosen


def _list(names: Iterable[object]) -> str:
    return ", ".join(map(str, names))


def _or(columns: Iterable[str]) -> str:
    return " or ".join(columns)
