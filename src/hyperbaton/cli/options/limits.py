"""The limits of a run on the command line: `--time-limit 2h`, `--max-memory 8G`, `--max-cost 5`."""

from __future__ import annotations

import argparse
import math
import re
from typing import TYPE_CHECKING

from hyperbaton.cli.options.numbers import number

if TYPE_CHECKING:
    from hyperbaton.pipeline.engine.budgets import Limits

__all__ = ["add_limit_arguments", "duration", "limits", "price", "size"]

_SECONDS = {"d": 86_400, "h": 3600, "m": 60, "s": 1, "": 1}
_BYTES = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "": 1}
_CHARACTERS = {"1k": 1000, "1m": 1_000_000, "": 1_000_000}


def add_limit_arguments(parser: argparse.ArgumentParser) -> None:
    """What a run may take before it stops; it can be resumed."""
    parser.add_argument(
        "--time-limit", type=duration, metavar="TIME", help="stop after e.g. 90s, 30m or 1h30m"
    )
    parser.add_argument(
        "--max-memory", type=size, metavar="SIZE", help="stop before the run takes more, e.g. 8G"
    )
    parser.add_argument(
        "--max-cost",
        type=number,
        metavar="SUM",
        help="stop before paid systems cost more than this; needs --price",
    )
    parser.add_argument(
        "--price",
        type=price,
        action="append",
        default=[],
        metavar="[SYSTEM=]SUM/1M",
        help="the price of a million characters, of all paid systems or of one; repeat for more",
    )


def limits(args: argparse.Namespace) -> Limits:
    """What the command line says of them."""
    from hyperbaton.pipeline.engine.budgets import Limits

    return Limits(args.time_limit, args.max_memory, args.max_cost, dict(args.price))


def duration(text: str) -> float:
    """Seconds of a time.

    >>> duration("1h30m"), duration("45")
    (5400.0, 45.0)
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)([dhms]?)", text.lower())
    seconds = sum(float(count) * _SECONDS[unit] for count, unit in parts)
    whole = "".join(count + unit for count, unit in parts) == text.lower()
    if not whole or not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"a time such as 90s, 30m or 1h30m, not {text[:20]!r}")
    return seconds


def size(text: str) -> int:
    """Bytes of a size.

    >>> size("8G"), size("500MB")
    (8000000000, 500000000)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([kmgt]?)b?", text.lower())
    count = 0.0 if found is None else float(found[1]) * _BYTES[found[2]]
    if not 0 < count < math.inf:
        raise argparse.ArgumentTypeError(f"a size such as 500M or 8G, not {text[:20]!r}")
    return int(count)


def price(text: str) -> tuple[str, float]:
    """The system, if one is named, and the price of a million characters.

    >>> price("20/1M"), price("openai:gpt-4o(seed=1)=2.5/1M")
    (('', 20.0), ('openai:gpt-4o(seed=1)', 2.5))
    """
    system, _, tail = text.rpartition("=")
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(?:/(1[km]))?", tail.lower())
    each = math.inf
    if found is not None:
        each = float(found[1]) * 1_000_000 / _CHARACTERS[found[2] or ""]
    if not math.isfinite(each):
        raise argparse.ArgumentTypeError(
            f"a price such as 20/1M (for a million characters) or SYSTEM=20/1M, not {text[:60]!r}"
        )
    return system, each
