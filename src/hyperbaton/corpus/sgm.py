"""SGM: the test sets of WMT up to 2020 and of NIST, a file for each side, not quite XML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import LONGEST_LINE, raw_lines, shown
from hyperbaton.corpus.xml_events import in_one_line

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]{0,2000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def read_sgm(path: str | Path) -> Iterator[Item]:
    """The segments of a file in their order; `doc` and `seg` are what the file calls them."""
    reader = _Reader(shown(path))
    number = 0
    for line in raw_lines(path):
        for text in reader.segments(f"{line.text}\n", line.number):
            number += 1
            yield Item(str(number), text, None, reader.columns())
    if reader.opened:
        raise HyperbatonError(
            f"{reader.file}, line {reader.opened}: the segment is not closed; is the file complete?"
        )
    if not number:
        raise HyperbatonError(f"{reader.file} has no segments (<seg>…</seg>); is it SGM?")


@dataclass
class _Reader:
    """Where in a file the reader is."""

    file: str
    kind: str = ""
    document: Mapping[str, str] = field(default_factory=dict)
    segment: Mapping[str, str] = field(default_factory=dict)
    opened: int = 0
    """The line that the segment begins on, 0 outside of any."""
    text: list[str] = field(default_factory=list)
    size: int = 0
    authors: dict[str, str] = field(default_factory=dict)
    """Whose version of a document it is."""

    def columns(self) -> dict[str, str]:
        """What the segment that was just read is called."""
        named = (("doc", self.document.get("docid")), ("seg", self.segment.get("id")))
        return {key: value for key, value in named if value is not None}

    def segments(self, line: str, number: int) -> Iterator[str]:
        """The segments that end on this line."""
        place = 0
        for tag in _TAG.finditer(line):
            closes, name, rest = bool(tag[1]), tag[2].lower(), tag[3]
            self._add(line[place : tag.start()], number)
            place = tag.end()
            if self.opened and not (closes and name == "seg"):
                raise HyperbatonError(
                    f"{self.file}, line {number}: <{tag[1]}{tag[2]}> inside of the segment of line "
                    f"{self.opened}, which is not closed"
                )
            if name == "seg" and closes:
                if self.opened:
                    yield _unescaped("".join(self.text))
                self.opened, self.size = 0, 0
                self.text.clear()
            elif name == "seg":
                self.segment, self.opened = _attributes(rest), number
            elif name == "doc" and not closes:
                self._enter(_attributes(rest), number)
            elif not closes:
                self._begin(name, number)
        self._add(line[place:], number)

    def _add(self, text: str, number: int) -> None:
        if self.opened:
            self.text.append(text)
            self.size += len(text)
        if self.size > LONGEST_LINE:
            raise HyperbatonError(
                f"{self.file}, line {number}: a segment that is longer than "
                f"{LONGEST_LINE >> 20} MiB"
            )

    def _begin(self, kind: str, number: int) -> None:
        if self.kind:
            raise HyperbatonError(
                f"{self.file}, line {number}: the file holds a {self.kind} and a {kind}; "
                "give a file for each"
            )
        self.kind = kind

    def _enter(self, document: Mapping[str, str], number: int) -> None:
        name = document.get("docid", "")
        author = document.get("sysid", document.get("refid", ""))
        if name and self.authors.setdefault(name, author) != author:
            raise HyperbatonError(
                f"{self.file}, line {number}: the document '{printable(name)[:100]}' is there "
                "twice, of two systems or translators; give a file for each"
            )
        self.document = document


def _attributes(text: str) -> dict[str, str]:
    return {
        name.lower(): _unescaped(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(text)
    }


def _unescaped(text: str) -> str:
    """Text with the characters that entities stand for; an ampersand alone stays one.

    >>> _unescaped("R&D &amp; &quot;AT&T&quot; &lt;3")
    'R&D & "AT&T" <3'
    """
    return in_one_line(_ENTITY.sub(lambda found: html.unescape(found[0]), text))
