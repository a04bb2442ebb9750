"""Numbers of a recipe as the command line gives them: KEY=VALUE, checked by the field's type."""

from __future__ import annotations

import math
import typing
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

from hyperbaton.base.errors import HyperbatonError, did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    T = TypeVar("T", bound=DataclassInstance)

__all__ = ["changed"]

_SHARES = {"dropout", "attention_dropout", "label_smoothing", "coverage"}
_ABOVE_ZERO = {
    *("vocabulary", "d_model", "heads", "ffn", "encoder_layers", "decoder_layers"),
    *("max_length", "learning_rate", "temperature", "validate_every", "save_every"),
}


def changed(recipe: T, options: Mapping[str, str]) -> T:
    """The recipe with some of its numbers replaced."""
    hints = typing.get_type_hints(type(recipe))
    known = [field.name for field in fields(recipe)]
    values: dict[str, object] = {}
    for key, text in options.items():
        if key not in known:
            raise HyperbatonError(f"no option '{key}' in a recipe.{did_you_mean(key, known)}")
        values[key] = _read(text, hints[key], key)
        _check(key, text, values[key])
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


def _check(key: str, text: str, value: object) -> None:
    """Refuse a number that no training can use; what depends on two is left to the recipe."""
    for number in value if isinstance(value, tuple) else (value,):
        if not isinstance(number, int | float):
            continue
        if not math.isfinite(number) or number < 0:
            raise HyperbatonError(f"{key}={text}: a number of 0 or more is needed")
        if key in _ABOVE_ZERO and number == 0:
            raise HyperbatonError(f"{key}={text}: a number above 0 is needed")
        if (key in _SHARES and number > 1) or (key == "betas" and number >= 1):
            raise HyperbatonError(f"{key}={text}: a number between 0 and 1 is needed")
