"""`hyperbaton ls`: what there is of each kind, with one line on each."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import json
from collections.abc import Callable, Iterator, Mapping

from hyperbaton.errors import HyperbatonError, MissingExtra
from hyperbaton.languages import NAMES, PAPER_LANGUAGES, has_case, writes_spaces
from hyperbaton.spec import Registry, Spec

DESCRIPTION = "List what there is of a kind, with its labels, parameters and one line on each."
EXAMPLES = """\
  hyperbaton ls perturbations
  hyperbaton ls metrics --format json
"""

REGISTRIES = {
    "perturbations": "hyperbaton.perturb:PERTURBATIONS",
    "metrics": "hyperbaton.metrics:METRICS",
    "systems": "hyperbaton.systems.system:SYSTEMS",
    "parsers": "hyperbaton.parsing:PARSERS",
    "studies": "hyperbaton.studies:STUDIES",
}
"""Where the registry of each kind is; nothing of it is imported before it is asked for."""

Entry = Mapping[str, object]


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
    rows = [(str(e["spec"]), str(e["labels"]), str(e["description"])) for e in entries]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for name, labels, description in rows:
        print(f"{name:<{widths[0]}}  {labels:<{widths[1]}}  {description}".rstrip())
    return 0


def _registered(kind: str) -> Iterator[Entry]:
    module, _, attribute = REGISTRIES[kind].partition(":")
    registry = getattr(importlib.import_module(module), attribute, None)
    if not isinstance(registry, Registry):
        raise HyperbatonError(f"this version of Hyperbaton has no {kind}")
    for name in registry.names():
        try:
            cls = registry.get(name)
        except MissingExtra as error:
            yield {"name": name, "spec": name, "labels": "", "description": str(error)}
            continue
        labels = _labels(cls)
        yield {
            "name": name,
            "spec": _pattern(name, cls),
            "labels": " ".join(labels),
            "description": _first_sentence(cls),
        }


def _labels(cls: type[Spec]) -> list[str]:
    """The labels that analyses group by, where the kind has such."""
    category = getattr(cls, "category", None)
    if not isinstance(category, str):
        return []
    return [category, "possible" if getattr(cls, "possible", False) else "impossible"]


def _pattern(name: str, cls: type[Spec]) -> str:
    """How it is written: `name:VALUE(parameter, parameter=default)`."""
    head = name
    options: list[str] = []
    for parameter in _fields(cls):
        if parameter.name == cls.positional:
            head = f"{name}:{parameter.name.upper()}"
        elif parameter.init and parameter.default is dataclasses.MISSING:
            options.append(parameter.name)
        elif parameter.init:
            options.append(f"{parameter.name}={_default(parameter.default)}")
    return f"{head}({', '.join(options)})" if options else head


def _fields(cls: type) -> tuple[dataclasses.Field[object], ...]:
    return dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()


def _default(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _first_sentence(cls: type[Spec]) -> str:
    lines = (inspect.getdoc(cls) or "").split("\n\n")[0]
    return " ".join(lines.split())


def _groups() -> Iterator[Entry]:
    from hyperbaton.perturb import GROUPS

    for name in GROUPS:
        yield {"name": name, "spec": name, "labels": "group", "description": _group_line(name)}


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
    from hyperbaton.parsing import candidates

    for code, name in NAMES.items():
        found = next((c.spec for c in candidates(code) if c.state == "installed"), None)
        marks = [
            "of the papers" if code in PAPER_LANGUAGES else "",
            "" if writes_spaces(code) else "no spaces",
            "" if has_case(code) else "no case",
        ]
        parser = found or f"no parser installed; see: hyperbaton parsers -l {code}"
        yield {
            "name": code,
            "spec": f"{code}  {name}",
            "labels": ", ".join(filter(None, marks)),
            "description": parser,
        }


KINDS: dict[str, Callable[[], Iterator[Entry]]] = {
    "perturbations": _perturbations,
    "languages": _languages,
    **{
        kind: (lambda kind=kind: _registered(kind))  # type: ignore[misc]
        for kind in REGISTRIES
        if kind != "perturbations"
    },
}
