"""`hyperbaton perturb`: variants of sentences, written as they are made."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_write
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.inputs import (
    Read,
    Reader,
    Side,
    add_format_options,
    add_parser_option,
    chunks,
    input_waits,
    read_items,
)
from hyperbaton.cli.terminal.variant_rows import Shown, Texts, as_written, header, records, row
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import format_of
from hyperbaton.language.languages import parse_pair
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Draw, needed, parse_all, perturb_all

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
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--draws", type=int, default=1, help="draws of each random one, default: 1")
    parser.add_argument(
        "--redraw",
        type=int,
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
    if args.draws < 1:
        raise HyperbatonError(f"--draws must be at least 1, not {args.draws}")
    if args.redraw < 0:
        raise HyperbatonError(f"--redraw must be 0 or more, not {args.redraw}")
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
            note=_silence if args.quiet else _note,
        )
        perturbed = partial(
            perturb_all,
            perturbations=perturbations,
            seed=args.seed,
            draws=args.draws,
            redraws=args.redraw,
        )
        several = len(perturbations) > 1 or args.draws > 1
        typed = any(perturbation.typed for perturbation in perturbations)
        task = _Task(args, reader, languages, perturbed, several, typed, Counter())
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


class _Perturb(Protocol):
    def __call__(self, sentences: Iterable[Sentence]) -> Iterator[Draw]: ...


class _Task(NamedTuple):
    """What is the same for every batch."""

    args: argparse.Namespace
    reader: Reader
    languages: Sequence[str | None]
    perturbed: _Perturb
    several: bool
    typed: bool
    """Whether types of errors are written."""
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
    pair = len(task.languages) > 1
    head = header(pair, task.typed) + "\n" if task.args.format == "tsv" else ""
    for batch in batches:
        lines = _pair_lines(task, batch) if pair else _own_lines(task, batch)
        yield head + "".join(f"{line}\n" for line in lines)
        head = ""


def _own_lines(task: _Task, batch: Sequence[Item]) -> Iterator[str]:
    args = task.args
    read = list(task.reader.sentences(batch, task.languages[0]))
    task.counts[""] += len(read)
    draws = as_written(task.perturbed(sentence for sentence, _ in read), _texts(read, batch))
    task.counts.update(str(d.perturbation) for d in draws if d.variant is None and d.draw == 0)
    if args.format != "text":
        parsers = {sentence.id: parser or "given" for sentence, parser in read}
        found = records(draws, args.seed, parsers, typed=task.typed)
        return (row(record, args.format) for record in found)
    lines = (_text(draw, args.unapplied, task.several) for draw in draws)
    return (line for line in lines if line is not None)


def _texts(read: Sequence[Read], batch: Sequence[Item], side: Side = "source") -> Texts:
    """What was written, by the sentence that was made of it."""
    own = (item.source_text if side == "source" else item.reference_text for item in batch)
    return {id(one.sentence): text or "" for one, text in zip(read, own, strict=True)}


def _pair_lines(task: _Task, batch: Sequence[Item]) -> Iterator[str]:
    """The same draw of source and reference in one row."""
    left, right = task.languages
    sources = list(task.reader.sentences(batch, left, "source"))
    references = list(task.reader.sentences(batch, right, "reference"))
    parsers = {
        one.sentence.id: " ".join(dict.fromkeys(read.parser or "given" for read in (one, other)))
        for one, other in zip(sources, references, strict=True)
    }
    texts = _texts(sources, batch), _texts(references, batch, "reference")
    draws, others = (
        as_written(task.perturbed(one.sentence for one in read), own)
        for read, own in zip((sources, references), texts, strict=True)
    )
    for record in records(draws, task.args.seed, parsers, others, task.typed):
        yield row(record, task.args.format)


def _text(draw: Shown, unapplied: str, several: bool) -> str | None:
    """The line of a variant, or of what stands in its place; None for no line at all."""
    if draw.varied is not None:
        text = draw.varied
    elif unapplied == "drop":
        return None
    else:
        text = draw.written if unapplied == "keep" else ""
    return f"{draw.perturbation}\t{text}" if several else text


def _report(task: _Task) -> None:
    fate = {"keep": "left unchanged", "blank": "left blank", "drop": "dropped"}
    total = task.counts.pop("", 0)
    for name, count in task.counts.items():
        _note(
            f"{name} does not apply to {count:,} of {counted(total, 'text')}: "
            f"{fate[task.args.unapplied]}"
        )


def _note(text: str) -> None:
    sys.stdout.flush()
    print(f"hyperbaton: {text}", file=sys.stderr)


def _silence(text: str) -> None:
    pass
