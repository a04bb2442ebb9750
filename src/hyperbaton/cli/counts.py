"""`hyperbaton counts`: N per perturbation and language, like Table 1 of the wordorder paper."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, tee
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from hyperbaton.cli.parse import add_parsing
from hyperbaton.errors import HyperbatonError
from hyperbaton.languages import NAMES, parse_pair
from hyperbaton.progress import track
from hyperbaton.sentence import Sentence

if TYPE_CHECKING:
    from hyperbaton.cli.counting import Column
    from hyperbaton.corpus import Item
    from hyperbaton.parsing import Parser
    from hyperbaton.perturb.perturbation import Perturbation

Side = Literal["source", "reference"]

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
    from hyperbaton.cli.counting import FORMATS

    parser.add_argument("files", nargs="*", metavar="FILE", help="parsed (.conllu) or plain text")
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
    parser.add_argument(
        "--parser", action="append", default=[], metavar="LANG=SPEC", help="instead of the default"
    )
    parser.add_argument("--format", choices=FORMATS, default="text")
    add_parsing(parser)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from hyperbaton.cli.counting import render
    from hyperbaton.perturb.groups import parse_all

    perturbations = parse_all(args.perturbations or ["wordorder"])
    pairs = _pairs(args)
    if bool(pairs) == bool(args.files):
        raise HyperbatonError(
            "give parsed files, or --pairs DIR, or -s FILE -r FILE -l en-de: "
            "see hyperbaton counts --help"
        )
    with ExitStack() as stack:
        parsers = _Parsers(args, stack)
        if pairs:
            columns = [_pair_column(*pair, parsers, perturbations) for pair in pairs]
        else:
            columns = [_file_column(f, args.language, parsers, perturbations) for f in args.files]
    print(render(columns, perturbations, args.format))
    return 0


class _Parsers:
    """The parser of each language, opened when a text of it turns up."""

    def __init__(self, args: argparse.Namespace, stack: ExitStack) -> None:
        self._args = args
        self._stack = stack
        self._open: dict[str, Parser] = {}
        self._named = dict(_named(text) for text in args.parser)

    def of(self, language: str) -> Parser:
        from hyperbaton.parsing import open_parser

        if language not in self._open:
            parser = open_parser(
                language,
                self._named.get(language),
                cache=not self._args.no_cache,
                workers=self._args.workers,
            )
            self._open[language] = self._stack.enter_context(parser)
        return self._open[language]


def _named(text: str) -> tuple[str, str]:
    language, equals, spec = text.partition("=")
    if not (equals and language and spec):
        raise HyperbatonError(f"--parser {text}: write it as LANG=SPEC, de=spacy:de_core_news_lg")
    return language, spec


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
    source: str,
    reference: str,
    from_language: str,
    to_language: str,
    parsers: _Parsers,
    perturbations: Sequence[Perturbation],
) -> Column:
    from hyperbaton.cli.counting import Column, count_pairs
    from hyperbaton.corpus import open_corpus

    signatures: dict[str, None] = {}
    items = open_corpus(source, reference, languages=[from_language, to_language])
    left, right = tee(track(items, f"{from_language}-{to_language}"))
    sources = _parsed(left, "source", from_language, parsers, signatures)
    references = _parsed(right, "reference", to_language, parsers, signatures)
    counts = count_pairs(zip(sources, references, strict=True), perturbations)
    return Column(f"{from_language}-{to_language}", counts[""], counts, tuple(signatures))


def _file_column(
    file: str, language: str | None, parsers: _Parsers, perturbations: Sequence[Perturbation]
) -> Column:
    from hyperbaton.cli.counting import Column, count
    from hyperbaton.corpus import open_corpus

    known = language or _language_of(file)
    signatures: dict[str, None] = {}
    items = track(open_corpus(file, languages=[known]), Path(file).name)
    counts = count(_parsed(items, "source", known, parsers, signatures), perturbations)
    return Column(known, counts[""], counts, tuple(signatures))


def _language_of(file: str) -> str:
    """The language that a file's name begins or ends with: de_pud.conllu, news.de."""
    parts = re.split(r"[_.\-]", Path(file).name)
    for part in (parts[0], *reversed(parts)):
        if part in NAMES:
            return part
    raise HyperbatonError(f"{file}: its name tells no language, give it with -l")


def _parsed(
    items: Iterable[Item], side: Side, language: str, parsers: _Parsers, signatures: dict[str, None]
) -> Iterator[Sentence]:
    """The sentences of one side; those of CoNLL-U are parsed already."""
    stream = iter(items)
    first = next(stream, None)
    if first is None:
        return
    whole = chain([first], stream)
    if isinstance(getattr(first, side), Sentence):
        for item in whole:
            sentence: Sentence = getattr(item, side)
            given = f"{language} trees of the file|labels:{sentence.scheme}"
            signatures.setdefault(item.columns.get("parser", given))
            yield sentence
        return
    parser = parsers.of(language)
    signatures.setdefault(parser.signature)
    texts, names = tee(whole)
    yield from parser.parse((getattr(item, side) for item in texts), (item.id for item in names))
