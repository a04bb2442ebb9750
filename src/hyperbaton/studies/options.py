"""A study's options are its fields: what each takes, and a study made of given values."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.spec import Parsed, Value
from hyperbaton.studies.study import STUDIES, Study

__all__ = ["Option", "make_study", "options_of"]

Kind = Literal["int", "float", "bool", "str"]


@dataclass(frozen=True)
class Option:
    """One field of a study, as the command line, TOML and Python offer it."""

    name: str
    flag: str
    kind: Kind
    default: object
    help: str
    metavar: str
    choices: tuple[str, ...]
    repeat: bool
    """Whether several values can be given, which the field holds with semicolons between them."""


def options_of(study: type[Study]) -> tuple[Option, ...]:
    """The options of a study, in the order of its fields."""
    hints = typing.get_type_hints(study)
    return tuple(
        _option(field, hints[field.name])
        for field in dataclasses.fields(study)  # type: ignore[arg-type]
        if field.init
    )


def make_study(name: str, given: Mapping[str, object], where: str = "") -> Study:
    """The study of a name with these options; `where` begins the message on a wrong one."""
    known = {option.name: option for option in options_of(STUDIES.get(name))}
    values: dict[str, Value] = {}
    head = f"{where}: " if where else ""
    for key, value in given.items():
        if key not in known:
            raise HyperbatonError(
                f"{head}{name} has no option '{key}' (it has: {', '.join(known) or 'none'})."
                f"{did_you_mean(key, known)}"
            )
        values[key] = _value(known[key], value, f"{head}{key}")
    return STUDIES.build(Parsed(name, None, values), where or name)


def _option(field: dataclasses.Field[object], hint: object) -> Option:
    kinds = typing.get_args(hint) if _is_union(hint) else (hint,)
    kind = next(kind for kind in kinds if kind is not type(None))
    choices = typing.get_args(kind) if typing.get_origin(kind) is Literal else ()
    names: dict[object, Kind] = {int: "int", float: "float", bool: "bool"}
    default = None if field.default is dataclasses.MISSING else field.default
    metadata = field.metadata
    return Option(
        name=field.name,
        flag=str(metadata.get("flag", f"--{field.name.replace('_', '-')}")),
        kind=names.get(kind, "str"),
        default=default,
        help=str(metadata.get("help", "")),
        metavar=str(metadata.get("metavar", field.name.upper())),
        choices=tuple(map(str, choices)),
        repeat=bool(metadata.get("repeat", False)),
    )


def _is_union(hint: object) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _value(option: Option, value: object, what: str) -> Value:
    """A value as the registry reads it; several are joined where the option may be repeated."""
    if option.repeat and isinstance(value, list | tuple):
        if not all(isinstance(part, str) for part in value):
            raise HyperbatonError(f'{what} must be a list of names, e.g. ["a", "b"]')
        return "; ".join(value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise HyperbatonError(f"{what} must be a single value, not a {type(value).__name__}")
