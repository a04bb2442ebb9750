"""`hyperbaton perturb`: variants of sentences, written as they are made."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_write
from hyperbaton.base.options import natural, positive, whole
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.inputs import (
    SIDES,
    Read,
    Reader,
    add_format_options,
    add_parser_option,
    chunks,
    input_waits,
    read_items,
)
from hyperbaton.cli.terminal.streams import say
from hyperbaton.cli.terminal.variant_rows import Shown, as_written, header, records, row_text
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import format_of
from hyperbaton.language.languages import parse_pair
from hyperbaton.perturb import Perturbation, needed, parse_all, perturb_all

DESCRIPTION = """\
Perturb sentences: one text per line, TSV, JSON Lines, TMX, XLIFF, SGM, WMT's XML, or parsed
sentences (CoNLL-U), which need no parser. Any file may be compressed (gzip, xz, bzip2, zstd).

Standard output is a stream: after an error (exit status 2) the rows before it have been written.
-o FILE is written whole or not at all.

Plain text is parsed only when a perturbation needs words, parts of speech or a tree, with the best
parser installed for the language (see: hyperbaton parsers). Parses are stored and reused.

formats:
  text   With one perturbation and one draw: exactly one line out for each line in. A line to which
         the perturbation does not apply is left unchanged and counted on standard error;
         --unapplied blank writes an empty line instead, --unapplied drop no line. With several:
         each line out is the perturbation, a tab, and the text.
  jsonl  One object per item, perturbation and draw, also for those that do not apply.
  tsv    The same as a table with a header; tabs inside texts are written \\t.
         Errors of learners have their types in the field types, as ERRANT names them.

A pair of files (or a table, TMX, XLIFF) with -l en-de is perturbed on both sides, as jsonl or tsv.
"""
EXAMPLES = """\
  echo "Tom said that he would go home." | hyperbaton perturb -l en --with treeMirrorPre
  hyperbaton perturb -l en --with wordorder --format jsonl news.en.gz > variants.jsonl
  hyperbaton perturb --with nounSwaps --with "NeighbourFlip(p=0.3, unit=char)" --draws 5 \\
      --seed 1 --format tsv de_pud.conllu
  hyperbaton perturb -l en-de --with wordorder --format jsonl news.en news.de
"""


TABLES = ("tsv", "jsonl", "parquet", "m2", "tmx", "xliff", "wmt")
PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")
"""Two languages, which zh-Hans and pt-BR are not."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is perturbed, how, and how the result is written."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="source and, if any, reference (default: stdin)"
    )
    parser.add_argument(
        "--with",
        dest="names",
        action="append",
        required=True,
        metavar="NAME",
        help="a perturbation or a group, repeat for more (see: hyperbaton ls perturbations)",
    )
    parser.add_argument("-l", "--language", help="language of the text (en), or of a pair (en-de)")
    parser.add_argument("--seed", type=whole, default=0, help="default: 0")
    parser.add_argument("--draws", type=positive, default=1, help="of each random one (default: 1)")
    parser.add_argument(
        "--redraw",
        type=natural,
        default=0,
        metavar="N",
        help="draw up to N more times while a draw leaves the text unchanged (default: 0)",
    )
    parser.add_argument("--format", choices=("text", "jsonl", "tsv"), default="text")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a file instead of standard output"
    )
    parser.add_argument(
        "--unapplied",
        choices=("keep", "blank", "drop"),
        default="keep",
        help="in text, a line to which a perturbation does not apply (default: keep)",
    )
    add_format_options(parser, reference=True)
    add_parser_option(parser)
    parser.add_argument("--no-cache", action="store_true", help="do not read or store parses")
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes on standard error")


def run(args: argparse.Namespace) -> int:
    """Read, perturb and write, a few items at a time."""
    perturbations = parse_all(args.names)
    paths = args.files or ["-"]
    languages = _languages(args, [args.input or format_of(path) for path in paths])
    items = read_items(args, paths, languages)
    with ExitStack() as stack:
        reader = Reader(
            stack,
            need=needed(perturbations),
            parsers=args.parser,
            cache=not args.no_cache,
            note=(lambda _: None) if args.quiet else say,
        )
        task = _Task(args, reader, languages, perturbations, Counter())
        batches = chunks(items, input_waits if "-" in paths else lambda: False)
        sink = stack.enter_context(atomic_write(args.output)) if args.output else None
        for lines in _lines(task, batches):
            if sink is not None:
                sink.write(lines.encode())
            else:
                sys.stdout.write(lines)
                sys.stdout.flush()
    if args.format == "text" and not args.quiet:
        _report(task)
    return 0


class _Task(NamedTuple):
    """What is the same for every batch."""

    args: argparse.Namespace
    reader: Reader
    languages: Sequence[str | None]
    perturbations: Sequence[Perturbation]
    counts: Counter[str]
    """How many texts there were, under the empty name, and what did not apply to how many."""


def _languages(args: argparse.Namespace, kinds: Sequence[str]) -> list[str | None]:
    """The language of the source and, where there is a pair, of the reference."""
    if args.language is None:
        if any(kind != "conllu" for kind in kinds):
            raise HyperbatonError("which language is the text in? Add it: -l en")
        known: list[str | None] = [None] * len(kinds)
    elif len(kinds) > 1 or (kinds[0] in TABLES and PAIR.fullmatch(args.language)):
        known = list(parse_pair(args.language))
    else:
        known = [args.language]
    if len(kinds) > 2:
        raise HyperbatonError(f"{len(kinds)} files were given; give a source and a reference")
    if len(known) > 1 and args.format == "text":
        raise HyperbatonError("a pair has two texts for each variant: choose --format jsonl or tsv")
    return known


def _lines(task: _Task, batches: Iterator[list[Item]]) -> Iterator[str]:
    """The output of one batch after the other, each whole: an error leaves no part of one."""
    typed = any(perturbation.typed for perturbation in task.perturbations)
    head = header(len(task.languages) > 1, typed) + "\n" if task.args.format == "tsv" else ""
    for batch in batches:
        yield head + "".join(f"{line}\n" for line in _batch_lines(task, batch, typed))
        head = ""


def _batch_lines(task: _Task, batch: Sequence[Item], typed: bool) -> Iterator[str]:
    """A line for each variant; of a pair the same draw of source and reference in one row."""
    args = task.args
    sides: list[list[Read]] = []
    shown: list[list[Shown]] = []
    for language, side in zip(task.languages, SIDES, strict=False):
        read = [*task.reader.sentences(batch, language, side)]
        draws = perturb_all(
            (one.sentence for one in read),
            task.perturbations,
            seed=args.seed,
            draws=args.draws,
            redraws=args.redraw,
        )
        texts = (item.source_text if side == "source" else item.reference_text for item in batch)
        own = {id(one.sentence): text or "" for one, text in zip(read, texts, strict=True)}
        sides.append(read)
        shown.append(as_written(draws, own))
    if args.format != "text":
        parsers = {
            row[0].sentence.id: " ".join(dict.fromkeys(one.parser or "given" for one in row))
            for row in zip(*sides, strict=True)
        }
        others = shown[1] if len(shown) > 1 else None
        for record in records(shown[0], args.seed, parsers, others, typed):
            yield row_text(record, args.format)
        return
    task.counts[""] += len(sides[0])
    several = len(task.perturbations) > 1 or args.draws > 1
    for draw in shown[0]:
        if draw.variant is None and draw.draw == 0:
            task.counts[str(draw.perturbation)] += 1
        if (text := _text(draw, args.unapplied)) is not None:
            yield f"{draw.perturbation}\t{text}" if several else text


def _text(draw: Shown, unapplied: str) -> str | None:
    """The text of a variant, or of what stands in its place; None for no line at all."""
    if draw.varied is not None:
        return draw.varied
    return {"keep": draw.written, "blank": "", "drop": None}[unapplied]


def _report(task: _Task) -> None:
    fate = {"keep": "left unchanged", "blank": "left blank", "drop": "dropped"}
    total = task.counts.pop("", 0)
    for name, count in task.counts.items():
        say(
            f"{name} does not apply to {count:,} of {counted(total, 'text')}: "
            f"{fate[task.args.unapplied]}"
        )
