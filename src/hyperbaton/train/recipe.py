"""What a translator is trained with: every number in one frozen value, presets, KEY=VALUE."""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, Self, TypeVar

from hyperbaton.base.errors import HyperbatonError, did_you_mean


@dataclass(frozen=True)
class Settings:
    """What recipes share: they are stored as JSON and changed by KEY=VALUE."""

    def to_json(self) -> str:
        """The recipe as it is stored beside the model."""
        return json.dumps(asdict(self), indent=2)

    def with_options(self, options: Mapping[str, str]) -> Self:
        """The recipe with some numbers replaced, as the command line gives them.

        >>> Recipe().with_options({"steps": "50"}).steps
        50
        """
        hints = typing.get_type_hints(type(self))
        known = [field.name for field in fields(self)]
        values: dict[str, object] = {}
        for key, text in options.items():
            if key not in known:
                raise HyperbatonError(f"no option '{key}' in a recipe.{did_you_mean(key, known)}")
            values[key] = _read(text, hints[key], key)
            _check(key, text, values[key])
        return replace(self, **values)


@dataclass(frozen=True)
class Recipe(Settings):
    """Vocabulary, architecture, optimisation and bookkeeping of one training run."""

    vocabulary: int = 18000
    coverage: float = 0.9998
    """Share of the characters of the text that get a piece of their own; bytes spell the rest."""
    vocabulary_lines: int = 120_000
    """Most lines of one language that the vocabulary is learnt from: none drowns another."""
    d_model: int = 256
    encoder_layers: int = 6
    decoder_layers: int = 2
    heads: int = 8
    ffn: int = 1024
    activation: Literal["relu", "swish", "gelu"] = "swish"
    dropout: float = 0.1
    attention_dropout: float = 0.0
    max_length: int = 96
    """Longest side in pieces; longer pairs are left out."""

    steps: int = 20000
    minutes: float = 0.0
    """When not 0, training ends and the cosine runs by the clock instead of by steps: for a machine
    that is lent for a time. Such a run cannot be repeated to the bit."""
    batch_tokens: int = 32768
    """Padded target tokens of one batch on the device."""
    accumulate: int = 1
    learning_rate: float = 5e-4
    warmup: int = 2000
    warmup_from: float = 1e-7
    schedule: Literal["inverse-sqrt", "cosine"] = "cosine"
    final_learning_rate: float = 1e-5
    """Where the cosine ends; the inverse square root does not use it."""
    betas: tuple[float, float] = (0.9, 0.98)
    weight_decay: float = 0.0
    label_smoothing: float = 0.1
    clip: float = 1.0
    precision: Literal["fp32", "bf16", "fp16"] = "bf16"
    joined: float = 0.0
    """Extra rows, as a share of the pairs, made of two or three pairs in a row: a corpus of single
    sentences does not teach what to do with two."""
    temperature: float = 1.0
    """Directions are drawn by size ** (1 / temperature); above 1 favours the small ones."""

    validate_every: int = 1000
    save_every: int = 1000
    average: int = 5
    """How many of the last checkpoints the final model is the mean of; 1 keeps the best one."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.d_model % self.heads:
            raise HyperbatonError(f"d_model {self.d_model} is not divisible by heads {self.heads}")
        if min(self.steps, self.batch_tokens, self.accumulate, self.average) < 1:
            raise HyperbatonError("steps, batch_tokens, accumulate and average must be at least 1")


AnySettings = TypeVar("AnySettings", bound=Settings)
# Ott et al. 2018: Transformer big, 4,000 warm-up steps from 1e-7 to 1e-3, inverse square root,
# dropout .3, large batches.
_OTT = Recipe(
    vocabulary=32000,
    d_model=1024,
    ffn=4096,
    heads=16,
    encoder_layers=6,
    decoder_layers=6,
    activation="relu",
    dropout=0.3,
    max_length=250,
    steps=100000,
    batch_tokens=32768,
    accumulate=12,
    learning_rate=1e-3,
    warmup=4000,
    schedule="inverse-sqrt",
    clip=0.0,
    precision="fp16",
    average=1,
)
_SHIPPED = Recipe(
    batch_tokens=65536,
    warmup=1200,
    temperature=1.4,
    joined=0.05,
    validate_every=2000,
    average=1,
)
PRESETS: dict[str, Recipe] = {
    # The student that ships: small enough for a package, deep encoder, shallow decoder.
    "bundled": replace(_SHIPPED, d_model=320, heads=5, ffn=1280, learning_rate=1e-3),
    # The teacher, and the larger system that studies compare with.
    "larger": replace(
        _SHIPPED, d_model=512, ffn=2048, decoder_layers=3, dropout=0.2, learning_rate=7e-4
    ),
    "ott2018": _OTT,
    # The isometry paper's own system: the same with smaller batches and more of them.
    "shankar2021": replace(_OTT, steps=285_000, batch_tokens=7168, accumulate=8),
    # A minute on a CPU: for trying the command, and for tests.
    "toy": Recipe(
        vocabulary=320,
        d_model=64,
        ffn=256,
        heads=4,
        encoder_layers=2,
        decoder_layers=1,
        dropout=0.0,
        max_length=32,
        steps=600,
        batch_tokens=2048,
        learning_rate=3e-3,
        warmup=100,
        precision="fp32",
        validate_every=200,
        save_every=200,
        average=1,
    ),
}


def preset(name: str, known: Mapping[str, AnySettings]) -> AnySettings:
    """A recipe by its name."""
    if name not in known:
        raise HyperbatonError(f"unknown preset '{name}' (there are: {', '.join(known)})")
    return known[name]


_SHARES = {"dropout", "attention_dropout", "label_smoothing", "coverage"}
_ABOVE_ZERO = {
    *("vocabulary", "d_model", "heads", "ffn", "encoder_layers", "decoder_layers"),
    *("max_length", "learning_rate", "temperature", "validate_every", "save_every"),
}


def settings_of(texts: Iterable[str]) -> dict[str, str]:
    """The settings that the command line gives as `steps=50`."""
    options = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise HyperbatonError(f"--set {text}: write it as KEY=VALUE")
        options[key] = value
    return options


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
