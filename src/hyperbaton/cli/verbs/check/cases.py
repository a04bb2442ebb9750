"""Cases of earlier breaks, run again: none may break any more."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.cli.terminal.streams import say
from hyperbaton.cli.terminal.verdicts import Verdict

if TYPE_CHECKING:
    from hyperbaton.search.breaks import Break
    from hyperbaton.search.cases import Again, Case


def broken_again(args: argparse.Namespace, systems: Sequence[str]) -> Iterator[Verdict]:
    """A verdict for each case and system: those named, or else those that the cases are of.

    What holds in every system is written where --mended says.
    """
    from hyperbaton.search.breaks import BREAKS
    from hyperbaton.search.cases import breaks_beside, by_pair, read_cases, write_cases

    cases = read_cases(args.cases)
    if not cases:
        raise HyperbatonError(f"{args.cases} has no cases: there is nothing to run again")
    breaks = [BREAKS.parse(text) for text in args.breaks] or breaks_beside(args.cases)
    mended = dict.fromkeys(cases)
    for system in systems or tuple(dict.fromkeys(case.system for case in cases)):
        own = cases if systems else [case for case in cases if case.system == system]
        for pair, some in by_pair(own):
            found = _again(args, system, pair, some, breaks)
            for one in found:
                yield _verdict(one, system)
            held = {(one.case.source, one.case.varied) for one in found if not _is_bad(one)}
            for case in own:
                if case.pair == pair and (case.source, case.varied) not in held:
                    mended.pop(case, None)
    if args.mended is not None:
        write_cases(args.mended, mended)
        say(f"{args.mended} has {counted(len(mended), 'case')} that no longer break")


def _again(
    args: argparse.Namespace, system: str, pair: str, cases: Sequence[Case], breaks: Sequence[Break]
) -> list[Again]:
    from hyperbaton.language.languages import parse_pair
    from hyperbaton.search.breaks import likelihood_of
    from hyperbaton.search.cases import run_again
    from hyperbaton.systems.execution import translate_all
    from hyperbaton.systems.store.store import working_store
    from hyperbaton.systems.system import SYSTEMS

    store = nullcontext() if args.no_cache else working_store(args.cache)
    languages = parse_pair(pair)
    for one in breaks:
        one.refuse(languages)
    with SYSTEMS.parse(system).open(*languages) as translator, store as kept:
        translate = partial(translate_all, translator, store=kept)
        return run_again(cases, translate, breaks, likelihood_of(translator))


def _is_bad(one: Again) -> bool:
    return bool(one.why or one.fault)


def _verdict(one: Again, system: str) -> Verdict:
    case, told = one.case, {"source": one.case.source, "varied": one.case.varied}
    if one.output is not None:
        told |= {"translation": one.output, "of the varied": one.varied_output or ""}
    return Verdict(
        "undecided" if one.fault else "failed" if one.why else "ok",
        f"{system} {case.pair}",
        f"case {case.item}, {case.kind}",
        f"has no translation: {one.fault}"
        if one.fault
        else f"breaks again: {one.why}"
        if one.why
        else "holds",
        [f"{name}: {text}" for name, text in told.items()] if _is_bad(one) else (),
        {"system": system, "change": case.change, **told},
        quiet=True,
    )
