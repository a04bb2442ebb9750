"""`hyperbaton ls`: what there is of each kind, with one line on each."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import json
import textwrap
import typing
from collections.abc import Iterator
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.language.languages import NAMES, PAPER_LANGUAGES, has_case, writes_spaces

DESCRIPTION = "List everything of one kind, with its labels, parameters and a short description."
EXAMPLES = """\
  hyperbaton ls perturbations
  hyperbaton ls metrics --format json
  hyperbaton ls studies
  hyperbaton ls claims
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
    "studies": "hyperbaton.studies.registry:STUDIES",
    "breaks": "hyperbaton.search.breaks:BREAKS",
}
"""Where the registry of each kind is; nothing of it is imported before it is asked for."""


_MARGIN = " " * 6


class Entry(NamedTuple):
    """One line of a list."""

    name: str
    spec: str
    parameters: str
    labels: str
    description: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The kind and the format."""
    kinds = ["perturbations", "languages", "claims", *REGISTRIES]
    parser.add_argument("kind", choices=list(dict.fromkeys(kinds)), help="what to list")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Print one line for each entry, or all of them as JSON."""
    if args.kind == "claims":
        return _claims(args.format)
    entries = [*(_languages() if args.kind == "languages" else _registered(args.kind))]
    if args.kind == "perturbations":
        entries += _groups()
    if args.format == "json":
        print(json.dumps([one._asdict() for one in entries], ensure_ascii=False, indent=2))
        return 0
    names = max((len(entry.spec) for entry in entries), default=0)
    labels = max((len(entry.labels) for entry in entries), default=0)
    gap = 2 + names + 2 * bool(labels) + labels
    for entry in entries:
        line = f"{entry.spec:<{names}}  {entry.labels:<{labels}}".rstrip()
        print(f"{line:<{gap}}{entry.description}")
        if entry.parameters:
            indent = " " * (names + 2)
            text = f"({entry.parameters})"
            print(textwrap.fill(text, 100, initial_indent=indent, subsequent_indent=indent + " "))
    return 0


def _claims(form: str) -> int:
    """Every claim of the papers: what it says, what decides it, the paper's numbers."""
    from hyperbaton.studies.layer.register import claims, papers

    if form == "json":
        rows = [dataclasses.asdict(claim) for claim in claims().values()]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    for study, paper in papers().items():
        print(f"{study}: {paper}")
        for claim in claims(study).values():
            print(f"  {claim.id:<4}{claim.name} ({claim.place})")
            told = [claim.statement, f"holds if {claim.decides}", f"needs {claim.needs}"]
            told += [f"the paper: {claim.published}"] * bool(claim.published)
            for text in told[:1] if claim.shown else told:
                print(textwrap.fill(text, 100, initial_indent=_MARGIN, subsequent_indent=_MARGIN))
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
            yield Entry(name, name, "", "", str(error))
            continue
        spec = name if cls.positional is None else f"{name}:{cls.positional.upper()}"
        # The labels that analyses group by, where the kind has such.
        category = getattr(cls, "category", None)
        possible = "possible" if getattr(cls, "possible", False) else "impossible"
        labels = f"{category} {possible}" if isinstance(category, str) else ""
        description = " ".join((inspect.getdoc(cls) or "").split("\n\n")[0].split())
        yield Entry(name, spec, _parameters(cls), labels, description)


def _parameters(cls: type[Spec]) -> str:
    """The parameters with their defaults, other choices behind a bar: `pairing=code|text`."""
    hints = typing.get_type_hints(cls)
    texts: list[str] = []
    # A plug-in may register a class that is no dataclass: it has no parameters.
    for field in getattr(cls, "__dataclass_fields__", {}).values():
        if not field.init or field.name == cls.positional:
            continue
        if field.default is dataclasses.MISSING:
            texts.append(field.name)
            continue
        hint = hints[field.name]
        choices = typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()
        values = [field.default, *(choice for choice in choices if choice != field.default)]
        texts.append(f"{field.name}={'|'.join(map(_value, values))}")
    return ", ".join(texts)


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value) or '""'


def _groups() -> Iterator[Entry]:
    from hyperbaton.perturb import GROUPS, parse_all

    for name in GROUPS:
        try:
            members = [str(member) for member in parse_all([name])]
        except HyperbatonError as error:
            line = str(error)
        else:
            line = f"{len(members)} perturbations: {members[0]}, {members[1]}, … {members[-1]}"
        yield Entry(name, name, "", "group", line)


def _languages() -> Iterator[Entry]:
    from hyperbaton.parsing.catalogue import candidates

    for code, name in NAMES.items():
        parser = next((c.spec for c in candidates(code) if c.state == "installed"), None)
        marks = [
            "of the papers" if code in PAPER_LANGUAGES else "",
            "" if writes_spaces(code) else "no spaces",
            "" if has_case(code) else "no case",
        ]
        note = parser or f"no parser installed; see: hyperbaton parsers -l {code}"
        yield Entry(code, f"{code}  {name}", "", ", ".join(filter(None, marks)), note)
