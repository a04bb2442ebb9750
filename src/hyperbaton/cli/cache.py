"""`hyperbaton cache`: what the store holds, and how to be rid of it."""

from __future__ import annotations

import argparse
import time

from hyperbaton.cli.store import add_store_arguments, open_store
from hyperbaton.errors import HyperbatonError
from hyperbaton.systems.store import Store

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = "Show what the store of translations holds, or clear it."
EXAMPLES = """\
  hyperbaton cache info
  hyperbaton cache clear --failed
  hyperbaton cache clear --system openai:gpt-4o-mini
  hyperbaton cache clear --all"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("action", choices=("info", "clear"))
    parser.add_argument("--system", "-s", default="", help="clear: what a signature contains")
    parser.add_argument("--failed", action="store_true", help="clear: the faults only")
    parser.add_argument("--all", action="store_true", help="clear: everything")
    add_store_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Show or clear."""
    with open_store(args) as store:
        if args.action == "info":
            _show(store)
        else:
            _clear(store, args)
    return 0


def _show(store: Store) -> None:
    files = store.path.parent.glob(f"{store.path.name}*")
    size = sum(file.stat().st_size for file in files)
    holdings = store.holdings()
    total = sum(holding.translations for holding in holdings)
    print(f"{store.path}  {size / 1e6:,.1f} MB  {total:,} translations")
    for holding in holdings:
        day = time.strftime("%Y-%m-%d", time.localtime(holding.used))
        failed = f"  {holding.faults:,} failed" if holding.faults else ""
        print(f"  {day}  {holding.translations:>10,}{failed}  {holding.signature}")


def _clear(store: Store, args: argparse.Namespace) -> None:
    if not (args.system or args.failed or args.all):
        total = sum(holding.translations for holding in store.holdings())
        raise HyperbatonError(
            f"this would forget {total:,} translations: say --all, --failed or --system NAME"
        )
    gone = store.clear(args.system, only_faults=args.failed)
    print(f"{gone:,} {'faults' if args.failed else 'entries'} cleared")
