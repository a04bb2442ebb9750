"""Files that hold each text in several languages: TMX, XLIFF 1.2 and 2, the XML of WMT.

TMX is what translation memories are kept in, XLIFF documents on their way through translation, and
WMT's XML the test sets from 2021 on, with source, references and outputs.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import shown
from hyperbaton.corpus.xml_events import Event, segment_text, xml_events
from hyperbaton.language.languages import text_in

_log = logging.getLogger(__name__)
_NAMED = 20
"""How many languages of a file a message names."""


class _Unit(NamedTuple):
    """What a file holds at one place: its texts by language, as the file writes the languages."""

    texts: Mapping[str, str]
    columns: Mapping[str, str]


def read_multilingual(
    path: str | Path, form: Literal["tmx", "xliff", "wmt"], languages: Sequence[str | None]
) -> Iterator[Item]:
    """The texts that are there in each of these languages: source and, if asked for, reference.

    Without a language, the first and the second of the file. What is left out is counted aloud.
    """
    file = shown(path)
    events = xml_events(path)
    units = {"tmx": _read_tmx, "xliff": _read_xliff, "wmt": _read_wmt}[form](events, file)
    wanted = tuple(language for language in languages if language)
    there: dict[str, None] = {}
    complete = number = 0
    for number, unit in enumerate(units, 1):
        there.update(dict.fromkeys(unit.texts))
        wanted = wanted or tuple(there)[:2]
        texts = [text_in(language, unit.texts, f"{file}, unit {number}") for language in wanted]
        if all(text and text.strip() for text in texts):
            complete += 1
            yield Item(str(number), texts[0] or "", texts[1] if texts[1:] else None, unit.columns)
    if not number:
        raise HyperbatonError(f"{file} holds no text: is the file complete?")
    asked = " and ".join(wanted)
    if not complete:
        has = ", ".join(map(printable, list(there)[:_NAMED])) or "none"
        raise HyperbatonError(
            f"{file} has no text in {asked} (it has: {has}): name languages of the file with -l"
        )
    if complete < number:
        _tell(
            f"hyperbaton: {file}: left out {number - complete:,} of {counted(number, 'unit')} "
            f"without a text in {asked}"
        )


@cache
def _tell(sentence: str) -> None:
    """Say it once, though a corpus is read several times."""
    _log.warning("%s", sentence)


_TMX_CODES = frozenset({"bpt", "ept", "ph", "it", "ut"})
"""Elements that hold the codes of the document; `hi` holds text."""


def _read_tmx(events: Iterator[Event], file: str) -> Iterator[_Unit]:
    """The units of a memory in their order; of two texts in a language the first."""
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
                text = segment_text(events, _TMX_CODES, file)
                if not language:
                    raise HyperbatonError(
                        f"{file}, line {event.line}: a text without its language; add xml:lang to "
                        "its tuv"
                    )
                texts.setdefault(language, text)
        elif event.kind == "end" and event.name == "tu":
            yield _Unit(texts, columns)
        elif event.kind == "end" and event.name == "tuv":
            language = None


_XLIFF_CODES = frozenset({"bpt", "ept", "ph", "it", "x", "bx", "ex", "sc", "ec", "cp"})
"""Elements that hold or stand for codes of the document; `g`, `pc` and `mrk` hold text."""
_XLIFF_UNITS = ("trans-unit", "segment")
_UNTRANSLATED = ("new", "needs-translation")


def _read_xliff(events: Iterator[Event], file: str) -> Iterator[_Unit]:
    """The units of a document (in XLIFF 2 the segments), without those that are not to translate.

    A target whose state says that it is still to be translated is none.
    """
    parents: list[Event] = []
    languages: dict[str, str] = {}
    texts: dict[str, str] = {}
    for event in events:
        if event.kind == "end":
            closed = parents.pop()
            if closed.name in _XLIFF_UNITS and not _kept_as_it_is(parents, closed):
                yield _Unit(texts, _xliff_columns(parents, closed))
        elif event.kind == "start" and event.name in ("source", "target"):
            text = segment_text(events, _XLIFF_CODES, file)
            # Those of suggestions and of other modules have other parents.
            if parents and parents[-1].name in _XLIFF_UNITS:
                _keep(texts, event, text, languages, file)
        elif event.kind == "start":
            parents.append(event)
            languages |= _languages(event)
            texts = {} if event.name in _XLIFF_UNITS else texts


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
    values = [element.attributes.get("translate") for element in (*parents, unit)]
    return [word for word in values if word][-1:] == ["no"]


def _xliff_columns(parents: list[Event], unit: Event) -> dict[str, str]:
    """Where the unit stands: XLIFF 2 names the unit that a segment is of."""
    outer = parents[-1].attributes.get("id") if unit.name == "segment" and parents else None
    ids = [name for name in (outer, unit.attributes.get("id")) if name]
    return {"unit": "/".join(ids)} if ids else {}


_Segments = dict[str, str]


def _read_wmt(events: Iterator[Event], file: str) -> Iterator[_Unit]:
    """The segments of each document: its source, and the first reference that has the segment.

    Further references and the outputs of systems are not read.
    """
    document = language = side = ""
    sources: dict[str, tuple[str, str]] = {}
    references: list[tuple[str, _Segments]] = []
    for event in events:
        name, given = event.name, event.attributes
        if event.kind == "end":
            if name == "doc":
                yield from _wmt_units(document, sources, references)
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


def _wmt_units(
    document: str,
    sources: dict[str, tuple[str, str]],
    references: list[tuple[str, _Segments]],
) -> Iterator[_Unit]:
    for segment, (language, text) in sources.items():
        texts = {language: text}
        for other, translated in references:
            if translated.get(segment):
                texts.setdefault(other, translated[segment])
        yield _Unit(texts, {"doc": document, "seg": segment})
