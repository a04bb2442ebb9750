"""`hyperbaton show`: one sentence, what every perturbation makes of it, and every translator."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.given import name_in, several, told, whole_number, yes_or_no
from hyperbaton.cli.options.inputs import Reader, add_parser_option
from hyperbaton.cli.terminal.marking import console_for, draw_arcs, print_named, varied_text
from hyperbaton.cli.terminal.streams import say
from hyperbaton.corpus.columns import texts_in
from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import checked_language, parse_pair
from hyperbaton.language.sentence import Need, Sentence
from hyperbaton.perturb import Perturbation, needed, parse_all, perturb
from hyperbaton.systems.programs.function import Systems, names_of

if TYPE_CHECKING:
    from rich.console import Console

    from hyperbaton.parsing.parser import ParserSpec
DESCRIPTION = """\
Show a sentence, its dependency tree, and what every perturbation makes of it. Moved words are in
colour on a terminal and in [brackets] elsewhere. With --system, show instead how translators put
the sentence and its variants into another language, and what became of each: repaired (the words
in the right order again), carried over (the odd order is still there), lost (the content is gone),
mixed, untranslated (the source copied, or another language than asked), or empty.
"""
EXAMPLES = """\
  hyperbaton show "Tom said that he would go home soon."
  hyperbaton show -l de "Gestern hat Tom den alten Hund gesehen." --with wordorder
  hyperbaton show --conllu ja_pud.conllu -l ja --id n01001013
  hyperbaton show --system bundled -l en-de "The old baker opens his shop early."
  hyperbaton show --system bundled --system gloss -l en-fr --with reversed \\
      --reference "Le vieux boulanger ouvre tôt." "The old baker opens early."
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
    parser.add_argument(
        "-l",
        "--language",
        help="default: en, or what the parsed file says; with --system a pair, such as en-de",
    )
    parser.add_argument(
        "--system",
        dest="systems",
        action="append",
        default=[],
        metavar="SYSTEM",
        help="translate the sentence and its variants; repeat to compare systems",
    )
    parser.add_argument(
        "--reference", metavar="TEXT", help="a reference translation; with --system, adds β1 and β2"
    )
    parser.add_argument("--conllu", metavar="FILE", help="take a parsed sentence from this file")
    parser.add_argument("--id", help="id of the sentence in the file (default: the first)")
    parser.add_argument(
        "--with",
        dest="names",
        action="append",
        metavar="NAME",
        help="only this perturbation or group, repeat for more (default: all; with --system the 16 "
        "of the word-order study)",
    )
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    add_parser_option(parser)
    parser.add_argument(
        "--no-cache", action="store_true", help="do not read or store parses and translations"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(args: argparse.Namespace) -> int:
    """Print the sentence, the tree and the variants; with systems, what they make of them."""
    if args.systems:
        return _translated(args)
    if args.reference is not None:
        raise HyperbatonError("--reference is for --system: name a system, or leave it out")
    perturbations = parse_all(args.names or EVERYTHING)
    need = needed(perturbations)
    # Its tree is shown too, so it is parsed where that can be.
    sentence = _sentence(args, args.language, "words" if need == "text" else need)
    console = console_for(args.color)
    _show_tree(console, sentence)
    width = max((len(str(p)) for p in perturbations), default=0)
    for category, members in groupby(perturbations, key=lambda p: p.category):
        console.print()
        console.print(HEADINGS.get(category, category), style="bold")
        for perturbation in members:
            variant = perturb(sentence, perturbation, seed=args.seed)
            text = varied_text(console, sentence, perturbation, variant)
            print_named(console, f"  {perturbation!s:<{width}}  ", text)
    return 0


def show(
    text: str,
    perturbations: str | Perturbation | Sequence[str | Perturbation] = (),
    *,
    language: str | None = None,
    system: Systems = (),
    reference: str | None = None,
    seed: int = 0,
    parser: str | ParserSpec | None = None,
    cached: bool = True,
) -> None:
    """Print a sentence, its tree and its variants; with systems, what they make of each.

    As `hyperbaton show` does. With systems `language` is a pair, such as `en-de`.
    """
    if not isinstance(text, str):
        raise HyperbatonError(f"show takes one sentence, not {told(text)}")
    if not isinstance(reference, str | None):
        raise HyperbatonError(f"reference must be a text, not {told(reference)}")
    texts_in((text, reference or ""), "show")
    names = several(perturbations, "perturbations")
    shown = argparse.ArgumentParser()
    add_arguments(shown)
    args = shown.parse_args([])
    args.text = f"{text} " if text == "-" else text
    args.names = [p if isinstance(p, Perturbation) else str(p) for p in names]
    args.language = None if language is None else name_in(language, "language")
    args.systems, args.reference = names_of(system), reference
    args.parser = {} if parser is None else {"": name_in(parser, "parser")}
    args.seed, args.no_cache = whole_number(seed, "seed"), not yes_or_no(cached, "cached")
    run(args)


def _translated(args: argparse.Namespace) -> int:
    """The sentence and its variants through every system."""
    from hyperbaton.cli.terminal.translations import Comparison, show_translations

    if args.language is None:
        raise HyperbatonError("which languages? Name the pair for --system: -l en-de")
    pair = parse_pair(args.language)
    perturbations = tuple(parse_all(args.names or ("wordorder",)))
    need = needed(perturbations)
    reference = None
    if args.reference is not None:
        if not args.reference.strip():
            raise HyperbatonError("--reference is empty: give a translation, or leave it out")
        reference = _parsed(args, args.reference, pair[1], need)
    asked = Comparison(
        systems=tuple(dict.fromkeys(args.systems)),
        pair=pair,
        sentence=_sentence(args, pair[0], need),
        perturbations=perturbations,
        seed=args.seed,
        reference=reference,
        cached=not args.no_cache,
        written=args.text,
    )
    return show_translations(console_for(args.color), asked)


def _sentence(args: argparse.Namespace, language: str | None, need: Need) -> Sentence:
    if args.conllu is not None:
        if args.text is not None:
            raise HyperbatonError("give either a sentence or --conllu FILE, not both")
        return _from_file(args.conllu, args.id, language)
    if args.text == "-":
        args.text = sys.stdin.readline().rstrip("\r\n")
    text = args.text
    if text is None or not text.strip():
        raise HyperbatonError('which sentence? hyperbaton show "Tom said that he would go home."')
    return _parsed(args, text, checked_language(language or "en"), need)


def _parsed(args: argparse.Namespace, text: str, language: str, need: Need) -> Sentence:
    with ExitStack() as stack:
        cache = not args.no_cache
        reader = Reader(stack, need=need, parsers=args.parser, cache=cache, note=say)
        return next(reader.sentences([Item("1", text)], language)).sentence


def _from_file(path: str, name: str | None, language: str | None) -> Sentence:
    near = set()
    for item in read_conllu(path, language):
        if (name is None or item.id == name) and isinstance(item.source, Sentence):
            return item.source
        near.add(item.id)
    raise HyperbatonError(f"{path} has no sentence '{name}'.{did_you_mean(name or '', near)}")


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
