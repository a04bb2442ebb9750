"""A study made of given options, which are the fields of its class."""

from __future__ import annotations

from collections.abc import Mapping

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.options import Option, options_of
from hyperbaton.base.spec import Parsed, Value
from hyperbaton.studies.study import STUDIES, Study

__all__ = ["make_study"]


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


def _value(option: Option, value: object, what: str) -> Value:
    """A value as the registry reads it; several are joined where the option may be repeated."""
    if option.repeat and isinstance(value, list | tuple):
        if not all(isinstance(part, str) for part in value):
            raise HyperbatonError(f'{what} must be a list of names, e.g. ["a", "b"]')
        return "; ".join(value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise HyperbatonError(f"{what} must be a single value, not a {type(value).__name__}")
