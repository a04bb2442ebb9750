"""`hyperbaton perturb`: variants of sentences, written as they are made."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from hyperbaton.cli.sentences import (
    Source,
    chunks,
    input_waits,
    needed,
    parsed_source,
    text_source,
)
from hyperbaton.cli.variant_rows import header, record, row
from hyperbaton.corpus import FORMATS, Columns, Item, Text, format_of, open_corpus
from hyperbaton.errors import HyperbatonError
from hyperbaton.languages import parse_pair
from hyperbaton.perturb import Draw, Perturbation, parse_all, perturb_all

DESCRIPTION = """\
Perturb sentences: one text per line, TSV, JSON Lines, or parsed sentences (CoNLL-U), which need no
parser. Results are written as they are made.

Plain text is parsed only when a perturbation needs words, parts of speech or a tree, with the best
parser installed for the language (see: hyperbaton parsers); a parse is kept and not made twice.

formats:
  text   With one perturbation and one draw: exactly one line out for each line in. A line to which
         the perturbation does not apply is left as it was and counted on standard error; choose
         otherwise with --unapplied blank (an empty line) or drop (no line). With several: each
         line out is the perturbation, a tab, and the text.
  jsonl  One object per item, perturbation and draw, also for those that do not apply.
  tsv    The same as a table with a header; tabs inside texts are written \\t.

A pair of files (or a table) with -l en-de is perturbed on both sides, as jsonl or tsv.
"""
EXAMPLES = """\
  echo "Tom said that he would go home." | hyperbaton perturb -l en --with treeMirrorPre
  hyperbaton perturb -l en --with wordorder --format jsonl news.en.gz > variants.jsonl
  hyperbaton perturb --with nounSwaps --with "NeighbourFlip(p=0.3, unit=char)" --draws 5 \\
      --seed 1 --format tsv de_pud.conllu
  hyperbaton perturb -l en-de --with wordorder --format jsonl news.en news.de
"""


TABLES = ("tsv", "jsonl", "m2")
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
    parser.add_argument("--format", choices=("text", "jsonl", "tsv"), default="text")
    parser.add_argument(
        "--unapplied",
        choices=("keep", "blank", "drop"),
        default="keep",
        help="in text, a line to which a perturbation does not apply (default: keep)",
    )
    parser.add_argument("--input", choices=FORMATS, help="format of the file, if its name lies")
    parser.add_argument("--column", help="source column of a table: a name, or a number from 1")
    parser.add_argument("--reference-column", help="its reference column, with -l en-de")
    parser.add_argument("--parser", help="parser to use: spacy:en_core_web_sm, natasha, plain, …")
    parser.add_argument("--no-cache", action="store_true", help="parse again, keep no parses")
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes on standard error")


def run(args: argparse.Namespace) -> int:
    """Read, perturb and write, a few items at a time."""
    if args.draws < 1:
        raise HyperbatonError(f"--draws must be at least 1, not {args.draws}")
    perturbations = parse_all(args.names)
    paths = args.files or ["-"]
    kinds = [args.input or format_of(path) for path in paths]
    languages = _languages(args, kinds)
    items = open_corpus(
        *paths,
        format=args.input,
        languages=languages,
        columns=Columns(_column(args.column), _column(args.reference_column)),
    )
    with ExitStack() as stack:
        sources = [
            _source(stack, args, language, kind, perturbations)
            for language, kind in zip(languages, kinds * 2, strict=False)
        ]
        write = _write_pairs if len(sources) > 1 else _write_alone
        waits = input_waits if "-" in paths else lambda: False
        write(args, chunks(items, waits), sources, perturbations)
    return 0


def _languages(args: argparse.Namespace, kinds: Sequence[str]) -> list[str | None]:
    """The language of the source and, where there is a pair, of the reference."""
    if args.language is None:
        if any(kind != "conllu" for kind in kinds):
            raise HyperbatonError("which language is the text in? Say so: -l en")
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


def _source(
    stack: ExitStack,
    args: argparse.Namespace,
    language: str | None,
    kind: str,
    perturbations: Sequence[Perturbation],
) -> Source:
    if kind == "conllu" or language is None:
        return parsed_source()
    note = _silence if args.quiet else _note
    need = needed(perturbations)
    return text_source(stack, language, need, args.parser, not args.no_cache, note)


def _write_alone(
    args: argparse.Namespace,
    batches: Iterator[list[Item]],
    sources: Sequence[Source],
    perturbations: Sequence[Perturbation],
) -> None:
    several = len(perturbations) > 1 or args.draws > 1
    unapplied: Counter[str] = Counter()
    total = 0
    if args.format == "tsv":
        print(header(pair=False))
    for batch in batches:
        total += len(batch)
        parsers = {item.id: item.columns.get("parser", sources[0].signature) for item in batch}
        sentences = sources[0].prepare(batch)
        for draw in perturb_all(sentences, perturbations, seed=args.seed, draws=args.draws):
            if draw.variant is None and draw.draw == 0:
                unapplied[str(draw.perturbation)] += 1
            if args.format == "text":
                line = _text(draw, args.unapplied, several)
            else:
                line = row(record(draw, args.seed, parsers[draw.sentence.id]), args.format)
            if line is not None:
                sys.stdout.write(line + "\n")
        sys.stdout.flush()
    if args.format == "text" and not args.quiet:
        fate = {"keep": "left as they were", "blank": "left blank", "drop": "dropped"}
        for name, count in unapplied.items():
            _note(f"{name} does not apply to {count} of {total} texts: {fate[args.unapplied]}")


def _write_pairs(
    args: argparse.Namespace,
    batches: Iterator[list[Item]],
    sources: Sequence[Source],
    perturbations: Sequence[Perturbation],
) -> None:
    """The same draw of source and reference in one row."""
    parser = " ".join(dict.fromkeys(source.signature for source in sources))
    if args.format == "tsv":
        print(header(pair=True))
    for batch in batches:
        other = [replace(item, source=_reference(item)) for item in batch]
        draws = (
            perturb_all(source.prepare(side), perturbations, seed=args.seed, draws=args.draws)
            for source, side in zip(sources, (batch, other), strict=True)
        )
        for first, second in zip(*draws, strict=True):
            print(row(record(first, args.seed, parser, second), args.format))
        sys.stdout.flush()


def _reference(item: Item) -> Text:
    if item.reference is None:
        raise HyperbatonError(
            f"item '{item.id}' has no reference; name its column: --reference-column NAME"
        )
    return item.reference


def _text(draw: Draw, unapplied: str, several: bool) -> str | None:
    """The line of a variant, or of what stands in its place; None for no line at all."""
    if draw.variant is not None:
        text = draw.variant.text
    elif unapplied == "drop":
        return None
    else:
        text = draw.sentence.text if unapplied == "keep" else ""
    return f"{draw.perturbation}\t{text}" if several else text


def _column(given: str | None) -> str | int | None:
    return int(given) if given is not None and given.isdecimal() else given


def _note(text: str) -> None:
    sys.stdout.flush()
    print(f"hyperbaton: {text}", file=sys.stderr)


def _silence(text: str) -> None:
    pass
