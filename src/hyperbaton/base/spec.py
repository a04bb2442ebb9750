"""Printable specs and the lazy registry: everything that can vary has a name that parses back.

A spec is `name`, `name(key=value, …)`, `scheme:argument` or `scheme:argument(key=value, …)`; a
value may be JSON in braces.
"""

from __future__ import annotations

import dataclasses
import importlib
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.metadata import EntryPoints, entry_points
from typing import Any, ClassVar, Generic, TypeVar

from hyperbaton.base.errors import HyperbatonError, did_you_mean

_hints: Callable[[type], Mapping[str, object]] = cache(typing.get_type_hints)
"""The types of a class's fields, resolved once."""

Value = str | int | float | bool | None
T = TypeVar("T", bound="Spec")

# Possessive (++, *+): what has matched is not tried again, so that time grows with the length only.
_QUOTED = r""""(?:[^"\\]|\\.)*+\""""


def _braces(depth: int) -> str:
    """A JSON object or list, as far as its brackets and strings tell, with so many inside."""
    inside = rf"[^][{{}}\"]|{_QUOTED}" + (f"|{_braces(depth - 1)}" if depth else "")
    return rf"[{{[](?:{inside})*+[}}\]]"


_JSON = _braces(4)
_BARE = rf"""(?:{_QUOTED}|'(?:[^'\\]|\\.)*+'|{_JSON}|[^,()'"]*+)"""
_PAIR = rf"\s*+\w++\s*+={_BARE}\s*+"
_OPTIONS = re.compile(rf"\((?P<inside>\s*+|{_PAIR}(?:,{_PAIR})*+)\)$", re.DOTALL)
# What was meant as options, so that the mistake in them can be named.
_ATTEMPT = re.compile(r"^[^:(]*\((?P<inside>\w+\s*=.*)\)$", re.DOTALL)
_ITEM = re.compile(
    rf"""\s*(\w+)\s*=\s*({_QUOTED}|'(?:[^'\\]|\\.)*'|{_JSON}|[^,]*)\s*(?:,|$)""", re.DOTALL
)
_NUMBER = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d++)?")
_DIGITS = 4000
"""Python reads no integer of more than 4,300."""
_WORD = re.compile(r"[^\s,()'\"=]+")


class Spec:
    """A small immutable value with a printable name; subclasses are frozen dataclasses.

    `name` is the registered name. Where the part after a colon is a parameter (`ct2:PATH`),
    `positional` names the field that takes it. Parameters at their defaults are not printed.
    """

    name: ClassVar[str]
    positional: ClassVar[str | None] = None
    written: ClassVar[Mapping[str, str]] = {}
    """Fields that are written by another name, such as `name`, which every class has itself."""

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        options = []
        head = self.name
        for parameter in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, parameter.name)
            if parameter.name == self.positional:
                head = self.name if value == parameter.default else f"{self.name}:{value}"
            elif parameter.init and value != parameter.default:
                # One of fixed choices is printed bare (`smooth=none`): nothing else can be meant.
                hint = _hints(type(self))[parameter.name]
                bare = isinstance(value, str) and typing.get_origin(hint) is typing.Literal
                written = self.written.get(parameter.name, parameter.name)
                options.append(f"{written}={_print(value, bare)}")
        # Empty brackets part what a path ends with from what would be read as options.
        if options or _OPTIONS.search(head) or head != head.rstrip():
            return f"{head}({', '.join(options)})"
        return head


@dataclass(frozen=True)
class Parsed:
    """The parts of a spec, before anything is looked up."""

    name: str
    argument: str | None
    options: Mapping[str, Value]


def split(text: str) -> Parsed:
    """Take a spec apart.

    >>> split("NeighbourFlip(p=0.3, unit=char)")
    Parsed(name='NeighbourFlip', argument=None, options={'p': 0.3, 'unit': 'char'})
    >>> split("ct2:models/tiny(beam=4)")
    Parsed(name='ct2', argument='models/tiny', options={'beam': 4})
    """
    if not isinstance(text, str):
        raise HyperbatonError(f"a name such as 'BLEU' is wanted, not {text!r:.80}")
    text = text.strip()
    try:
        text.encode()
    except UnicodeEncodeError:
        raise HyperbatonError(f"{text[:80]!r} is not UTF-8; write it again") from None
    match = _OPTIONS.search(text) or _ATTEMPT.search(text)
    options = _read_options(match["inside"], text) if match else {}
    head = text[: match.start("inside") - 1] if match else text
    name, colon, argument = head.partition(":")
    if not re.fullmatch(r"[\w.+-]+", name):
        raise HyperbatonError(
            f"'{text[:80]}' cannot be read: write name, name(key=value) or name:value"
        )
    return Parsed(name, argument if colon else None, options)


def _read_options(inside: str, whole: str) -> dict[str, Value]:
    options: dict[str, Value] = {}
    at = 0
    while at < len(inside):
        match = _ITEM.match(inside, at)
        if match is None:
            raise HyperbatonError(f"'{whole}': cannot read '{inside[at:].strip()}' as key=value")
        if match[1] in options:
            raise HyperbatonError(f"'{whole}': '{match[1]}' is given twice")
        options[match[1]] = _read(match[2].strip())
        at = match.end()
    return options


def _read(text: str) -> Value:
    if text[:1] in ("'", '"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    if text in ("true", "false"):
        return text == "true"
    if text == "none":
        return None
    if _NUMBER.fullmatch(text):
        integer = re.fullmatch(r"[+-]?\d++", text)
        if integer and len(text) > _DIGITS:
            raise HyperbatonError(f"{text[:20]}… has more than {_DIGITS:,} digits")
        return int(text) if integer else float(text)
    return text


def _print(value: object, bare: bool = False) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if isinstance(value, str) and re.fullmatch(_JSON, text, re.DOTALL):
        return text
    if isinstance(value, str) and not (_WORD.fullmatch(text) and (bare or _read(text) == value)):
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return text


def offered(group: str) -> EntryPoints:
    """What the installed packages offer in a group of entry points."""
    found: EntryPoints = _all_offered(tuple(sys.path)).select(group=group)
    return found


@lru_cache(maxsize=1)
def _all_offered(_path: tuple[str, ...]) -> Any:
    # Of all groups at once: reading every package for one of them takes as long.
    return entry_points()


class Registry(Generic[T]):
    """Names of one kind, each with the `module:attribute` that is imported when it is asked for.

    Other packages add entries through the entry-point group `hyperbaton.<plural>`.
    """

    def __init__(self, kind: str, entries: Mapping[str, str], plural: str | None = None) -> None:
        self.kind = kind
        self.group = f"hyperbaton.{plural or kind + 's'}"
        self._builtin = dict(entries)
        self._path: Sequence[str] = ()
        self._installed: Mapping[str, str] = {}
        """What is registered, with what the packages on that path offer."""

    def __repr__(self) -> str:
        return f"<{self.group.partition('.')[2]}: {', '.join(self.names())}>"

    @property
    def _entries(self) -> dict[str, str]:
        if self._path != sys.path:  # looking through it takes a while
            entries = dict(self._builtin)
            for point in offered(self.group):
                if entries.setdefault(point.name, point.value) != point.value:
                    raise HyperbatonError(
                        f"two packages offer a {self.kind} '{point.name}': "
                        f"{entries[point.name]} and {point.value}; uninstall one of them"
                    )
            self._path, self._installed = list(sys.path), entries
        return {**self._installed, **self._builtin}

    def names(self) -> tuple[str, ...]:
        """Every registered name, the built-in ones first; nothing is imported."""
        return tuple(self._entries)

    def added(self) -> tuple[str, ...]:
        """The names that other packages have registered; nothing is imported."""
        return tuple(name for name in self._entries if name not in self._builtin)

    def get(self, name: str) -> type[T]:
        """The class behind a name."""
        entries = self._entries
        if name not in entries:
            plural = self.group.split(".", 1)[1]
            raise HyperbatonError(
                f"unknown {self.kind} '{name}'.{did_you_mean(name, entries)} "
                f"See: hyperbaton ls {plural}"
            )
        module, _, attribute = entries[name].partition(":")
        try:
            loaded = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            if name in self._builtin:
                raise
            raise HyperbatonError(
                f"the {self.kind} '{name}' of another package cannot be loaded from "
                f"{entries[name]}: {error}"
            ) from error
        return typing.cast("type[T]", loaded)

    def parse(self, text: str) -> T:
        """The value that a spec names; `parse(str(x)) == x`."""
        parsed = split(text)
        return self.build(parsed, text)

    def build(self, parsed: Parsed, text: str) -> T:
        """Make the value from the parts of its spec."""
        cls = self.get(parsed.name)
        options = dict(parsed.options)
        if cls.positional is not None:
            if parsed.argument:
                options[cls.positional] = parsed.argument
        elif parsed.argument is not None:
            raise HyperbatonError(f"'{text}': {self.kind} '{parsed.name}' takes nothing after ':'")
        return cls(**_checked(cls, options, text))


def _checked(cls: type[Spec], options: Mapping[str, Value], text: str) -> dict[str, Value]:
    known = {f.name: f for f in dataclasses.fields(cls) if f.init}  # type: ignore[arg-type]
    checked: dict[str, Value] = {}
    fields = {written: name for name, written in cls.written.items()}
    for written, value in options.items():
        key = fields.get(written, written)
        if key in checked:
            raise HyperbatonError(f"'{text}': '{written}' is given twice")
        if key not in known:
            has = ", ".join(cls.written.get(name, name) for name in known) or "none"
            raise HyperbatonError(
                f"'{text}': no parameter '{key}' (it has: {has}).{did_you_mean(key, known)}"
            )
        checked[key] = _fit(value, _hints(cls)[key], key, text)
    for key, parameter in known.items():
        missing = (
            parameter.default is dataclasses.MISSING
            and parameter.default_factory is dataclasses.MISSING
        )
        if key not in checked and missing and key == cls.positional:
            raise HyperbatonError(f"'{text}' needs a value after the colon: {cls.name}:…")
        if key not in checked and missing:
            raise HyperbatonError(f"'{text}' needs {key}: {cls.name}({key}=…)")
    return checked


def _fit(value: Value, hint: object, key: str, text: str) -> Value:
    """The value as the field's type wants it, or an error that names the choices."""
    if typing.get_origin(hint) is typing.Literal:
        choices = typing.get_args(hint)
        for choice in choices:
            if str(value).casefold() == str(choice).casefold() or value is choice:
                return typing.cast(Value, choice)
        if value is None and "none" in choices:
            return "none"
        known = ", ".join(map(str, choices))
        raise HyperbatonError(f"'{text}': {key} is one of {known}, not {_print(value)}")
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        options = typing.get_args(hint)
        if value is None and type(None) in options:
            return None
        for option in options:
            if option is not type(None):
                try:
                    return _fit(value, option, key, text)
                except HyperbatonError:
                    continue
    elif hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    elif hint is str and not isinstance(value, str):
        return _print(value)
    elif isinstance(hint, type) and type(value) is hint:
        return value
    wanted = getattr(hint, "__name__", str(hint))
    raise HyperbatonError(f"'{text}': {key} must be {wanted}, not {_print(value)}")
