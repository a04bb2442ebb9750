"""`hyperbaton cache`: what is stored, how to delete it, and how to save it when it is damaged."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from hyperbaton.base.database import Damaged, complaint
from hyperbaton.base.database_repair import empty, repair, unfinished
from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.files import cache_folder
from hyperbaton.base.wording import counted
from hyperbaton.cli.options.inputs import add_cache_option
from hyperbaton.parsing.parse_store import FOLDER, clear_parses, damaged_rows, held
from hyperbaton.systems.store.salvage import StoreSalvage
from hyperbaton.systems.store.store import FILE, Store

DESCRIPTION = """\
Show which translations and parses are stored, delete them, or repair a damaged file: repair saves
every translation that can be read and keeps the damaged file beside the new one; damaged parses are
forgotten, and made again when they are needed."""
EXAMPLES = """\
  hyperbaton cache info
  hyperbaton cache repair
  hyperbaton cache clear --failed
  hyperbaton cache clear --system openai:gpt-4o-mini
  hyperbaton cache clear --parses
  hyperbaton cache clear --all"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("action", choices=("info", "clear", "repair"))
    parser.add_argument("--system", default="", help="clear: systems whose signature contains this")
    parser.add_argument("--failed", action="store_true", help="clear: only what failed")
    parser.add_argument("--parses", action="store_true", help="clear: the parses")
    parser.add_argument("--all", action="store_true", help="clear: everything")
    add_cache_option(parser)


def run(args: argparse.Namespace) -> int:
    """Show, clear or repair."""
    if args.action == "repair":
        _repair(args.cache or cache_folder())
        return 0
    with Store(args.cache) as store:
        if args.action == "info":
            show(store)
        else:
            _clear(store, args)
    return 0


def show(store: Store) -> None:
    """Print what is held of each system and parser."""
    files = store.path.parent.glob(f"{store.path.name}*")
    holdings = store.holdings()
    total = sum(holding.translations for holding in holdings)
    print(f"{store.path}  {_megabytes(files)}  {counted(total, 'translation')}")
    for holding in holdings:
        failed = f"  {holding.faults:,} failed" if holding.faults else ""
        print(f"  {_day(holding.used)}  {holding.translations:>10,}{failed}  {holding.signature}")
    parses = held(store.path.parent)
    if parses:
        size = _megabytes(file for one in parses for file in one.files)
        print(
            f"{parses[0].path.parent}  {size}  {counted(sum(one.count for one in parses), 'parse')}"
        )
    for one in parses:
        print(f"  {_day(one.path.stat().st_mtime)}  {one.count:>10,}  {one.signature}")


def _day(moment: float) -> str:
    """The date of a moment, as far as the clock was right when it was written."""
    try:
        return time.strftime("%Y-%m-%d", time.localtime(moment))
    except (ValueError, OverflowError, OSError):
        return "no date   "


def _megabytes(files: Iterable[Path]) -> str:
    return f"{sum(file.stat().st_size for file in files) / 1e6:,.1f} MB"


def _clear(store: Store, args: argparse.Namespace) -> None:
    if not (args.system or args.failed or args.parses or args.all):
        total = sum(holding.translations for holding in store.holdings())
        parsed = sum(one.count for one in held(store.path.parent))
        raise HyperbatonError(
            f"this would delete {counted(total, 'translation')} and {counted(parsed, 'parse')}: "
            "add --all, or choose with --failed, --parses or --system NAME"
        )
    if args.system or args.failed or args.all:
        gone = store.clear(args.system, only_faults=args.failed)
        what = ("fault",) if args.failed else ("entry", "entries")
        print(f"{counted(gone, *what)} cleared")
    if args.parses or (args.all and not (args.system or args.failed)):
        print(f"{counted(clear_parses(store.path.parent), 'parse')} cleared")


def _repair(folder: Path) -> None:
    """Check the store and the parses in a folder; rewrite files that are damaged."""
    store = folder / FILE
    if not store.exists():
        print(f"{store}  does not exist")
    elif flaw := _flaw(store, partial(_damaged_translations, folder)):
        salvage = StoreSalvage()
        kept = repair(store, salvage)
        lost = f", {counted(salvage.lost, 'row')} could not be read" if salvage.lost else ""
        print(
            f"{store}  was damaged ({flaw}): {counted(salvage.saved, 'row')} saved{lost}; "
            f"the damaged file is kept as {kept.name}"
        )
    else:
        unfinished(store).unlink(missing_ok=True)
        print(f"{store}  is sound")
    for path in sorted((folder / FOLDER).glob("*.sqlite")):
        if flaw := _flaw(path, partial(damaged_rows, folder, path.name)):
            empty(path)
            print(f"{path}  was damaged ({flaw}): it is empty now, and its texts are parsed again")
        else:
            print(f"{path}  is sound")


def _damaged_translations(folder: Path) -> int:
    with Store(folder) as store:
        return store.damaged_rows()


def _flaw(path: Path, damaged: Callable[[], int]) -> str:
    """What is wrong with a file, as far as SQLite or the digests of its rows tell."""
    flaw = complaint(path)
    if not flaw:
        try:
            rows = damaged()
        except Damaged as error:
            flaw = str(error)
        else:
            flaw = counted(rows, "damaged row") if rows else ""
    return printable(flaw)
