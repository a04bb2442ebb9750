"""`hyperbaton counts`: N per perturbation and language, like Table 1 of the wordorder paper."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.progress import track
from hyperbaton.base.wording import counted, spreadsheet_text
from hyperbaton.cli.options.inputs import SIDES, add_format_options, read_items
from hyperbaton.cli.terminal.results import lined_up
from hyperbaton.cli.terminal.streams import say
from hyperbaton.cli.verbs.parse import add_parsing
from hyperbaton.language.languages import NAMES, parse_pair
from hyperbaton.language.sentence import Sentence

if TYPE_CHECKING:
    from hyperbaton.cli.options.inputs import Read, Reader
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

FORMATS = ("text", "markdown", "csv", "json")
ORDERS = ("PoS", "tree", "random")
RARE = 0.1
"""A word-order perturbation that applies to a smaller share of the items says little of them."""


@dataclass(frozen=True)
class Column:
    """One language of the table: how many items there were, and N for each perturbation."""

    name: str
    items: int
    counts: Counter[str]
    parsers: tuple[str, ...] = ()
    """Their signatures; the file where it was parsed already."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Files, a folder of pairs, or one pair; and how to parse what is not parsed."""
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
            note=say,
        )
        groups = pairs or [([file], [args.language or _language_of(file)]) for file in args.files]
        columns = [_column(args, *group, reader, perturbations) for group in groups]
    print(_table(columns, perturbations, args.format))
    for warning in _warnings(columns, perturbations):
        say(warning)
    return 0


def _pairs(args: argparse.Namespace) -> list[tuple[list[str], list[str]]]:
    """The files of source and reference, and their languages, of each pair."""
    if args.pairs:
        return _pairs_in(args.pairs)
    if not (args.source or args.reference):
        return []
    if not (args.source and args.reference and args.language):
        raise HyperbatonError("one pair takes all three: -s FILE -r FILE -l en-de")
    return [([args.source, args.reference], [*parse_pair(args.language)])]


def _pairs_in(folder: Path) -> list[tuple[list[str], list[str]]]:
    if not folder.is_dir():
        raise HyperbatonError(f"--pairs {folder}: there is no such folder")
    pairs = []
    for path in sorted(folder.iterdir()):
        match = re.fullmatch(r"(\w+)-(\w+)\.(\w+)(\.conllu)?(\.gz|\.xz|\.zst)?", path.name)
        if match and match[3] == match[1]:
            ending = f"{match[4] or ''}{match[5] or ''}"
            other = folder / f"{match[1]}-{match[2]}.{match[2]}{ending}"
            if not other.is_file():
                raise HyperbatonError(f"{path} has no counterpart {other.name}: add it")
            pairs.append(([str(path), str(other)], [match[1], match[2]]))
    if not pairs:
        raise HyperbatonError(f"--pairs {folder}: no files there are named like en-de.en, en-de.de")
    order = {language: number for number, language in enumerate(NAMES)}
    return sorted(pairs, key=lambda pair: order.get(pair[1][1], len(order)))


def _language_of(file: str) -> str:
    """The language that a file's name begins or ends with: de_pud.conllu, news.de."""
    parts = re.split(r"[_.\-]", Path(file).name)
    for part in (parts[0], *reversed(parts)):
        if part in NAMES:
            return part
    raise HyperbatonError(f"{file}: its name does not tell its language, add it: -l en")


def _column(
    args: argparse.Namespace,
    paths: list[str],
    languages: list[str],
    reader: Reader,
    perturbations: Sequence[Perturbation],
) -> Column:
    """The items of one file, or of both sides of a pair: a perturbation applies to all sides."""
    from hyperbaton.perturb.perturbation import perturb

    parsers: dict[str, None] = {}
    name = "-".join(languages)
    items = track(read_items(args, paths, languages), name if paths[1:] else Path(paths[0]).name)
    sides = [
        _noted(reader.sentences(stream, language, side), language, parsers)
        for stream, language, side in zip(tee(items, len(paths)), languages, SIDES, strict=False)
    ]
    counts: Counter[str] = Counter()
    number = 0
    for sentences in zip(*sides, strict=True):
        number += 1
        counts.update(
            str(perturbation)
            for perturbation in perturbations
            if all(perturb(sentence, perturbation) is not None for sentence in sentences)
        )
    return Column(name, number, counts, tuple(parsers))


def _noted(read: Iterable[Read], language: str, parsers: dict[str, None]) -> Iterator[Sentence]:
    """The sentences; their parsers are noted, each once."""
    for sentence, parser in read:
        parsers.setdefault(parser or f"{language} trees of the file|labels:{sentence.scheme}")
        yield sentence


def _warnings(columns: Sequence[Column], perturbations: Sequence[Perturbation]) -> Iterator[str]:
    """A warning for each language and each reordering of words that applies to very few items.

    Few are natural for marks or capitals; for words they mostly mean that the parser misses some.
    """
    for column in columns:
        for perturbation in perturbations:
            number = column.counts[str(perturbation)]
            if perturbation.category in ORDERS and number < RARE * column.items:
                yield (
                    f"{perturbation} applies to only {number} of {counted(column.items, 'item')} "
                    f"in {column.name}: scores of so few say little; check the parser's tags "
                    "(hyperbaton show) or try another parser"
                )


def _table(columns: Sequence[Column], perturbations: Sequence[Perturbation], form: str) -> str:
    """The table in one of the forms, and the parsers, each once."""
    if form == "json":
        entries = [
            {
                "name": column.name,
                "items": column.items,
                "parsers": column.parsers,
                "counts": {str(p): column.counts[str(p)] for p in perturbations},
            }
            for column in columns
        ]
        return json.dumps(entries, indent=2, ensure_ascii=False)
    rows = [
        ["perturbation", "category", *(column.name for column in columns)],
        ["(items)", "", *(str(column.items) for column in columns)],
        *(
            [str(p), p.category, *(str(column.counts[str(p)]) for column in columns)]
            for p in perturbations
        ),
    ]
    parsers = list(dict.fromkeys(parser for column in columns for parser in column.parsers))
    if form == "csv":
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(map(spreadsheet_text, r) for r in rows)
        return buffer.getvalue().rstrip("\n")
    if form == "markdown":
        rows.insert(1, ["---", "---", *["---:"] * len(columns)])
        table = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([*table, "", *(f"- `{parser}`" for parser in parsers)])
    return "\n".join([lined_up(rows, [False, False, *[True] * len(columns)]), "", *parsers])
