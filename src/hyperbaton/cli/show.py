"""`hyperbaton show`: one sentence, its tree, and what every perturbation makes of it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING

from hyperbaton.cli.arcs import draw_arcs
from hyperbaton.cli.inputs import add_parser_option
from hyperbaton.cli.moved import moved_units, spans_of
from hyperbaton.cli.sentences import Reader
from hyperbaton.corpus import Item, read_conllu
from hyperbaton.errors import HyperbatonError, did_you_mean
from hyperbaton.perturb import Perturbation, Reordering, Variant, parse_all, perturb
from hyperbaton.sentence import Sentence

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

DESCRIPTION = """\
Show a sentence, its dependency tree, and what every perturbation makes of it. Moved words are in
colour on a terminal and in [brackets] elsewhere.
"""
EXAMPLES = """\
  hyperbaton show "Tom said that he would go home soon."
  hyperbaton show -l de "Gestern hat Tom den alten Hund gesehen." --with wordorder
  hyperbaton show --conllu ja_pud.conllu -l ja --id n01001013
"""

EVERYTHING = (
    *("wordorder", "FullShuffle", "PhraseShuffle(p=0.3)", "NeighbourFlip(p=0.3)"),
    *("PhraseShuffle(p=0.5, unit=word)", "NeighbourFlip(p=0.5, unit=word)", "surface"),
)
HEADINGS = {
    "tree": "tree",
    "random": "random",
    "PoS": "parts of speech",
    "unit": "characters and units",
    "surface": "surface",
    "control": "control",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The sentence, from the command line or a parsed file."""
    parser.add_argument("text", nargs="?", help="the sentence (- for a line of standard input)")
    parser.add_argument("-l", "--language", help="default: en, or what the parsed file says")
    parser.add_argument("--conllu", metavar="FILE", help="take a parsed sentence from this file")
    parser.add_argument("--id", help="id of the sentence in the file (default: the first)")
    parser.add_argument(
        "--with",
        dest="names",
        action="append",
        metavar="NAME",
        help="only this perturbation or group, repeat for more (default: all)",
    )
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    add_parser_option(parser)
    parser.add_argument("--no-cache", action="store_true", help="do not read or store parses")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(args: argparse.Namespace) -> int:
    """Print the sentence, the tree and the variants."""
    perturbations = parse_all(args.names or EVERYTHING)
    sentence = _sentence(args, perturbations)
    console = _console(args.color)
    _show_tree(console, sentence)
    width = max((len(str(p)) for p in perturbations), default=0)
    for category, members in groupby(perturbations, key=lambda p: p.category):
        console.print()
        console.print(HEADINGS.get(category, category), style="bold")
        for perturbation in members:
            variant = perturb(sentence, perturbation, seed=args.seed)
            _show_variant(console, sentence, perturbation, variant, width)
    return 0


def _sentence(args: argparse.Namespace, perturbations: list[Perturbation]) -> Sentence:
    if args.conllu is not None:
        if args.text is not None:
            raise HyperbatonError("give either a sentence or --conllu FILE, not both")
        return _from_file(args.conllu, args.id, args.language)
    text = sys.stdin.readline() if args.text == "-" else args.text
    if text is None or not text.strip():
        raise HyperbatonError('which sentence? hyperbaton show "Tom said that he would go home."')
    with ExitStack() as stack:
        reader = Reader(stack, parsers=args.parser, cache=not args.no_cache)
        return next(reader.sentences([Item("1", text)], args.language or "en")).sentence


def _from_file(path: str, name: str | None, language: str | None) -> Sentence:
    near = set()
    for item in read_conllu(path, language):
        if (name is None or item.id == name) and isinstance(item.source, Sentence):
            return item.source
        near.add(item.id)
    raise HyperbatonError(f"{path} has no sentence '{name}'.{did_you_mean(name or '', near)}")


def _console(color: str) -> Console:
    from rich.console import Console

    forced = {"always": True, "never": False}.get(color)
    wished = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    terminal = wished if forced is None else forced
    # Nothing is wrapped where nobody looks on; rich would cut at 80 columns.
    width = None if sys.stdout.isatty() else 1_000_000
    return Console(
        force_terminal=terminal, no_color=not terminal, width=width, highlight=False, emoji=False
    )


def _show_tree(console: Console, sentence: Sentence) -> None:
    from rich.cells import cell_len
    from rich.text import Text

    console.print(Text(sentence.text, style="bold"), soft_wrap=True)
    if sentence.heads is None or sentence.deps is None:
        return
    console.print()
    arcs = draw_arcs(sentence.heads)
    upos = sentence.upos or ("",) * len(sentence)
    widest = max(map(cell_len, sentence.words), default=0)
    tags, reach = max(map(len, upos), default=0), max(map(len, arcs), default=0)
    for i, word in enumerate(sentence.words):
        if i in sentence.starts[1:]:
            console.print()
        line = Text("  " + word + " " * (widest - cell_len(word) + 1))
        line.append(f"{upos[i]:<{tags}} ", style="cyan")
        line.append(f"{arcs[i]:<{reach}} ", style="dim")
        line.append(sentence.deps[i], style="green")
        console.print(line, soft_wrap=True)


def _show_variant(
    console: Console,
    sentence: Sentence,
    perturbation: Perturbation,
    variant: Variant | None,
    width: int,
) -> None:
    from rich.text import Text

    name = f"  {perturbation!s:<{width}}  "
    if variant is None:
        text = Text("does not apply", style="dim")
    elif not variant.changed:
        text = Text.assemble(variant.text, ("  (unchanged)", "dim"))
    else:
        text = _marked(sentence, perturbation, variant, color=not console.no_color)
    room = max(console.width - len(name), 20)
    for number, line in enumerate(text.wrap(console, room)):
        line.rstrip()
        start = Text(name, style="cyan") if number == 0 else " " * len(name)
        console.print(Text.assemble(start, line), soft_wrap=True)


def _marked(sentence: Sentence, perturbation: Perturbation, variant: Variant, color: bool) -> Text:
    """The variant with what was moved in colour, or moved words in brackets."""
    from rich.text import Text

    if variant.order is None or not isinstance(perturbation, Reordering):
        return Text(variant.text)
    units = perturbation.units(sentence)
    spans = spans_of([units[i] for i in variant.order], variant.text)
    runs = list(_runs(moved_units(variant.order), spans))
    if color:
        text = Text(variant.text)
        for start, end in runs:
            text.stylize("bold yellow", start, end)
        return text
    if variant.unit != "word":
        return Text(variant.text)
    plain = variant.text
    for start, end in reversed(runs):
        plain = f"{plain[:start]}[{plain[start:end]}]{plain[end:]}"
    return Text(plain)


def _runs(moved: frozenset[int], spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of moved units, neighbours that stood together before or not joined to one."""
    start = None
    for place in range(len(spans) + 1):
        if place in moved:
            start = place if start is None else start
        elif start is not None:
            yield spans[start][0], spans[place - 1][1]
            start = None
