"""`hyperbaton parse`: plain text in, CoNLL-U out."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from hyperbaton.base.progress import track
from hyperbaton.cli.options.inputs import add_format_options, add_parser_option, read_items

DESCRIPTION = """\
Parse text, one item a line (or a table), into CoNLL-U that every other command reads."""
EXAMPLES = """\
  hyperbaton parse -l de news.de > news.de.conllu
  hyperbaton parse -l en -o news.en.conllu --workers 4 news.en.gz
  echo "Tom said nothing." | hyperbaton parse -l en
  hyperbaton parse -l ja --parser ginza news.ja
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is parsed, by which parser, and where it goes."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: - (stdin)")
    parser.add_argument("-l", "--language", required=True, metavar="LANG")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a file instead of standard output"
    )
    add_format_options(parser)
    add_parsing(parser)


def add_parsing(parser: argparse.ArgumentParser) -> None:
    """What every command that parses understands."""
    add_parser_option(parser)
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="parse in N processes")
    parser.add_argument("--no-cache", action="store_true", help="do not read or store parses")


def run(args: argparse.Namespace) -> int:
    """Parse a file or standard input as it comes."""
    from hyperbaton.cli.options.inputs import Reader
    from hyperbaton.corpus.conllu_writer import to_conllu, write_conllu

    with ExitStack() as stack:
        reader = Reader(stack, parsers=args.parser, cache=not args.no_cache, workers=args.workers)
        signature = reader.parser(args.language).signature
        given = read_items(args, [args.file], [args.language])
        items = (replace(item, source=item.source_text) for item in given)
        read = track(reader.sentences(items, args.language), f"parsing {args.language}")
        sentences = (sentence for sentence, _ in read)
        if args.output:
            write_conllu(args.output, sentences, signature)
            return 0
        for sentence in sentences:
            sys.stdout.write(to_conllu(sentence, {"parser": signature}))
    return 0
