"""Numbers of a recipe as the command line gives them: KEY=VALUE, checked by the field's type."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

from hyperbaton.errors import HyperbatonError, did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    T = TypeVar("T", bound=DataclassInstance)

__all__ = ["changed"]


def changed(recipe: T, options: Mapping[str, str]) -> T:
    """The recipe with some of its numbers replaced."""
    hints = typing.get_type_hints(type(recipe))
    known = [field.name for field in fields(recipe)]
    values: dict[str, object] = {}
    for key, text in options.items():
        if key not in known:
            raise HyperbatonError(f"no option '{key}' in a recipe.{did_you_mean(key, known)}")
        values[key] = _read(text, hints[key], key)
    return replace(recipe, **values)


def _read(text: str, hint: object, key: str) -> object:
    if typing.get_origin(hint) is typing.Literal:
        choices = typing.get_args(hint)
        if text not in choices:
            raise HyperbatonError(f"{key}={text}: choose one of {', '.join(choices)}")
        return text
    try:
        if hint is bool:
            return {"true": True, "false": False}[text.lower()]
        if typing.get_origin(hint) is tuple:
            first, second = text.split(",")
            return float(first), float(second)
        return int(text) if hint is int else float(text)
    except (KeyError, ValueError):
        kind = getattr(hint, "__name__", "tuple")
        raise HyperbatonError(f"{key}={text}: a value of type {kind} is needed") from None
