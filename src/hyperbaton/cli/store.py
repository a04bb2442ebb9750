"""The options of the verbs that use the store, and the store they name."""

from __future__ import annotations

import argparse
from pathlib import Path

from hyperbaton.systems.store import Store

__all__ = ["add_store_arguments", "open_store"]


def add_store_arguments(parser: argparse.ArgumentParser) -> None:
    """Where translations are kept."""
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="the folder of the store (default: $HYPERBATON_CACHE, or ~/.cache/hyperbaton)",
    )


def open_store(args: argparse.Namespace) -> Store:
    """The store that the options name."""
    return Store(args.cache)
