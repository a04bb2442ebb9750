"""`hyperbaton counts`: N per perturbation and language, like Table 1 of the wordorder paper."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.progress import track
from hyperbaton.cli.options.inputs import add_format_options, read_items
from hyperbaton.cli.verbs.parse import add_parsing
from hyperbaton.language.languages import NAMES, parse_pair
from hyperbaton.language.sentence import Sentence

if TYPE_CHECKING:
    from hyperbaton.cli.options.inputs import Read, Reader
    from hyperbaton.cli.terminal.counting import Column
    from hyperbaton.perturb.perturbation import Perturbation

DESCRIPTION = "Count how many items each perturbation applies to, per language."
EXAMPLES = """\
  hyperbaton counts treebanks/*.conllu
  hyperbaton counts --pairs corpora/tatoeba --workers 2 --format markdown
  hyperbaton counts -s news.en -r news.de -l en-de
  hyperbaton counts -l en --with nounSwaps --with surface news.en
  hyperbaton counts --pairs corpora --parser de=spacy:de_core_news_lg

A pair counts where the perturbation applies to source and reference both. --pairs takes a folder
of line-aligned files named en-de.en and en-de.de.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Files, a folder of pairs, or one pair; and how to parse what is not parsed."""
    from hyperbaton.cli.terminal.counting import FORMATS

    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="parsed (.conllu), text or a table, - for stdin"
    )
    parser.add_argument(
        "--pairs", type=Path, metavar="DIR", help="files such as en-de.en, en-de.de"
    )
    parser.add_argument("-s", "--source", metavar="FILE", help="source side of one pair")
    parser.add_argument("-r", "--reference", metavar="FILE", help="reference side of that pair")
    parser.add_argument(
        "-l", "--language", metavar="LANG", help="of the files, or of the pair as en-de"
    )
    parser.add_argument(
        "--with",
        dest="perturbations",
        action="append",
        metavar="NAME",
        help="perturbation or group (repeat; default: wordorder)",
    )
    parser.add_argument("--format", choices=FORMATS, default="text")
    add_format_options(parser, reference=True)
    add_parsing(parser)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from hyperbaton.cli.options.inputs import Reader
    from hyperbaton.cli.terminal.counting import render, starved
    from hyperbaton.perturb import needed, parse_all

    perturbations = parse_all(args.perturbations or ["wordorder"])
    pairs = _pairs(args)
    if bool(pairs) == bool(args.files):
        raise HyperbatonError(
            "give parsed files, or --pairs DIR, or -s FILE -r FILE -l en-de: "
            "see hyperbaton counts --help"
        )
    with ExitStack() as stack:
        reader = Reader(
            stack,
            need=needed(perturbations),
            parsers=args.parser,
            cache=not args.no_cache,
            workers=args.workers,
            note=_note,
        )
        if pairs:
            columns = [_pair_column(args, *pair, reader, perturbations) for pair in pairs]
        else:
            columns = [_file_column(args, file, reader, perturbations) for file in args.files]
    print(render(columns, perturbations, args.format))
    for warning in starved(columns, perturbations):
        _note(warning)
    return 0


def _pairs(args: argparse.Namespace) -> list[tuple[str, str, str, str]]:
    """(source file, reference file, source language, target language) of each pair."""
    if args.pairs:
        return _pairs_in(args.pairs)
    if not (args.source or args.reference):
        return []
    if not (args.source and args.reference and args.language):
        raise HyperbatonError("one pair takes all three: -s FILE -r FILE -l en-de")
    return [(args.source, args.reference, *parse_pair(args.language))]


def _pairs_in(folder: Path) -> list[tuple[str, str, str, str]]:
    if not folder.is_dir():
        raise HyperbatonError(f"--pairs {folder}: there is no such folder")
    found = []
    for path in sorted(folder.iterdir()):
        match = re.fullmatch(r"(\w+)-(\w+)\.(\w+)(\.conllu)?(\.gz|\.xz|\.zst)?", path.name)
        if match and match[3] == match[1]:
            ending = f"{match[4] or ''}{match[5] or ''}"
            other = folder / f"{match[1]}-{match[2]}.{match[2]}{ending}"
            if not other.is_file():
                raise HyperbatonError(f"{path} has no counterpart {other.name}: add it")
            found.append((str(path), str(other), match[1], match[2]))
    if not found:
        raise HyperbatonError(f"--pairs {folder}: no files there are named like en-de.en, en-de.de")
    order = list(NAMES)
    return sorted(found, key=lambda p: order.index(p[3]) if p[3] in order else len(order))


def _pair_column(
    args: argparse.Namespace,
    source: str,
    reference: str,
    from_language: str,
    to_language: str,
    reader: Reader,
    perturbations: Sequence[Perturbation],
) -> Column:
    from hyperbaton.cli.terminal.counting import Column, count_pairs

    signatures: dict[str, None] = {}
    name = f"{from_language}-{to_language}"
    left, right = tee(
        track(read_items(args, [source, reference], [from_language, to_language]), name)
    )
    sources = reader.sentences(left, from_language, "source")
    references = reader.sentences(right, to_language, "reference")
    counts = count_pairs(
        zip(
            _noted(sources, from_language, signatures),
            _noted(references, to_language, signatures),
            strict=True,
        ),
        perturbations,
    )
    return Column(name, counts[""], counts, tuple(signatures))


def _file_column(
    args: argparse.Namespace, file: str, reader: Reader, perturbations: Sequence[Perturbation]
) -> Column:
    from hyperbaton.cli.terminal.counting import Column, count

    language = args.language or _language_of(file)
    signatures: dict[str, None] = {}
    items = track(read_items(args, [file], [language]), Path(file).name)
    sentences = _noted(reader.sentences(items, language), language, signatures)
    counts = count(sentences, perturbations)
    return Column(language, counts[""], counts, tuple(signatures))


def _language_of(file: str) -> str:
    """The language that a file's name begins or ends with: de_pud.conllu, news.de."""
    parts = re.split(r"[_.\-]", Path(file).name)
    for part in (parts[0], *reversed(parts)):
        if part in NAMES:
            return part
    raise HyperbatonError(f"{file}: its name does not tell its language, add it: -l en")


def _noted(read: Iterable[Read], language: str, signatures: dict[str, None]) -> Iterator[Sentence]:
    """The sentences; who parsed them is noted, each parser once."""
    for sentence, parser in read:
        signatures.setdefault(parser or f"{language} trees of the file|labels:{sentence.scheme}")
        yield sentence


def _note(text: str) -> None:
    print(f"hyperbaton: {text}", file=sys.stderr)
