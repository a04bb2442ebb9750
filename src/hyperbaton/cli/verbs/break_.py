"""`hyperbaton break`: the smallest change of each sentence that breaks its translation."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from math import isfinite
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.options import natural, positive
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.inputs import (
    Reader,
    add_cache_option,
    add_format_options,
    add_parser_option,
    read_items,
)
from hyperbaton.cli.options.study import command_line
from hyperbaton.cli.terminal.streams import say
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import parse_pair, writes_spaces
from hyperbaton.language.sentence import Sentence
from hyperbaton.search.breaks import BREAKS
from hyperbaton.search.candidates import KINDS, Material, known_words
from hyperbaton.search.cases import CASES, Case
from hyperbaton.search.changes import kind_text
from hyperbaton.search.folder import Folder, Searched, search_folder
from hyperbaton.search.hunt import Trial
from hyperbaton.search.searching import (
    BUDGET,
    Search,
    Watch,
    case_from,
    kind_named,
    search_all,
    tried,
)
from hyperbaton.search.summary import Median, Share, Summary, summary
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.system import SYSTEMS, Translator

DESCRIPTION = """\
Find for each sentence the smallest change after which its translation no longer says the same: a
letter, the case of a word, a mark, a space, a word typed twice, two words in the wrong order, a
learner's error, or several of these. Of several, none can be undone: without it the translation
says the same again. With --out, what is found is a file of cases and a page, and a search that was
stopped is resumed.
"""
EXAMPLES = """\
  hyperbaton break -l en-de --system bundled "I must think about it."
  hyperbaton break -l en-de --system bundled --limit 20 --out runs/breaks news.en
  hyperbaton break -l en-de --system bundled --under case --under "final mark" --limit 20 news.en
  hyperbaton break -l en-de --system bundled --breaks lost --breaks number --limit 20 news.en

A sentence breaks when its two translations are less alike than chrF 0.4, unless the system itself
finds the second one a likely translation of the sentence; or when a number or the negation is gone,
or nothing, no translation or endless repetition comes back. --breaks names other reasons
(hyperbaton ls breaks). docs/break.md says how often a reader agrees."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("texts", nargs="*", help="files or one sentence (default: standard input)")
    parser.add_argument(
        "--system",
        dest="systems",
        action="append",
        required=True,
        metavar="SYSTEM",
        help="repeat to compare systems; see: hyperbaton ls systems",
    )
    parser.add_argument(
        "-l", "--languages", required=True, metavar="SRC-TGT", help="language pair, such as en-de"
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="RUN", help="folder of cases and page; resumed if there"
    )
    parser.add_argument(
        "--budget",
        type=natural,
        default=BUDGET,
        metavar="N",
        help=f"translations of a sentence (default: {BUDGET}); undoing steps comes on top",
    )
    parser.add_argument(
        "--under",
        action="append",
        type=kind_named,
        default=[],
        metavar="KIND",
        help=f"only these kinds of change (repeat): {', '.join(map(kind_text, KINDS))}",
    )
    parser.add_argument(
        "--breaks",
        action="append",
        type=BREAKS.parse,
        default=[],
        metavar="REASON",
        help="what counts as broken (repeat), e.g. similarity:chrF(below=0.3), lost, number",
    )
    parser.add_argument("--whole", action="store_true", help="do not shorten sentences")
    parser.add_argument("--limit", type=positive, metavar="N", help="only the first N sentences")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_format_options(parser)
    add_parser_option(parser)
    parser.add_argument(
        "--no-cache", action="store_true", help="do not read or write stored translations"
    )
    add_cache_option(parser)


def run(args: argparse.Namespace) -> int:
    """Search all sentences with all systems; the exit status is 1 when something is not known."""
    pair = parse_pair(args.languages)
    search = Search(
        pair,
        tuple(args.breaks),
        tuple(dict.fromkeys(args.under)) or tuple(KINDS),
        args.budget,
        args.seed,
        not args.whole,
    )
    for one in args.breaks:
        one.refuse(pair)
    systems = {str(system): system for system in map(SYSTEMS.parse, args.systems)}
    with ExitStack() as stack:
        sentences, parser = _sentences(args, pair[0], stack)
        opened = {n: stack.enter_context(s.open(*pair)) for n, s in systems.items()}
        store = None if args.no_cache else stack.enter_context(working_store(args.cache))
        signatures = {name: translator.signature for name, translator in opened.items()}
        folder = stack.enter_context(search_folder(args.out, search, parser, signatures))
        words = known_words(pair[0])
        materials = [Material(sentence, words, args.seed) for sentence in sentences]
        for name, translator in opened.items():
            _search(materials, name, translator, search, store, folder)
        searched = folder.finish(opened, [one.sentence.id for one in materials])
        told = [summary(name, searched, search.kinds) for name in opened]
        if args.out is not None:
            _write_page(args.out, told, searched, opened, search, store)
    single = len(materials) == 1
    if args.format == "json":
        print(json.dumps([_row(one, searched) for one in told], ensure_ascii=False, indent=2))
    else:
        for one in told:
            print(_single(one) if single else _several(one))
    return 1 if any(one.cautions() for one in told) else 0


def _sentences(
    args: argparse.Namespace, language: str, stack: ExitStack
) -> tuple[list[Sentence], str]:
    """The sentences that were given, and who cut them into words."""
    reader = Reader(stack, need="words", parsers=args.parser, cache=not args.no_cache, note=say)
    items = _items(args, language)
    read = []
    for one in reader.sentences(items, language):
        if one.sentence.text.strip():
            read.append(one)
        if len(read) == args.limit:
            break
    if not read:
        raise HyperbatonError("there is no sentence to search: the input is empty")
    seen: set[str] = set()
    for one in read:
        if one.sentence.id in seen:
            raise HyperbatonError(f"the id '{one.sentence.id}' comes twice: give each its own")
        seen.add(one.sentence.id)
    return [one.sentence for one in read], read[0].parser


def _items(args: argparse.Namespace, language: str) -> Iterator[Item]:
    """The items of files, or the one sentence."""
    sentences = [text for text in args.texts if _is_sentence(text.strip(), language)]
    if sentences and len(args.texts) > 1:
        raise HyperbatonError("give files or one sentence in quotes, not both")
    if sentences:
        return iter([Item("1", sentences[0].strip())])
    return read_items(args, args.texts, [language])


def _is_sentence(text: str, language: str) -> bool:
    """Whether an argument is a sentence and names no file."""
    spaced = " " in text or not (writes_spaces(language) or text.isascii())
    return spaced and not os.path.exists(text)


def _search(
    materials: list[Material],
    name: str,
    translator: Translator,
    search: Search,
    store: Store | None,
    folder: Folder,
) -> None:
    """Search what was not searched before; the bar says what was found so far."""
    from hyperbaton.base.progress import progress

    known = [folder.known(name, one.sentence.id, one.words.text) for one in materials]
    before = [one for one in known if one is not None and one.is_complete]
    pairs = zip(materials, known, strict=True)
    left = [one for one, done in pairs if done is None or not done.is_complete]
    again = any(one is not None and not one.is_complete for one in known)
    watch = Watch(broken=sum(bool(one.cases) for one in before))
    try:

        def so_far() -> str:
            return f"{name}: {watch.broken:,} of {counted(len(materials), 'sentence')} broken"

        with progress(so_far, search.budget * len(materials)) as watch.advance:
            watch.advance(len(before) * search.budget)
            for material, hunted in search_all(left, translator, search, store, watch, again):
                cases = tuple(case_from(material, one, search, name) for one in hunted.broken)
                identity = (name, material.sentence.id, material.words.text)
                failed = len(hunted.failed)
                folder.add(
                    Searched(*identity, hunted.trials, hunted.output, cases, failed, hunted.steady)
                )
    except KeyboardInterrupt:
        if folder.path is not None:
            say("what was found is kept: run the same command again to resume")
        raise
    if watch.fault:
        say(f"{name}: the last text without a translation: {printable(watch.fault)}")


def _write_page(
    folder: Path,
    told: list[Summary],
    searched: list[Searched],
    opened: Mapping[str, Translator],
    search: Search,
    store: Store | None,
) -> None:
    """The page, with every case through all systems."""
    from hyperbaton.report import write_report
    from hyperbaton.search.page import PAGE, Crossed, contents

    cases = [case for one in searched for case in one.cases]
    crossed = [Crossed(c, c.system, c.output, c.varied_output, c.why) for c in cases]
    for name, translator in opened.items():
        others = [case for case in cases if case.system != name]
        trials = [Trial(case.source, case.varied) for case in others]
        for case, verdict in zip(others, tried(trials, translator, search, store), strict=True):
            if verdict is not None:
                crossed.append(
                    Crossed(case, name, verdict.output, verdict.varied_output, verdict.why)
                )
    write_report(contents(told, crossed, search, command_line()), folder / PAGE)
    say(f"the cases are in {folder / CASES}, the page is {folder / PAGE}")


def _single(told: Summary) -> str:
    """What was found in one sentence."""
    head = "; ".join([f"{told.system}: {counted(told.trials, 'translation')}", *told.cautions()])
    if not told.broken.of:
        return head
    if not told.shortest:
        return f"{head}; none of the changes that were tried breaks it"
    cases = sorted(told.shortest.values(), key=lambda case: (case.size, len(case.source)))
    return "\n\n".join([head, *map(_case, cases)])


def _case(case: Case) -> str:
    """Both sentences with their translations."""
    steps = f", {case.size} steps" if case.size > 1 else ""
    rows = ((case.source, case.output), (case.varied, case.varied_output))
    width = max(len(printable(left)) for left, _ in rows)
    lines = [f"  {printable(left):<{width}}  →  {printable(right)}" for left, right in rows]
    return "\n".join([f"{case.kind}{steps}: {case.why}", *lines])


def _several(told: Summary) -> str:
    """What was found in several sentences: how many by what, the shortest example of each."""
    lines = [f"{told.system}: {counted(told.trials, 'translation')}", *told.cautions()]
    if not told.broken.of:
        return "\n".join(lines)
    lines.append(f"{told.broken} sentences break")
    if told.shortest:
        steps = "step" if told.size.value == told.size.high == 1 else "steps"
        lines.append(f"smallest change: {told.size} {steps} (median)")
    width = max(map(len, told.kinds))
    lines += [f"  {kind:<{width}}  {one}" for kind, one in told.kinds.items()]
    return "\n".join(lines) + "".join(f"\n\n{_case(case)}" for case in told.shortest.values())


def _row(told: Summary, searched: list[Searched]) -> dict[str, object]:
    """The same as JSON holds it."""
    cases = [case for one in searched if one.system == told.system for case in one.cases]
    return {
        "system": told.system,
        "translations": told.trials,
        "untranslated": told.untranslated,
        "failed": told.failed,
        "unsteady": told.unsteady,
        "alike": told.alike,
        "broken": _numbers(told.broken),
        "size": _numbers(told.size),
        "kinds": {kind: _numbers(one) for kind, one in told.kinds.items()},
        "cases": [json.loads(case.line()) for case in cases],
    }


def _numbers(one: Share | Median) -> dict[str, float | None]:
    """An estimate as JSON holds it: what is no number is null."""
    return {key: value if isfinite(value) else None for key, value in one._asdict().items()}
