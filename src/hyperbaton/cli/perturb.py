"""`hyperbaton perturb`: variants of sentences, written as they are made."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from hyperbaton.cli.sentences import (
    Source,
    chunks,
    input_waits,
    needed,
    parsed_source,
    text_source,
)
from hyperbaton.corpus import FORMATS, Columns, Item, format_of, open_corpus
from hyperbaton.errors import HyperbatonError
from hyperbaton.perturb import Draw, Perturbation, Reordering, parse_all, perturb_all
from hyperbaton.perturb.measures import measure

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
"""
EXAMPLES = """\
  echo "Tom said that he would go home." | hyperbaton perturb -l en --with treeMirrorPre
  hyperbaton perturb -l en --with wordorder --format jsonl news.en.gz > variants.jsonl
  hyperbaton perturb --with nounSwaps --with "NeighbourFlip(p=0.3, unit=char)" --draws 5 \\
      --seed 1 --format tsv de_pud.conllu
"""

FIELDS = (
    *("item", "variant", "draw", "seed", "applies", "changed", "source", "varied", "unit"),
    *("order", "idc", "bigram_f", "displacement", "moved", "category", "possible", "scheme"),
    "parser",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is perturbed, how, and how the result is written."""
    parser.add_argument("file", nargs="?", default="-", help="default: standard input")
    parser.add_argument(
        "--with",
        dest="names",
        action="append",
        required=True,
        metavar="NAME",
        help="a perturbation or a group, repeat for more (see: hyperbaton ls perturbations)",
    )
    parser.add_argument("-l", "--language", help="language of the text: en, de, …")
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
    parser.add_argument("--column", help="column of a table: a name, or a number from 1")
    parser.add_argument("--parser", help="parser to use: spacy:en_core_web_sm, natasha, plain, …")
    parser.add_argument("--no-cache", action="store_true", help="parse again, keep no parses")
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes on standard error")


def run(args: argparse.Namespace) -> int:
    """Read, perturb and write, a few items at a time."""
    if args.draws < 1:
        raise HyperbatonError(f"--draws must be at least 1, not {args.draws}")
    kind = args.input or format_of(args.file)
    if args.language is None and kind != "conllu":
        raise HyperbatonError("which language is the text in? Say so: -l en")
    perturbations = parse_all(args.names)
    items = open_corpus(
        args.file, format=kind, languages=[args.language], columns=_columns(args.column)
    )
    with ExitStack() as stack:
        if kind == "conllu":
            source = parsed_source()
        else:
            source = text_source(
                stack,
                args.language,
                needed(perturbations),
                args.parser,
                not args.no_cache,
                _silence if args.quiet else _note,
            )
        _write_all(args, items, source, perturbations)
    return 0


def _write_all(
    args: argparse.Namespace,
    items: Iterator[Item],
    source: Source,
    perturbations: Sequence[Perturbation],
) -> None:
    several = len(perturbations) > 1 or args.draws > 1
    unapplied: Counter[str] = Counter()
    total = 0
    if args.format == "tsv":
        print("\t".join(FIELDS))
    for chunk in chunks(items, input_waits if args.file == "-" else lambda: False):
        total += len(chunk)
        parsers = {item.id: item.columns.get("parser", source.signature) for item in chunk}
        sentences = source.prepare(chunk)
        for draw in perturb_all(sentences, perturbations, seed=args.seed, draws=args.draws):
            if draw.variant is None and draw.draw == 0:
                unapplied[str(draw.perturbation)] += 1
            if args.format == "text":
                line = _text(draw, args.unapplied, several)
            else:
                line = _row(draw, args.seed, parsers[draw.sentence.id], args.format)
            if line is not None:
                sys.stdout.write(line + "\n")
        sys.stdout.flush()
    if args.format == "text" and not args.quiet:
        fate = {"keep": "left as they were", "blank": "left blank", "drop": "dropped"}
        for name, count in unapplied.items():
            _note(f"{name} does not apply to {count} of {total} texts: {fate[args.unapplied]}")


def _columns(given: str | None) -> Columns:
    return Columns(source=int(given) if given is not None and given.isdecimal() else given)


def _note(text: str) -> None:
    sys.stdout.flush()
    print(f"hyperbaton: {text}", file=sys.stderr)


def _silence(text: str) -> None:
    pass


def _text(draw: Draw, unapplied: str, several: bool) -> str | None:
    """The line of a variant, or of what stands in its place; None for no line at all."""
    if draw.variant is not None:
        text = draw.variant.text
    elif unapplied == "drop":
        return None
    else:
        text = draw.sentence.text if unapplied == "keep" else ""
    return f"{draw.perturbation}\t{text}" if several else text


def _row(draw: Draw, seed: int, signature: str, style: str) -> str:
    record = _record(draw, seed, signature)
    if style == "jsonl":
        return json.dumps(record, ensure_ascii=False)
    return "\t".join(map(_cell, record.values()))


def _record(draw: Draw, seed: int, signature: str) -> dict[str, object]:
    """One row; what a perturbation that does not apply has not got is null."""
    sentence, perturbation, variant = draw.sentence, draw.perturbation, draw.variant
    measures = None
    if variant is not None and isinstance(perturbation, Reordering):
        measures = measure(sentence, perturbation, variant)
    values = (
        sentence.id,
        str(perturbation),
        draw.draw,
        seed,
        variant is not None,
        variant and variant.changed,
        sentence.text,
        variant and variant.text,
        variant and variant.unit,
        variant and variant.order,
        *([round(value, 6) for value in measures] if measures else [None] * 4),
        perturbation.category,
        perturbation.possible,
        sentence.scheme,
        signature,
    )
    return dict(zip(FIELDS, values, strict=True))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value).replace("\t", "\\t")
