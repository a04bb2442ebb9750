"""What a gate is asked for: by flags, and by the table [check] of a TOML file."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import natural, number
from hyperbaton.base.remote_paths import place
from hyperbaton.cli.options.inputs import add_cache_option

CONFIG = """\
--config reads the same from TOML, flags first; a study's --config may be the same file:

  [check]
  baseline = "runs/main"        # beside this file
  tolerance = 0.01
  scores = ["beta", "beta1", "lost"]
  min = { beta1 = 0.4, kept = 0.5 }
  max = { untranslated = 0.02 }"""
_SIGNS = {"min": 1, "max": -1}
_LISTS = ("scores", "systems", "breaks")
_PATHS = ("baseline", "cases")


@dataclass(frozen=True)
class Bound:
    """A threshold: a score that must be at least or at most so much."""

    name: str
    """Of the score, maybe with a variant: `beta1@reversed`."""
    value: float
    sign: int
    """1 where the value is the least, −1 where it is the most."""


def add_gate_arguments(parser: argparse.ArgumentParser) -> None:
    """Thresholds, the earlier run and how sure a verdict must be."""
    for name, what in (("min", "at least"), ("max", "at most")):
        parser.add_argument(
            f"--{name}",
            action="append",
            type=partial(_bound, sign=_SIGNS[name]),
            default=[],
            metavar="NAME=VALUE",
            help=f"the score must be {what} this (repeat)",
        )
    parser.add_argument(
        "--interval",
        action="store_true",
        default=None,
        help="compare the worse end of the 95 %% interval with the threshold instead of the mean",
    )
    parser.add_argument(
        "--baseline",
        type=place,
        metavar="OLD",
        help="an earlier run of the same texts: no score may be worse than there",
    )
    parser.add_argument(
        "--tolerance",
        type=_loss,
        metavar="LOSS",
        help="the loss against the baseline that is accepted, on a scale of 1 (default: 0)",
    )
    parser.add_argument(
        "--resolution",
        type=_loss,
        metavar="LOSS",
        help="a loss that must not go unseen: with too few sentences to see it, the status is 2 "
        "(default: 0.05)",
    )
    parser.add_argument(
        "--score",
        dest="scores",
        action="append",
        metavar="NAME",
        help="compare this score with the baseline (repeat; default: the study's own)",
    )
    parser.add_argument(
        "--system",
        dest="systems",
        action="append",
        metavar="SYSTEM",
        help="look at this system of the run (repeat; default: all)",
    )
    parser.add_argument("-m", "--metric", help="default: the leading metric of the run")
    parser.add_argument(
        "--max-failed",
        type=natural,
        metavar="N",
        help="rows of a system in a language pair that may have failed (default: 0)",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file with [check]")
    parser.add_argument(
        "--cases",
        type=Path,
        metavar="FILE",
        help="cases that `hyperbaton break` found: translate them again, none may still break",
    )
    parser.add_argument(
        "--breaks",
        action="append",
        metavar="REASON",
        help="what counts as broken (repeat; default: what the search of the cases looked for)",
    )
    parser.add_argument(
        "--mended", type=Path, metavar="FILE", help="write the cases that no longer break here"
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="do not read or write stored translations"
    )
    add_cache_option(parser)


def _bound(text: str, sign: int) -> Bound:
    head, equals, value = text.rpartition("=")
    if not (equals and head.partition("@")[0]):
        raise argparse.ArgumentTypeError(f"write it as NAME=VALUE, e.g. beta1=0.4, not {text!r}")
    return Bound(head, number(value), sign)


def _loss(text: str) -> float:
    loss = number(text)
    if loss < 0:
        raise HyperbatonError(f"a loss of at least 0, not {text}")
    return loss


def read_config(args: argparse.Namespace) -> None:
    """Fill in from TOML what no flag says, then what nobody says; thresholds add up."""
    if args.config is not None:
        _fill(args, args.config)
    for name, default in _DEFAULTS.items():
        if getattr(args, name) is None:
            setattr(args, name, default)
    args.bounds = [*args.min, *args.max]


_DEFAULTS: Mapping[str, object] = {
    "interval": False,
    "tolerance": 0.0,
    "resolution": 0.05,
    "max_failed": 0,
    "scores": (),
    "systems": (),
    "breaks": (),
}


def _fill(args: argparse.Namespace, path: Path) -> None:
    from hyperbaton.cli.options.matrix import GATE, refuse_unknown, toml_content

    table = toml_content(path).get(GATE)
    if not isinstance(table, dict):
        raise HyperbatonError(f"{path} has no table [{GATE}] with the thresholds")
    refuse_unknown(path, table, (*_SIGNS, *_LISTS, *_READERS))
    for name, sign in _SIGNS.items():
        getattr(args, name).extend(_bounds(path, name, table.get(name, {}), sign))
    for name in (*_LISTS, *_READERS):
        if name in table and getattr(args, name) is None:
            setattr(args, name, _read(path, name, table[name]))


def _bounds(path: Path, name: str, table: object, sign: int) -> Sequence[Bound]:
    known: dict[str, object] = table if isinstance(table, dict) else {"": None}
    if not all(score.partition("@")[0] and _is_number(v) for score, v in known.items()):
        raise HyperbatonError(f"{path}: write {name} as scores and numbers, e.g. {{ beta1 = 0.4 }}")
    return [_bound(f"{score}={value}", sign) for score, value in known.items()]


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and abs(cast(float, value)) < math.inf


def _read(path: Path, name: str, value: object) -> object:
    from hyperbaton.cli.options.matrix import beside, strings

    if name in _LISTS:
        return strings(path, name, value)
    if name in _PATHS and isinstance(value, str):
        return place(beside(path, value))
    kind, read = _READERS[name]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise HyperbatonError(f"{path}: {name} = {value!r} is not what it takes: see check --help")
    try:
        return read(value)
    except HyperbatonError as error:
        raise HyperbatonError(f"{path}: {name} must be {error}") from None


_READERS: Mapping[str, tuple[type | tuple[type, ...], Callable[[Any], object]]] = {
    **dict.fromkeys(_PATHS, (str, str)),
    "metric": (str, str),
    "interval": (bool, bool),
    "tolerance": ((int, float), lambda value: _loss(str(value))),
    "resolution": ((int, float), lambda value: _loss(str(value))),
    "max_failed": (int, lambda value: natural(str(value))),
}
