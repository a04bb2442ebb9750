"""Options as fields of a dataclass, declared once for the command line, TOML and Python."""

from __future__ import annotations

import dataclasses
import math
import os
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.given import path_in, plain, told
from hyperbaton.base.spec import Spec

Kind = Literal["int", "float", "bool", "str"]

_NEEDED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "a text",
}
LARGEST = 2**53
"""The largest whole number that every reader of JSON keeps."""
_SHOWN = 20
_SECONDS = {"d": 86_400, "h": 3600, "m": 60, "s": 1, "": 1}
_BYTES = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "": 1}
_CHARACTERS = {"1k": 1000, "1m": 1_000_000, "": 1_000_000}
_OF_LANGUAGE = re.compile(r"([A-Za-z]{2,3}(?:[-_][A-Za-z]+)*)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Option:
    """One field of a dataclass, as the command line, TOML and Python offer it.

    The field's metadata may name `help`, `flag`, `metavar`, `repeat`, `read` and `read_entry`.
    """

    name: str
    flag: str
    kind: Kind
    default: object
    help: str
    metavar: str
    choices: tuple[str, ...]
    repeat: bool
    """Whether several values can be given, which the field holds with semicolons between them."""
    read: Callable[[str], object]
    """The value that a text stands for; of a mapping, that of one entry."""
    read_entry: Callable[[str], tuple[str, object]] | None = None
    """For a mapping: key and value of an entry on the command line."""


def options_of(cls: type) -> tuple[Option, ...]:
    """The options that a dataclass declares, in the order of its fields."""
    hints = typing.get_type_hints(cls)
    return tuple(
        _option(field, hints[field.name])
        for field in dataclasses.fields(cls)
        if field.init and not field.metadata.get("hidden")
    )


def _option(field: dataclasses.Field[Any], hint: object) -> Option:
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    kinds = typing.get_args(hint) if union else (hint,)
    kind = next(kind for kind in kinds if kind is not type(None))
    choices = typing.get_args(kind) if typing.get_origin(kind) is Literal else ()
    if typing.get_origin(kind) is Mapping:
        kind = typing.get_args(kind)[1]
    names: dict[object, Kind] = {int: "int", float: "float", bool: "bool"}
    readers: dict[object, Callable[[str], object]] = {int: whole, float: number}
    metadata = field.metadata
    default = None if field.default is dataclasses.MISSING else field.default
    return Option(
        name=field.name,
        flag=str(metadata.get("flag", f"--{field.name.replace('_', '-')}")),
        kind=names.get(kind, "str"),
        default=str(default) if isinstance(default, Spec) else default,
        help=str(metadata.get("help", "")),
        metavar=str(metadata.get("metavar", field.name.upper())),
        choices=tuple(map(str, choices)),
        repeat=bool(metadata.get("repeat", False)),
        read=metadata.get("read", readers.get(kind, str)),
        read_entry=metadata.get("read_entry"),
    )


def option_value(option: Option, value: object, what: str) -> object:
    """A value from TOML or Python, read where it is a text; `what` begins the message on an error.

    >>> option = Option("time", "--time", "float", None, "", "", (), False, duration)
    >>> option_value(option, "1h", "time"), option_value(option, 3600, "time")
    (3600.0, 3600)
    """
    if option.read_entry is not None:
        if not isinstance(value, Mapping):
            raise HyperbatonError(f"{what} must be a table, e.g. {what} = {{ … }}")
        entry = dataclasses.replace(option, read_entry=None)
        return {
            str(key): option_value(entry, one, f"{what}.{key}" if key else what)
            for key, one in value.items()
        }
    value = plain(value)
    if option.read is Path:
        return Path(path_in(value, what))
    value = str(value) if isinstance(value, Spec) and option.kind == "str" else value
    is_right = {
        "bool": isinstance(value, bool),
        "int": _is_number(value) and isinstance(value, int),
        "float": _is_number(value),
        "str": False,  # it was read above
    }
    read = isinstance(value, str) and option.kind != "bool"
    if not (read or is_right[option.kind]):
        raise HyperbatonError(f"{what} must be {_NEEDED[option.kind]}, not {told(value)}")
    if not (read or option.kind == "int"):
        return value
    try:
        return option.read(str(value))  # it also knows the bounds of a number
    except HyperbatonError as error:
        raise HyperbatonError(f"{what}: {error}") from None


def _is_number(value: object) -> bool:
    """Whether it is one, and none of those that nobody means."""
    kind = isinstance(value, int | float) and not isinstance(value, bool)
    return kind and -LARGEST <= value <= LARGEST  # type: ignore[operator]


def whole(text: str, least: int = -LARGEST, most: int = LARGEST) -> int:
    """A whole number within bounds.

    >>> whole("12", least=1)
    12
    """
    try:
        value = int(text)
    except ValueError:  # no number, or one with more digits than Python converts
        digits = text.strip()
        if not digits.lstrip("+-").isdecimal():
            raise HyperbatonError(f"a whole number, not {_short(text)}") from None
        value = least - 1 if digits.startswith("-") else most + 1
    if value < least:
        raise HyperbatonError(f"at least {least}, not {_short(text)}")
    if value > most:
        raise HyperbatonError(f"at most {most}, not {_short(text)}")
    return value


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return whole(text, least=1)


def natural(text: str) -> int:
    """A whole number from 0 on."""
    return whole(text, least=0)


def processes(text: str) -> int:
    """A number of processes: 0 for none beside this one."""
    return whole(text, least=0, most=max(64, 4 * (os.cpu_count() or 1)))


def resamples(text: str) -> int:
    """A number of bootstrap resamples."""
    return whole(text, least=1, most=1_000_000)


def port(text: str) -> int:
    """A port of this computer: 0 for one that is free."""
    return whole(text, least=0, most=65_535)


def digits(text: str) -> int:
    """A number of digits after the decimal point; a double holds no more than 17."""
    return whole(text, least=0, most=17)


def number(text: str) -> float:
    """Any number but NaN and the infinities."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise HyperbatonError(f"a number, not {_short(text)}")
    return value


def share(text: str) -> float:
    """A share of a whole, 0 to 1."""
    value = number(text)
    if not 0 <= value <= 1:
        raise HyperbatonError(f"a number from 0 to 1, not {_short(text)}")
    return value


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def duration(text: str) -> float:
    """Seconds of a time.

    >>> duration("1h30m"), duration("45")
    (5400.0, 45.0)
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)([dhms]?)", text.lower())
    seconds = sum(float(count) * _SECONDS[unit] for count, unit in parts)
    is_read = "".join(count + unit for count, unit in parts) == text.lower()
    if not is_read or not 0 < seconds < math.inf:
        raise HyperbatonError(f"a time such as 90s, 30m or 1h30m, not {_short(text)}")
    return seconds


def size(text: str) -> int:
    """Bytes of a size.

    >>> size("8G"), size("500MB")
    (8000000000, 500000000)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([kmgt]?)b?", text.lower())
    count = 0.0 if match is None else float(match[1]) * _BYTES[match[2]]
    if not 0 < count < math.inf:
        raise HyperbatonError(f"a size such as 500M or 8G, not {_short(text)}")
    return int(count)


def price(text: str) -> float:
    """The price of a million characters.

    >>> price("20/1M"), price("0.02/1K")
    (20.0, 20.0)
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(?:/(1[km]))?", text.lower())
    each = math.inf
    if match is not None:
        each = float(match[1]) * 1_000_000 / _CHARACTERS[match[2] or ""]
    if not math.isfinite(each):
        raise HyperbatonError(
            f"a price such as 20/1M (for a million characters) or SYSTEM=20/1M, not {_short(text)}"
        )
    return each


def system_and_price(text: str) -> tuple[str, float]:
    """The system, '' for all that are paid, and the price of a million characters.

    >>> system_and_price("20/1M"), system_and_price("openai:gpt-4o(seed=1)=2.5/1M")
    (('', 20.0), ('openai:gpt-4o(seed=1)', 2.5))
    """
    system, _, tail = text.rpartition("=")
    return system, price(tail)


def language_and_parser(text: str) -> tuple[str, str]:
    """The language, '' for every one, and its parser.

    >>> language_and_parser("ja=ginza"), language_and_parser("plain")
    (('ja', 'ginza'), ('', 'plain'))
    """
    match = _OF_LANGUAGE.fullmatch(text)
    language, spec = (match[1], match[2]) if match else ("", text)
    if not spec:
        raise HyperbatonError(f"write it as LANG=SPEC, such as ja=ginza, not {_short(text)}")
    return language, spec
