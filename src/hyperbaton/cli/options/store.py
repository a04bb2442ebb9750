"""The options of the verbs that use the store, and the store they name."""

from __future__ import annotations

import argparse
from pathlib import Path

from hyperbaton.systems.store.store import Store, working_store

__all__ = ["add_store_arguments", "open_store", "open_working_store"]


def add_store_arguments(parser: argparse.ArgumentParser) -> None:
    """Where translations are kept."""
    parser.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help="folder of stored translations (default: $HYPERBATON_CACHE, or ~/.cache/hyperbaton)",
    )


def open_store(args: argparse.Namespace) -> Store:
    """The store that the options name; an error where it cannot be written."""
    return Store(args.cache)


def open_working_store(args: argparse.Namespace) -> Store:
    """As `open_store`, for a command that does its work without a store too: a warning."""
    return working_store(args.cache)
