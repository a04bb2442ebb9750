"""The test sets of WMT from 2021 on: one XML file with source, references and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.inline import segment_text
from hyperbaton.corpus.units import Unit
from hyperbaton.corpus.xml_events import xml_events

__all__ = ["read_wmt"]

_Segments = dict[str, str]


def read_wmt(path: str | Path) -> Iterator[Unit]:
    """The segments of each document: its source, and the first reference that has the segment.

    Further references and the outputs of systems are not read.
    """
    file = shown(path)
    events = xml_events(path)
    document = language = side = ""
    sources: dict[str, tuple[str, str]] = {}
    references: list[tuple[str, _Segments]] = []
    for event in events:
        name, given = event.name, event.attributes
        if event.kind == "end":
            if name == "doc":
                yield from _units(document, sources, references)
            elif name == side:
                side = ""
        elif event.kind != "start":
            continue
        elif name == "doc":
            document, sources, references = given.get("id", ""), {}, []
        elif name in ("src", "ref", "hyp"):
            side, language = name, given.get("lang", "")
            if side != "hyp" and not language:
                raise HyperbatonError(f"{file}, line {event.line}: {name} without its lang")
            if side == "ref":
                references.append((language, {}))
        elif name == "seg":
            text = segment_text(events, (), file)
            segment = given.get("id", str(len(sources) + 1))
            if side == "src":
                sources[segment] = (language, text)
            elif side == "ref":
                references[-1][1][segment] = text


def _units(
    document: str,
    sources: dict[str, tuple[str, str]],
    references: list[tuple[str, _Segments]],
) -> Iterator[Unit]:
    for segment, (language, text) in sources.items():
        texts = {language: text}
        for other, translated in references:
            if translated.get(segment):
                texts.setdefault(other, translated[segment])
        yield Unit(texts, {"doc": document, "seg": segment})
