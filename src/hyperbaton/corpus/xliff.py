"""XLIFF 1.2 and 2: documents on their way through translation, as units of source and target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.compression import shown
from hyperbaton.corpus.inline import segment_text
from hyperbaton.corpus.units import Unit
from hyperbaton.corpus.xml_events import Event, xml_events

__all__ = ["read_xliff"]

CODES = frozenset({"bpt", "ept", "ph", "it", "x", "bx", "ex", "sc", "ec", "cp"})
"""Elements that hold or stand for codes of the document; `g`, `pc` and `mrk` hold text."""
_UNITS = ("trans-unit", "segment")
_UNTRANSLATED = ("new", "needs-translation")


def read_xliff(path: str | Path) -> Iterator[Unit]:
    """The units of a document (in XLIFF 2 the segments), without those that are not to translate.

    A target whose state says that it is still to be translated is none.
    """
    file = shown(path)
    events = xml_events(path)
    parents: list[Event] = []
    languages: dict[str, str] = {}
    texts: dict[str, str] = {}
    for event in events:
        if event.kind == "end":
            closed = parents.pop()
            if closed.name in _UNITS and not _kept_as_it_is(parents, closed):
                yield Unit(texts, _columns(parents, closed))
        elif event.kind == "start" and event.name in ("source", "target"):
            text = segment_text(events, CODES, file)
            # Those of suggestions and of other modules have other parents.
            if parents and parents[-1].name in _UNITS:
                _keep(texts, event, text, languages, file)
        elif event.kind == "start":
            parents.append(event)
            languages |= _languages(event)
            texts = {} if event.name in _UNITS else texts


def _languages(event: Event) -> dict[str, str]:
    """The languages that an element says source and target are in."""
    names = {
        "source": ("source-language", "srcLang"),
        "target": ("target-language", "trgLang"),
    }
    if event.name not in ("xliff", "file"):
        return {}
    given = event.attributes
    return {side: given[name] for side in names for name in names[side] if given.get(name)}


def _keep(
    texts: dict[str, str], event: Event, text: str, languages: Mapping[str, str], file: str
) -> None:
    language = event.attributes.get("lang") or languages.get(event.name)
    if text and not language:
        raise HyperbatonError(
            f"{file}, line {event.line}: the language of the {event.name} is not given; "
            "add source-language and target-language to the file element"
        )
    if language and event.attributes.get("state") not in _UNTRANSLATED:
        texts.setdefault(language, text)


def _kept_as_it_is(parents: list[Event], unit: Event) -> bool:
    """Whether the document says that the unit is not to be translated."""
    said = [element.attributes.get("translate") for element in (*parents, unit)]
    return [word for word in said if word][-1:] == ["no"]


def _columns(parents: list[Event], unit: Event) -> dict[str, str]:
    """Where the unit stands: XLIFF 2 names the unit that a segment is of."""
    outer = parents[-1].attributes.get("id") if unit.name == "segment" and parents else None
    ids = [name for name in (outer, unit.attributes.get("id")) if name]
    return {"unit": "/".join(ids)} if ids else {}
