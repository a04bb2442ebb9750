"""`hyperbaton parse`: plain text in, CoNLL-U out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import tee
from pathlib import Path

from hyperbaton.progress import track

DESCRIPTION = "Parse text, one item a line, into CoNLL-U that every other command reads."
EXAMPLES = """\
  hyperbaton parse -l de news.de > news.de.conllu
  hyperbaton parse -l en -o news.en.conllu --workers 4 news.en.gz
  echo "Tom said nothing." | hyperbaton parse -l en
  hyperbaton parse -l ja --parser ginza news.ja
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is parsed, by whom, and where it goes."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="default: - (stdin)")
    parser.add_argument("-l", "--language", required=True, metavar="LANG")
    parser.add_argument("-o", "--output", type=Path, help="write a file whole instead of a stream")
    parser.add_argument("--parser", metavar="SPEC", help="e.g. spacy:de_core_news_lg, stanza:de")
    add_parsing(parser)


def add_parsing(parser: argparse.ArgumentParser) -> None:
    """What every command that parses understands."""
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="parse in N processes")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor keep parses")


def run(args: argparse.Namespace) -> int:
    """Parse a file or standard input as it comes."""
    from hyperbaton.corpus import open_corpus, to_conllu, write_conllu
    from hyperbaton.parsing import open_parser

    with open_parser(
        args.language, args.parser, cache=not args.no_cache, workers=args.workers
    ) as parser:
        first, second = tee(open_corpus(args.file, languages=[args.language]))
        texts: Iterator[str] = (item.source_text for item in first)
        ids = (item.id for item in second)
        sentences = track(parser.parse(texts, ids), f"parsing {args.language}")
        if args.output:
            write_conllu(args.output, sentences, parser.signature)
            return 0
        for sentence in sentences:
            sys.stdout.write(to_conllu(sentence, {"parser": parser.signature}))
    return 0
