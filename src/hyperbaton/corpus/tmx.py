"""TMX: translation memories, in which a unit has a text for each of its languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.inline import segment_text
from hyperbaton.corpus.units import Unit
from hyperbaton.corpus.xml_events import xml_events

__all__ = ["read_tmx"]

CODES = frozenset({"bpt", "ept", "ph", "it", "ut"})
"""Elements that hold the codes of the document; `hi` holds text."""


def read_tmx(path: str | Path) -> Iterator[Unit]:
    """The units of a memory in their order; of two texts in a language the first."""
    file = shown(path)
    events = xml_events(path)
    texts: dict[str, str] = {}
    columns: dict[str, str] = {}
    language: str | None = None
    for event in events:
        if event.kind == "start":
            if event.name == "tu":
                texts, columns = {}, {}
                if name := event.attributes.get("tuid"):
                    columns = {"tuid": name}
            elif event.name == "tuv":
                language = event.attributes.get("lang")
            elif event.name == "seg":
                text = segment_text(events, CODES, file)
                if not language:
                    raise HyperbatonError(
                        f"{file}, line {event.line}: a text without its language; add xml:lang to "
                        "its tuv"
                    )
                texts.setdefault(language, text)
        elif event.kind == "end" and event.name == "tu":
            yield Unit(texts, columns)
        elif event.kind == "end" and event.name == "tuv":
            language = None
