"""`hyperbaton ls`: what there is of each kind, with one line on each."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import json
import textwrap
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.language.languages import NAMES, PAPER_LANGUAGES, has_case, writes_spaces

DESCRIPTION = "List everything of one kind, with its labels, parameters and a short description."
EXAMPLES = """\
  hyperbaton ls perturbations
  hyperbaton ls metrics --format json
  hyperbaton ls studies
"""

REGISTRIES = {
    "perturbations": "hyperbaton.perturb:PERTURBATIONS",
    "metrics": "hyperbaton.metrics:METRICS",
    "systems": "hyperbaton.systems.system:SYSTEMS",
    "parsers": "hyperbaton.parsing.parser:PARSERS",
    "detectors": "hyperbaton.detectors:DETECTORS",
    "encoders": "hyperbaton.encoders:ENCODERS",
    "aligners": "hyperbaton.alignment:ALIGNERS",
    "tasks": "hyperbaton.tasks:TASKS",
    "studies": "hyperbaton.studies:STUDIES",
}
"""Where the registry of each kind is; nothing of it is imported before it is asked for."""

Entry = Mapping[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The kind and the format."""
    parser.add_argument("kind", choices=[*KINDS], help="what to list")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Print one line for each entry, or all of them as JSON."""
    entries = list(KINDS[args.kind]())
    if args.format == "json":
        print(json.dumps(entries, ensure_ascii=False, indent=2))
        return 0
    names = max((len(entry["spec"]) for entry in entries), default=0)
    labels = max((len(entry["labels"]) for entry in entries), default=0)
    for entry in entries:
        line = f"{entry['spec']:<{names}}  {entry['labels']:<{labels}}".rstrip()
        gap = 2 + names + 2 * bool(labels) + labels
        print(f"{line:<{gap}}{entry['description']}")
        if entry["parameters"]:
            print(_indented(f"({entry['parameters']})", names + 2))
    return 0


def _indented(text: str, indent: int) -> str:
    return textwrap.fill(
        text, 100, initial_indent=" " * indent, subsequent_indent=" " * (indent + 1)
    )


def _registered(kind: str) -> Iterator[Entry]:
    module, _, attribute = REGISTRIES[kind].partition(":")
    registry = getattr(importlib.import_module(module), attribute, None)
    if not isinstance(registry, Registry):
        raise HyperbatonError(f"this version of Hyperbaton has no {kind}")
    for name in registry.names():
        try:
            cls = registry.get(name)
        except MissingExtra as error:
            yield _entry(name, str(error))
        else:
            yield _entry(
                name,
                _first_sentence(cls),
                " ".join(_labels(cls)),
                _head(name, cls),
                _parameters(cls),
            )


def _entry(
    name: str, description: str, labels: str = "", spec: str = "", parameters: str = ""
) -> Entry:
    return {
        "name": name,
        "spec": spec or name,
        "parameters": parameters,
        "labels": labels,
        "description": description,
    }


def _labels(cls: type[Spec]) -> list[str]:
    """The labels that analyses group by, where the kind has such."""
    category = getattr(cls, "category", None)
    if not isinstance(category, str):
        return []
    return [category, "possible" if getattr(cls, "possible", False) else "impossible"]


def _head(name: str, cls: type[Spec]) -> str:
    return name if cls.positional is None else f"{name}:{cls.positional.upper()}"


def _parameters(cls: type[Spec]) -> str:
    """The parameters with their defaults, other choices behind a bar: `pairing=paper|nearest`."""
    hints = typing.get_type_hints(cls)
    found = []
    for parameter in _fields(cls):
        if not parameter.init or parameter.name == cls.positional:
            continue
        if parameter.default is dataclasses.MISSING:
            found.append(parameter.name)
            continue
        hint = hints[parameter.name]
        choices = typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
        shown = [parameter.default, *(choice for choice in choices if choice != parameter.default)]
        found.append(f"{parameter.name}={'|'.join(map(_value, shown))}")
    return ", ".join(found)


def _fields(cls: type) -> tuple[dataclasses.Field[object], ...]:
    return dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def _first_sentence(cls: type[Spec]) -> str:
    lines = (inspect.getdoc(cls) or "").split("\n\n")[0]
    return " ".join(lines.split())


def _groups() -> Iterator[Entry]:
    from hyperbaton.perturb import GROUPS

    for name in GROUPS:
        yield _entry(name, _group_line(name), "group")


def _group_line(name: str) -> str:
    from hyperbaton.perturb import parse_all

    try:
        members = [str(member) for member in parse_all([name])]
    except HyperbatonError as error:
        return str(error)
    return f"{len(members)} perturbations: {members[0]}, {members[1]}, … {members[-1]}"


def _perturbations() -> Iterator[Entry]:
    yield from _registered("perturbations")
    yield from _groups()


def _languages() -> Iterator[Entry]:
    from hyperbaton.parsing.catalogue import candidates

    for code, name in NAMES.items():
        found = next((c.spec for c in candidates(code) if c.state == "installed"), None)
        marks = [
            "of the papers" if code in PAPER_LANGUAGES else "",
            "" if writes_spaces(code) else "no spaces",
            "" if has_case(code) else "no case",
        ]
        parser = found or f"no parser installed; see: hyperbaton parsers -l {code}"
        yield _entry(code, parser, ", ".join(filter(None, marks)), f"{code}  {name}")


KINDS: dict[str, Callable[[], Iterator[Entry]]] = {
    "perturbations": _perturbations,
    "languages": _languages,
    **{kind: partial(_registered, kind) for kind in REGISTRIES if kind != "perturbations"},
}
